"""Browser contexts that are used by one test after the other: a new one costs a second of processor time."""

from playwright.sync_api import Browser, BrowserContext

# Returns whether the page has the clock of a test, which stays in its context.
HAS_OWN_CLOCK = "() => !Function.prototype.toString.call(setTimeout).includes('[native code]')"


class Contexts:
    """Contexts of one browser. Each has a blank page, so that its process is there for the next test."""

    # A service worker would hide requests from tests that intercept them. Its own tests allow it.
    # Clicks miss links that move. The tests of motion and scrolling allow it.
    USUAL = {"service_workers": "block", "reduced_motion": "reduce"}

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}
        self._servers: dict[BrowserContext, str] = {}

    def take(self, server: str, **options: object) -> BrowserContext:
        """Return a context without cookies and stored data. Only those without special options are kept."""
        options = self.USUAL | options
        is_usual = options == self.USUAL
        if is_usual and (free := self._free.get(server)):
            return free.pop()
        context = self._browser.new_context(base_url=server, locale="en-GB", **options)
        if is_usual:
            context.new_page()
            self._servers[context] = server
        return context

    def give_back(self, context: BrowserContext) -> None:
        """Close the pages of a context, and keep it if it can be made as good as new."""
        if context not in self._servers:
            context.close()
            return
        blank, *pages = context.pages
        for page in pages:
            page.close()
        server = self._servers[context]
        if blank.evaluate(HAS_OWN_CLOCK):
            del self._servers[context]
            context.close()
            return
        context.unroute_all()
        context.set_offline(False)
        context.clear_cookies()
        context.clear_permissions()
        tools = context.new_cdp_session(blank)
        tools.send("Storage.clearDataForOrigin", {"origin": server, "storageTypes": "all"})
        tools.detach()
        self._free.setdefault(server, []).append(context)

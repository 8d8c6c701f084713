"""Pages of a site whose host names a server at which people log in too. Test servers have none."""

from functools import partial

from allauth.account.forms import LoginForm, SignupForm
from django.forms import Form

from novaluna_site.login_provider import LoginProvider
from tests.browser.states.catalogue import Visit, add_state, render_here

CLUB = LoginProvider("Club", "https://login.example/realms/club", "luna", "", [])
URLS = "tests.browser.states.provider_urls"


def visit_with_provider(template: str, form: type[Form], sent: object = None) -> Visit:
    """Return a visit of a page as a site with a provider shows it."""
    context = {
        "login_provider": CLUB,
        "login_url": "/account/login/",
        "signup_url": "/account/signup/",
        "request_login_code_url": "/account/login/code/",
        "form": form(sent),
    }
    return render_here("/with-provider/", template, context, urls=URLS)


SIGN_UP = "socialaccount/signup.html"
REFUSED = {"username": "", "email": "moon@example"}
add_state("provider-log-in", partial(visit_with_provider, "account/login.html", LoginForm), is_minor=True)
add_state("provider-sign-up", partial(visit_with_provider, SIGN_UP, SignupForm))
add_state(
    "provider-sign-up-refused", partial(visit_with_provider, SIGN_UP, SignupForm, REFUSED), is_minor=True
)

"""Turns the HTML of an email into text, with ">" before the lines of its quotes.

It does not use Python's parser of HTML, which takes quadratic time for tags that never end.
"""

import re
from html import unescape

# A person's own words come first, after the styles that Outlook writes.
MOST_CHARACTERS = 100_000

_TAG = re.compile(r"<([^<>]*)>")
_HIDDEN = {"head", "script", "style", "template", "title"}
_LINES = {
    *("address", "article", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "footer", "form"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section"),
    *("table", "tbody", "tfoot", "thead", "tr", "ul"),
}

_CELLS = {"td", "th"}


def text_of_html(html: str) -> str:
    """Return the text of an HTML document, one line for each of its paragraphs, rows and line breaks."""
    document = _Document()
    html, end = _without_comments(html[:MOST_CHARACTERS]), 0
    for match in _TAG.finditer(html):
        document.add_text(html[end : match.start()])
        document.add_tag(match[1])
        end = match.end()
    document.add_text(html[end:])
    document.end_line()
    return "\n".join(document.lines)


def _without_comments(html: str) -> str:
    first, *others = html.split("<!--")
    return first + "".join(text.partition("-->")[2] for text in others)


class _Document:
    """The lines of the tags and texts that were added."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line = ""
        self._quotes = 0
        self._hidden_by = ""
        self._is_preformatted = False

    def add_tag(self, tag: str) -> None:
        """Begin or end a line, a quote, a hidden element or preformatted text."""
        name = (tag.strip("/").split(maxsplit=1) or [""])[0].lower()
        is_end = tag.startswith("/")
        if name in _LINES:
            self.end_line()
        elif name in _CELLS:
            self._line += " "
        if name == "blockquote":
            self._quotes = max(0, self._quotes + (-1 if is_end else 1))
        elif name == "pre":
            self._is_preformatted = not is_end
        elif is_end and name == self._hidden_by:
            self._hidden_by = ""
        elif not is_end and name in _HIDDEN and not self._hidden_by:
            self._hidden_by = name

    def add_text(self, text: str) -> None:
        """Add text to the line, or to several lines if it is preformatted."""
        if self._hidden_by:
            return
        for number, line in enumerate(text.split("\n") if self._is_preformatted else [text]):
            if number:
                self.end_line()
            self._line += line

    def end_line(self) -> None:
        """End the line. Blank lines are left out, because blocks are often nested."""
        line = " ".join(_unescape(self._line).split())
        self._line = ""
        if line:
            self.lines.append(f"> {line}" if self._quotes else line)


def _unescape(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # A character reference with thousands of digits.
        return text

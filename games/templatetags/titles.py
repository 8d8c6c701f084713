"""Template filters about the title of a game."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from games.models import Game
from games.shown import addresses
from games.shown.lists import name_of
from games.shown.parts import include_kept
from games.titles import registry
from games.titles.deals import DealWords
from games.titles.registry import TITLES, Title
from games.titles.talents import Talent

register = template.Library()


@register.filter
def has_talent(game: Game, name: str) -> bool:
    """Return whether the title of a game has the talent with this name, such as "REVIEWS"."""
    return registry.has_talent(game.title, Talent[name])


@register.simple_tag
def offers(name: str) -> bool:
    """Return whether a title of the site has the talent with this name."""
    return registry.offers(Talent[name])


class TitlePage(NamedTuple):
    """The page of a talent of a title, such as its rules."""

    name: str
    url: str
    is_shown: bool


@register.simple_tag
def titles_with(talent: str, shown: str) -> list[TitlePage]:
    """Return the pages of all titles with the talent LESSONS or RULES, of which one is shown."""
    url_of = {"LESSONS": addresses.lesson_url, "RULES": addresses.rules_url}[talent]
    keys = registry.titles_with(Talent[talent])
    return [TitlePage(TITLES[key].pages.name, url_of(key), key == shown) for key in keys]


@register.filter
def lesson_url(key: str) -> str:
    """Return the address of the lessons of a title; empty without any."""
    return addresses.lesson_url(key)


@register.simple_tag
def lesson_step(key: str, number: int) -> str:
    """Return the address of a lesson of a title."""
    return addresses.lesson_url(key, number)


@register.filter
def rules_url(key: str) -> str:
    """Return the address of the rules of a title; empty without any."""
    return addresses.rules_url(key)


@register.simple_tag
def words_of(name: str) -> DealWords:
    """Return what to say of deals of the first title that has the talent with this name."""
    return registry.title_with(Talent[name]).pages.deal_words


@register.simple_tag
def solo_aim(is_for_guest: bool) -> str:
    """Return what solo games of the site are about."""
    pages = registry.title_with(Talent.SOLO).solo_pages
    return pages.solo_aim_of_guest if is_for_guest else pages.solo_aim


@register.simple_tag
def only_title() -> Title | None:
    """Return the title of a site that offers no other; None if there are several."""
    return registry.first_title() if len(TITLES) == 1 else None


@register.simple_tag
def title_symbols() -> SafeString:
    """Return the sheets of SVG symbols of the titles, for every page."""
    sheets = (title.pages.symbols for title in TITLES.values())
    return SafeString("".join(include_kept(sheet) for sheet in sheets if sheet))


@register.simple_tag
def legal_notes() -> str:
    """Return who made the titles of the site, for the foot of a page."""
    return " ".join(filter(None, (title.pages.legal_note for title in TITLES.values())))


@register.simple_tag(takes_context=True)
def short_legal_notes(context: Context) -> str:
    """Return short notes for the foot of an email: that of the title of its `game`, or else of all titles."""
    game = context.get("game")
    titles = (title for key, title in TITLES.items() if game is None or key == game.title)
    return " ".join(filter(None, (title.pages.short_legal_note for title in titles)))


@register.filter
def title_name(game: Game) -> str:
    """Return the name of the title of a game."""
    title = TITLES.get(game.title)
    return title.pages.name if title else game.title


@register.filter
def listed_title(game: Game) -> str:
    """Return the name of the title of a game where people may not know it: empty on a site with one title."""
    return name_of(game.title)


@register.filter
def listed_name(key: str) -> str:
    """Return the name of a title: empty on a site with one title."""
    return name_of(key)


@register.filter
def rules_of(game: Game) -> Sequence[Any]:
    """Return the parts of the rules of a title without a page of rules, for `games/plain/_rules.html`."""
    title = TITLES.get(game.title)
    return title.pages.describe_rules() if title else ()


@register.filter
def rule_of_talk(game: Game) -> str:
    """Return what players may not write to each other in a running game; empty for nothing."""
    title = TITLES.get(game.title)
    return title.pages.rule_of_talk(game.seat_count) if title and game.is_running else ""


@register.filter
def option_words(game: Game) -> str:
    """Return the options of a game in a few words; empty if there is nothing to say."""
    title = TITLES.get(game.title)
    return title.pages.describe_options(game.all_options, game.seat_count) if title else ""


@register.filter
def deal_words(game: Game, name: str) -> str:
    """Return a sentence of the `DealWords` of a title, such as "mixing"."""
    title = TITLES.get(game.title)
    return str(getattr(title.pages.deal_words, name)) if title else ""


@register.filter
def banner(game: Game) -> str:
    """Return the static file of the picture above an invitation; empty without one."""
    title = TITLES.get(game.title)
    return title.pages.banner if title else ""


@register.filter
def introduction(game: Game) -> str:
    """Return a sentence about the title of a game, for people who may not know it."""
    title = TITLES.get(game.title)
    return title.pages.introduction if title else ""

"""Reads a reply to an invitation: yes or no.

An answer is clear if its first sentence says nothing else, and what follows does not take it back. Every
word of the sentence must be known: an unknown one can change all, as in "no problem" or "not before Friday".
So languages can be added without danger, and doubt is never taken for an answer.
"""

import re
import unicodedata
from collections.abc import Sequence

_YES = {
    *(
        "yes",
        "yep",
        "yeah",
        "yup",
        "ok",
        "okay",
        "sure",
        "accept",
        "accepted",
        "ja",
        "jawohl",
        "gerne",
        "gern",
    ),
    *("oui", "ouais", "volontiers", "d'accord", "j'accepte", "sí", "si", "sì", "vale", "acepto", "accetto"),
    *("sim", "aceito", "tak", "chętnie", "да", "はい", "好", "好的", "是", "是的", "可以", "👍"),
    *("absolutely", "certainly", "definitely", "gladly", "course", "pleasure", "dabei", "klar", "natürlich"),
    *("plaisir", "sûr", "claro", "supuesto", "volentieri", "graag", "jasne", "oczywiście", "przyjemnością"),
    *("конечно", "удовольствием", "喜んで", "愿意"),
}
# People also acknowledge with these what they have not decided.
_WEAK_YES = {
    *("ok", "okay", "sure", "course", "vale", "klar", "natürlich", "sûr", "claro", "supuesto", "jasne"),
    *("oczywiście", "конечно", "好", "好的", "可以", "👍"),
}
_NO = {
    *("no", "nope", "decline", "declined", "nein", "nee", "non", "não", "nej", "nei", "nie", "нет"),
    *("nah", "いいえ", "不", "不了", "不要", "没空", "👎"),
}
_COURTESY = {
    *("please", "thanks", "thank", "you", "many", "very", "much", "so", "for", "the", "invitation", "invite"),
    *("bitte", "danke", "dank", "schön", "sehr", "vielen", "lieben", "für", "die", "einladung"),
    *("merci", "beaucoup", "bien", "s'il", "te", "vous", "plaît", "pour", "l'invitation"),
    *("gracias", "muchas", "por", "favor", "la", "invitación", "grazie", "mille", "bedankt", "obrigado"),
    *("obrigada", "dziękuję", "dzięki", "bardzo", "proszę", "za", "zaproszenie"),
    *("tack", "takk"),
    *("спасибо", "большое", "пожалуйста", "за", "приглашение"),
    *("ありがとう", "ありがとうございます", "谢谢", "謝謝"),
}
_WITH_YES = _COURTESY | {
    *(
        "i",
        "i'd",
        "i'll",
        "i'm",
        "am",
        "we",
        "we'd",
        "would",
        "will",
        "love",
        "like",
        "gladly",
        "happy",
        "happily",
    ),
    *("to", "play", "join", "in", "count", "me", "a", "game", "with", "pleasure", "of", "course"),
    *("absolutely", "definitely", "certainly", "great"),
    *("ich", "bin", "dabei", "spiele", "mit", "klar", "natürlich", "auf", "jeden", "fall"),
    *(
        "avec",
        "plaisir",
        "bien",
        "sûr",
        "je",
        "joue",
        "con",
        "mucho",
        "gusto",
        "claro",
        "encantado",
        "encantada",
    ),
    *("poproszę", "oczywiście", "przyjemnością", "z", "с", "удовольствием", "конечно", "давайте"),
    *("na", "que", "お願いします", "参加します", "喜んで", "当然"),
}
_WITH_NO = _COURTESY | {
    *("sorry", "unfortunately", "i", "i'm", "can't", "cannot", "not", "this", "time"),
    *(
        "leider",
        "nicht",
        "ich",
        "kann",
        "lieber",
        "diesmal",
        "désolé",
        "désolée",
        "malheureusement",
        "je",
        "ne",
    ),
    *("peux", "pas", "lo", "siento", "puedo", "niestety", "przykro", "mi", "nie", "mogę", "к", "сожалению"),
    *("не", "могу", "すみません", "ごめんなさい", "結構です", "抱歉"),
}
# Sentences that are an answer as a whole, without their words of courtesy and regret.
_PHRASES = {
    **dict.fromkeys(("i'd love to", "i would love to", "count me in", "i'm in", "i am in"), True),
    **dict.fromkeys(("no way", "i can't", "i cannot", "no time", "keine zeit", "nej tak"), False),
}
_REGRET = {"sorry", "unfortunately", "leider"}
# What follows these can mean the opposite.
_WEAK_PHRASES = {"i'd love to", "i would love to", "no way"}
# A later sentence that begins with one of these takes back what was said.
_BUT = {
    *(
        "but",
        "however",
        "although",
        "though",
        "wait",
        "actually",
        "only",
        "except",
        "unless",
        "maybe",
        "perhaps",
    ),
    *("aber", "doch", "allerdings", "jedoch", "nur", "vielleicht", "mais", "sauf", "seulement", "cependant"),
    *(
        "pero",
        "aunque",
        "sólo",
        "solo",
        "salvo",
        "quizás",
        "ma",
        "però",
        "maar",
        "mas",
        "ale",
        "jednak",
        "tylko",
    ),
    *("chyba", "но", "однако", "только", "может"),
}
_IF = {"if", "or", "when", "wenn", "falls", "oder", "si", "ou", "o", "jeśli", "albo", "если", "или"}
_BUT_WITHOUT_SPACES = ("でも", "ただ", "しかし", "但", "不过", "不過", "可是", "只是")
_NAME = 3  # words and fewer are a signature
_NOT = {"not", "can't", "cannot", "nicht", "pas", "не", "don't"}
_GREETING = re.compile(
    r"""(?:
        hi|hello|hey|hej|dear|good\ (?:morning|day|afternoon|evening)
        | hallo|liebe[rs]?|moin|servus|guten\ (?:morgen|tag|abend)|grüß\ gott
        | bonjour|bonsoir|salut|coucou|chère?s?|hola|buen[oa]s(?:\ d[ií]as|\ tardes|\ noches)?|estimad[oa]s?
        | querid[oa]s?|ciao|cześć|witam|dzień\ dobry|здравствуй(?:те)?|привет|добрый\ (?:день|вечер)
        | こんにちは|こんばんは|你好|您好
    )\b([^,.!?:;、。]{0,40})(?:[,.!:、。]+\ *|$)""",
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[👍👎]")
_END = re.compile(r"(?<=[.!?])\s+|(?<=。)|\n")
# A line that ends so, or a next one that begins in lower case, is in the middle of a sentence.
_MIDDLE = (",", ";", ":", "-", "–", "—", "(", "、")


def read_answer(lines: Sequence[str]) -> bool | None:
    """Return whether a reply says yes; None if it says neither yes nor no, or not clearly.

    >>> read_answer(["Yes, please!", "Ines"]), read_answer(["Nein danke"]), read_answer(["No problem!"])
    (True, False, None)
    """
    first, *others = _sentences(lines) or [""]
    words = set(_WORD.findall(first))
    phrase = _phrase(first)
    answer = _PHRASES.get(phrase, _plain_answer(words))
    if answer is None or "?" in first or _is_taken_back(others, answer):
        return None
    is_weak = phrase in _WEAK_PHRASES or (answer and phrase not in _PHRASES and not words & _YES - _WEAK_YES)
    return None if is_weak and any(len(_WORD.findall(other)) > _NAME for other in others[:1]) else answer


def _phrase(sentence: str) -> str:
    """Return a sentence without signs and without words of courtesy and regret."""
    return " ".join(word for word in _WORD.findall(sentence) if word not in _COURTESY | _REGRET)


def _plain_answer(words: set[str]) -> bool | None:
    """Return the answer of a sentence with these words; None if they are more than an answer."""
    if words & _YES and words <= _YES | _WITH_YES:
        return True
    return False if words & _NO and words <= _NO | _WITH_NO else None


def _is_taken_back(sentences: Sequence[str], answer: bool) -> bool:
    """Return whether the sentences after an answer make it doubtful."""
    if any(_begins_with_but(sentence) for sentence in sentences):
        return True
    # The second sentence is still about the answer. Later ones can be those of a footer.
    second = _WORD.findall(sentences[0]) if sentences else []
    opposite = _NO | _NOT if answer else _YES
    # A number after "No." makes both one sentence.
    is_number = bool(second) and second[0].isdigit()
    is_opposite = bool(sentences) and _PHRASES.get(_phrase(sentences[0])) is (not answer)
    return is_number or is_opposite or not _IF.isdisjoint(second[:1]) or not opposite.isdisjoint(second)


def _begins_with_but(sentence: str) -> bool:
    return sentence.startswith(_BUT_WITHOUT_SPACES) or not _BUT.isdisjoint(_WORD.findall(sentence)[:1])


def _sentences(lines: Sequence[str]) -> list[str]:
    """Return the sentences of a reply that have words, in lower case, without the greeting."""
    text = ""
    for line in lines:
        words = unicodedata.normalize("NFKC", line).replace("’", "'")
        if not text:
            text = _without_greeting(words.lower())
        elif text.endswith(_MIDDLE) or words[:1].islower():
            text += f" {words.lower()}"
        else:
            text += f"\n{words.lower()}"
    return [sentence for sentence in _END.split(text) if _WORD.search(sentence)]


def _without_greeting(line: str) -> str:
    greeting = _GREETING.match(line)
    if greeting is None or (_YES | _NO).intersection(_WORD.findall(greeting[1])):
        return line
    return line[greeting.end() :]

"""Yes and no in words: a clear answer is read, and doubt is never taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.replies import read_answer
from games.replies.answers import _GREETING, _NO, _WITH_NO, _WITH_YES, _YES

CLEAR = {
    "Yes": True,
    "Of course!": True,
    "With pleasure": True,
    "Absolutely": True,
    "Na klar!": True,
    "Bin dabei!": True,
    "Natürlich": True,
    "Avec plaisir": True,
    "Bien sûr !": True,
    "Claro que sí": True,
    "Por supuesto": True,
    "Sì, volentieri": True,
    "Ja graag": True,
    "Oczywiście": True,
    "Jasne, chętnie": True,
    "Конечно": True,
    "С удовольствием": True,
    "喜んで": True,
    "愿意": True,
    "I'd love to!": True,
    "I’d love to, thank you": True,
    "Count me in": True,
    "I'm in!\nInes": True,
    "Ja tack": True,
    "Nej tack": False,
    "No way": False,
    "I can't, sorry": False,
    "Sorry, I can’t.\nHave fun, all of you!": False,
    "Leider keine Zeit": False,
    "Nah": False,
    "没空": False,
    "いいえ、結構です": False,
    "YES!": True,
    "Yes, please": True,
    "Yes, gladly": True,
    "Yes, I'd love to play!": True,
    "Yes, thank you for the invitation.": True,
    "Sure": True,
    "OK": True,
    "ok, thanks": True,
    "Hi Ines, yes please": True,
    "Hello Ines,\nyes\nthanks": True,
    "Yes!\nInes Berg": True,
    "yes, count me in": True,
    "“Yes”": True,
    "👍": True,
    "👍🏽": True,
    "Ja": True,
    "Ja gerne": True,
    "Ja, sehr gern!\nViele Grüße\nInes": True,
    "Liebe Ines,\nja, ich bin dabei": True,
    "Oui, avec plaisir": True,
    "D’accord": True,
    "si": True,
    "Sí, con mucho gusto": True,
    "Tak, chętnie": True,
    "Да, с удовольствием": True,
    "はい": True,
    "はい、お願いします。": True,
    "好": True,
    "好的，谢谢！": True,
    "No": False,
    "No.": False,
    "No, thank you": False,
    "Hi Ines!\nNo thanks\nNoor": False,
    "No, sorry, not this time": False,
    "No, I can't": False,
    "Nope": False,
    "👎": False,
    "Nein, danke": False,
    "Leider nein": False,
    "Non merci": False,
    "No, gracias": False,
    "Nie, dziękuję": False,
    "Нет, спасибо": False,
    "いいえ": False,
    "不，谢谢": False,
    "ＮＯ！": False,
}
UNCLEAR = [
    "No problem",
    "No problem, I'd love to play",
    "No\nproblem, I'm in",
    "no worries, count me in",
    "No doubt!",
    "No way! I'd love to",
    "No way!\nThat is so kind of you",
    "I'd love to.\nLet me look at my plans first",
    "I'd love to, but not today",
    "I can't wait",
    "I can't, I mean, yes",
    "I'm in a meeting",
    "I'm in. Not before Friday, though",
    "Count me in if Tobias plays",
    "No way would I miss it",
    "No time like the present",
    "No. 1 on my list",
    "No - wait, yes",
    "No. Yes!",
    "No.\nWell, yes",
    "No, I can't wait!",
    "Not tonight but yes tomorrow",
    "Not yet",
    "Nothing better",
    "Can't",
    "I'm out",
    "Sorry",
    "N.B. I love it",
    "Yes but not before Friday",
    "Yes.\nBut only from Friday",
    "Yes\nbut not before Friday",
    "Yes, I would love to, but I can't",
    "Yes. If I find the time.",
    "Yes. Maybe.",
    "Yes?",
    "Yes, why not?",
    "Yes/no",
    "yes or no",
    "Sure, why not",
    "OK, I'll think about it",
    "OK.\nI'll think about it and tell you.",
    "👍👎",
    "I am not sure",
    "Ja, aber erst morgen",
    "Ja\n\naber erst morgen",
    "Nein, doch",
    "Nicht heute",
    "Kein Problem",
    "Oui mais pas ce soir",
    "Non, peut-être demain",
    "si puedo",
    "Si j'ai le temps",
    "No hay problema",
    "No sé",
    "Nie ma problemu",
    "Нет проблем",
    "不错",
    "不好意思，好",
    "好吗？",
    "いいですね",
    "Thanks!",
    "Of course not",
    "Of course, what are the rules?",
    "Of course.\nI will tell you tomorrow what I decide.",
    "Absolutely not",
    "The pleasure is mine",
    "Natürlich nicht",
    "Bin nicht dabei",
    "Alles klar?",
    "Klar.\nIch überlege es mir bis morgen.",
    "Bien sûr que non",
    "Claro que no",
    "Por supuesto que no",
    "Конечно нет",
    "Jasne, że nie",
    "不愿意",
    "愿意吗？",
    "What is this?",
    "I am away until Monday",
    "",
]


@pytest.mark.parametrize("text", CLEAR)
def test_a_plain_yes_or_no_is_read_in_many_languages(text: str) -> None:
    assert read_answer(text.split("\n")) is CLEAR[text]


@pytest.mark.parametrize("text", UNCLEAR)
def test_polite_and_mixed_words_are_no_answer(text: str) -> None:
    assert read_answer(text.split("\n")) is None


@given(
    answer=st.sampled_from(sorted({*_YES, *_NO})),
    other=st.from_regex(r"[a-zäéñłшя日]{2,9}", fullmatch=True).filter(
        lambda word: word not in _YES | _NO | _WITH_YES | _WITH_NO and not _GREETING.match(word)
    ),
    joint=st.sampled_from([" ", ", ", " - ", "; ", ",\n", "\n"]),
    is_first=st.booleans(),
)
def test_no_answer_is_read_beside_an_unknown_word(
    answer: str, other: str, joint: str, is_first: bool
) -> None:
    text = f"{answer}{joint}{other}" if is_first else f"{other}{joint}{answer}"
    if joint == "\n" and not (other if is_first else answer)[:1].islower():
        return  # The second line begins another sentence.
    assert read_answer(text.split("\n")) is None


@given(words=st.lists(st.sampled_from(sorted(_YES | _NO)), min_size=2, max_size=4))
def test_an_answer_that_says_both_is_none(words: list[str]) -> None:
    is_mixed = bool(_YES & {*words}) and bool(_NO & {*words})
    assert (read_answer([" ".join(words)]) is None) == is_mixed


def test_nothing_is_no_answer() -> None:
    assert read_answer([]) is None

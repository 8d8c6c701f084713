"""Replies as the most used mail programs and servers write them, in eight languages.

They are written after what the programs document and show, with invented people. Each program quotes an email
that lists moves, so a quote that is read as a reply is noticed.
"""

import base64
import quopri
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

SENDER = "Nova Luna <reply+7k-1x2-0-1d-abcdefghij234567klmn@play.example.org>"
SUBJECT = "Your turn against Tobias"
ORIGINAL = """\
Your turn, Anna.

Take your turn:
https://play.example.org/game/7hK2mXw9QpRt/

- Tobias took blue 4 and covered two goals.

take 1 at W2
take 3 at S1
refill
yes
no

--\N{SPACE}
You get one email each time it is your turn.
Stop these emails: https://play.example.org/account/unsubscribe/1.x/"""


@dataclass(frozen=True)
class Language:
    """How programs write in a language: `wrote` and `dated` introduce a quote, `fields` name its header."""

    wrote: str
    dated: str
    fields: tuple[str, str, str, str]  # from, sent, to, subject
    sent: str
    original: str
    note: str
    prefix: str
    charset: str
    yes: str
    no: str


LANGUAGES = {
    "en": Language(
        "On Sun, Nov 22, 2026 at 10:14 AM {sender} wrote:",
        "On Sun, 22 Nov 2026, Nova Luna wrote:",
        ("From", "Sent", "To", "Subject"),
        "Sunday, November 22, 2026 10:14 AM",
        "Original Message",
        "Sent from my iPhone",
        "Re",
        "us-ascii",
        "Yes, please!",
        "No thanks.",
    ),
    "de": Language(
        "Am So., 22. Nov. 2026 um 10:14 Uhr schrieb {sender}:",
        "Am 22.11.2026 schrieb Nova Luna:",
        ("Von", "Gesendet", "An", "Betreff"),
        "Sonntag, 22. November 2026 10:14",
        "Ursprüngliche Nachricht",
        "Von meinem iPhone gesendet",
        "AW",
        "iso-8859-1",
        "Ja, gerne",
        "Nein, danke",
    ),
    "fr": Language(
        "Le dim. 22 nov. 2026 à 10:14, {sender} a écrit :",
        "Le 22/11/2026, Nova Luna a écrit :",
        ("De ", "Envoyé ", "À ", "Objet "),
        "dimanche 22 novembre 2026 10:14",
        "Message d'origine",
        "Envoyé de mon iPhone",
        "RE ",
        "windows-1252",
        "Oui, avec plaisir",
        "Non, désolé",
    ),
    "es": Language(
        "El dom, 22 nov 2026 a las 10:14, {sender} escribió:",
        "El 22/11/2026, Nova Luna escribió:",
        ("De", "Enviado el", "Para", "Asunto"),
        "domingo, 22 de noviembre de 2026 10:14",
        "Mensaje original",
        "Enviado desde mi iPhone",
        "RV",
        "iso-8859-15",
        "Sí, con mucho gusto",
        "No, gracias",
    ),
    "pl": Language(
        "niedz., 22 lis 2026 o 10:14 {sender} napisał(a):",
        "W dniu 22.11.2026 Nova Luna pisze:",
        ("Od", "Wysłano", "Do", "Temat"),
        "niedziela, 22 listopada 2026 10:14",
        "Wiadomość oryginalna",
        "Wysłane z iPhone'a",
        "Odp",
        "iso-8859-2",
        "Tak, chętnie",
        "Nie, dziękuję",
    ),
    "ru": Language(
        "вс, 22 нояб. 2026 г. в 10:14, {sender}:",
        "22.11.2026 Nova Luna пишет:",
        ("От", "Отправлено", "Кому", "Тема"),
        "22 ноября 2026 г. 10:14",
        "Исходное сообщение",
        "Отправлено с iPhone",
        "HA",
        "koi8-r",
        "Да, с удовольствием",
        "Нет, спасибо",
    ),
    "ja": Language(
        "2026年11月22日(日) 10:14 {sender}:",
        "2026年11月22日、Nova Lunaのメール:",
        ("差出人", "送信日時", "宛先", "件名"),
        "2026年11月22日 10:14",
        "元のメッセージ",
        "iPhoneから送信",
        "Re",
        "iso-2022-jp",
        "はい、お願いします",
        "いいえ",
    ),
    "zh": Language(
        "{sender} 于2026年11月22日周日 上午10:14写道：",
        "在 2026年11月22日，Nova Luna 写道：",
        ("发件人", "发送时间", "收件人", "主题"),
        "2026年11月22日 10:14",
        "原始邮件",
        "发自我的iPhone",
        "回复",
        "gb2312",
        "好的，谢谢",
        "不，谢谢",
    ),
}


def _quoted(text: str = ORIGINAL) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _attribution(language: Language) -> str:
    return language.wrote.format(sender=SENDER)


def _header(language: Language, bold: str = "", colon: str = ":") -> str:
    values = (SENDER, language.sent, "Anna Berg <anna@example.com>", SUBJECT)
    fields = zip(language.fields, values, strict=True)
    return "\n".join(f"{bold}{name}{colon}{bold} {value}" for name, value in fields)


def _html(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>\n" for line in text.split("\n"))


@dataclass(frozen=True)
class Body:
    """What a program makes of the words of a person; `html` is empty if it writes plain text only."""

    text: str
    html: str = ""
    type: str = "text/plain"


def _gmail(words: str, language: Language) -> Body:
    quote = f'<div class="gmail_attr">{escape(_attribution(language))}<br></div><blockquote>{_html(ORIGINAL)}'
    html = f'<div dir="ltr">{_html(words)}</div><br><div class="gmail_quote">{quote}</blockquote></div>'
    return Body(f"{words}\n\n{_attribution(language)}\n\n{_quoted()}\n", html)


def _gmail_wrapped(words: str, language: Language) -> Body:
    attribution = _attribution(language).replace(" <", "\n<", 1)
    return Body(f"{words}\n\n{attribution}\n\n{_quoted()}\n")


def _gmail_below(words: str, language: Language) -> Body:
    return Body(f"{_attribution(language)}\n\n{_quoted()}\n\n{words}\n")


def _outlook(words: str, language: Language) -> Body:
    html = f"<style><!-- p {{margin:0}} --></style>{_html(words)}<p>&nbsp;</p>{_html(_header(language))}"
    return Body(f"{words}\n\n\n{_header(language)}\n\n{ORIGINAL}\n", html + _html(ORIGINAL))


def _outlook_web(words: str, language: Language) -> Body:
    return Body(f"{words}\n{'_' * 32}\n{_header(language, '*')}\n\n{ORIGINAL}\n")


def _outlook_plain(words: str, language: Language) -> Body:
    return Body(f"{words}\n\n-----{language.original}-----\n{_header(language)}\n\n{ORIGINAL}\n")


def _outlook_mobile(words: str, language: Language) -> Body:
    html = f"{_html(words)}<hr><div id='divRplyFwdMsg'>{_html(_header(language))}</div>{_html(ORIGINAL)}"
    return Body("", f"<html><head><title>take 1</title></head><body>{html}</body></html>")


def _apple(words: str, language: Language) -> Body:
    return Body(f"{words}\n\n{_quoted(_attribution(language))}\n>\n{_quoted()}\n")


def _apple_ios(words: str, language: Language) -> Body:
    html = f"{_html(words)}<br>{escape(language.note)}<blockquote type='cite'>{_html(ORIGINAL)}</blockquote>"
    return Body(f"{words}\n\n{language.note}\n\n{_quoted(_attribution(language))}\n>\n{_quoted()}", html)


def _thunderbird(words: str, language: Language) -> Body:
    text = f"{language.dated}\n{_quoted()}\n\n{words}\n\n-- \nAnna \nBerg\n"
    return Body(text, type="text/plain; format=flowed")


def _flowed(words: str, language: Language) -> Body:
    text = f"{words.replace(' ', '  ' + chr(10), 1)}\n\n{_attribution(language)}\n{_quoted()}\n"
    return Body(text, type="text/plain; format=flowed; delsp=yes")


def _yahoo(words: str, language: Language) -> Body:
    text = "\n".join(f"    {line}" for line in f"{_attribution(language)}\n\n{ORIGINAL}".split("\n"))
    return Body(f" {words}\n\n{text}\n")


def _gmx(words: str, language: Language) -> Body:
    return Body("", f"<div>{_html(words)}</div>{_html(_header(language, '*'))}{_html(ORIGINAL)}")


def _samsung(words: str, language: Language) -> Body:
    return Body(f"{words}\n\n-------- {language.original} --------\n{_header(language)}\n\n{ORIGINAL}\n")


def _proton(words: str, language: Language) -> Body:
    return Body(
        f"{words}\n\nSent with Proton Mail secure email.\n\n{_attribution(language)}\n\n{_quoted()}\n"
    )


def _zoho(words: str, language: Language) -> Body:
    return Body(f"{words}\n\n\n---- {_attribution(language).rstrip(':：')} ----\n\n{ORIGINAL}\n")


def _alpine(words: str, language: Language) -> Body:
    return Body(f"{language.dated}\n\n{_quoted()}\n\n{words}\n")


def _yandex(words: str, language: Language) -> Body:
    return Body(f'{words}\n\n22.11.2026, 10:14, "Nova Luna" <reply+1@play.example.org>:\n{_quoted()}\n')


def _mail_ru(words: str, language: Language) -> Body:
    signature = f"--\n{language.note}\n\n{_attribution(language)}"
    return Body(f"{words}\n\n{signature}\n{_quoted()}\n")


def _qq(words: str, language: Language) -> Body:
    original = f"------------------&nbsp;{language.original}&nbsp;------------------"
    header = _header(language, colon="：").replace("\n", ";<br>")
    return Body("", f"{_html(words)}<div>{original}</div><div>{header};</div>{_html(ORIGINAL)}")


def _netease(words: str, language: Language) -> Body:
    attribution = 'At 2026-11-22 10:14:07, "Nova Luna" <reply+1@play.example.org> wrote:'
    return Body(f"{words}\n\n\n\n\n{attribution}\n\n{ORIGINAL}\n")


def _notes(words: str, language: Language) -> Body:
    return Body(f"{words}\n\n\n\n{_header(language, colon=':')}\n\n\n\n{ORIGINAL}\n")


Program = Callable[[str, Language], Body]
PROGRAMS: dict[str, Program] = {
    "Gmail": _gmail,
    "Gmail on Android": _gmail_wrapped,
    "Gmail, answered below": _gmail_below,
    "Outlook": _outlook,
    "Outlook on the web": _outlook_web,
    "Outlook, plain text": _outlook_plain,
    "Outlook on phones": _outlook_mobile,
    "Apple Mail": _apple,
    "Apple Mail on iOS": _apple_ios,
    "Thunderbird": _thunderbird,
    "a program that wraps": _flowed,
    "Yahoo": _yahoo,
    "GMX and Web.de": _gmx,
    "Samsung Email": _samsung,
    "Proton Mail": _proton,
    "Zoho": _zoho,
    "Alpine": _alpine,
    "Yandex": _yandex,
    "Mail.ru": _mail_ru,
    "QQ": _qq,
    "163": _netease,
    "HCL Notes": _notes,
}
WARNINGS = [
    "[EXTERNAL] ",
    (
        "CAUTION: This email originated from outside of the organization. Do not click links or open\n"
        "attachments unless you recognize the sender and know the content is safe.\n\n"
    ),
    "You don’t often get email from reply@play.example.org. Learn why this is important\n\n",
    "*** ACHTUNG: Diese E-Mail kommt von außerhalb. Klicken Sie nicht auf Links. ***\n\n",
    "Ce message provient d'un expéditeur externe. Ne cliquez pas sur les liens.\n\n",
    "【外部メール】このメールは社外からのものです。\n\n",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n",
]


def raw_mail(body: Body, language: Language, charset: str, encoding: str) -> bytes:
    """Return an email with this body. A charset that lacks a character of the body is not used."""
    parts = [(body.type, body.text), ("text/html", body.html)]
    written = [_part(kind, text, charset, encoding) for kind, text in parts if text]
    subject = base64.b64encode(f"{language.prefix}: {SUBJECT}".encode()).decode()
    head = (
        f"From: Anna Berg <anna@example.com>\nSubject: =?utf-8?B?{subject}?=\nMessage-ID: <1@example.com>\n"
    )
    if len(written) == 1:
        return head.encode() + written[0]
    joined = b"\n--b\n".join([b"", *written])
    return head.encode() + b'Content-Type: multipart/alternative; boundary="b"\n' + joined + b"\n--b--\n"


def _part(kind: str, text: str, charset: str, encoding: str) -> bytes:
    try:
        content = text.encode(charset)
    except UnicodeEncodeError:
        charset, content = "utf-8", text.encode()
    encoded = {
        "base64": base64.encodebytes,
        "quoted-printable": quopri.encodestring,
        "8bit": bytes,
    }[encoding](content)
    head = f"Content-Type: {kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n\n"
    return head.encode() + encoded

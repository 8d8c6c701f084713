"""Recognises what programs and gateways write around the words of a person, such as "Sent from my phone"."""

import re

_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----|Hash: [A-Z0-9, -]+")
_NOTE_OF_PROGRAM = re.compile(
    r"""(?:
        sent\ (?:from|with|via|using) | get\ outlook | (?:gesendet|verschickt)\ (?:von|mit|aus)
        | von\ mein.*\ gesendet | diese\ nachricht\ wurde\ von | outlook\ für
        | (?:envoyé|téléchargez|télécharger|obtenez)\ | skickat\ från | inviato\ da | sendt\ fra
        | envia?do\ (?:desde|do|a\ partir) | obtener\ outlook | verzonden\ v
        | wysłan[eo]\ z | pobierz\ outlook | отправлено\ (?:с|из)\b
        | .{0,20}から送信 | .{0,20}outlook\ を入手
        | (?:发|發|寄)自我的 | 从我的.{0,30}发送 | 從我的.{0,30}傳送 | 获取.{0,20}outlook
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Companies put this above emails from outside, in each language in a few ways.
_WARNING = re.compile(
    r"""
        \boutside\ (?:of\ )?(?:the|your|our|this)\ (?:organi[sz]ation|company|network|domain)
        | \bexternal\ (?:e-?mail|sender|source|message) | don.t\ often\ get\ email
        | \b(?:do\ not|don.t|never)\ (?:click|open|reply).*\b(?:links?|attachments?|sender)\b
        | \bunless\ you\ (?:recogni[sz]e|know|trust|verify)
        | \bexterne[rns]?\ (?:absender|e-?mail|nachricht|quelle) | von\ außerhalb
        | nicht\ (?:häufig|oft)\ .*e-?mail | (?:klicken|öffnen)\ sie\ (?:nicht|keine)
        | (?:expéditeur|e-?mail|courriel|message)\ externe | l.extérieur\ de
        | pas\ souvent\ .*(?:e-?mail|courriel) | ne\ cliquez | n.ouvrez
        | (?:remitente|correo|mensaje)\ extern | fuera\ de\ (?:la|su|tu|nuestra)\ (?:organiz|empresa)
        | no\ hagas?\ clic | no\ abr[ai]
        | zewnętrzn\w*\ (?:nadawc|wiadomoś|e-?mail) | spoza\ (?:twojej\ |naszej\ )?(?:organizacji|firmy)
        | nie\ (?:klikaj|otwieraj)
        | внешн\w*\ (?:отправител|письм|почт|адрес) | из-?за\ пределов | вне\ .*организации
        | не\ (?:переходите|нажимайте|открывайте)
        | 外部(?:の)?(?:メール|からの|送信者|ドメイン|邮件|郵件|发件人|寄件者) | 组织(?:以)?外
        | リンクを(?:クリック|開) | (?:请勿|不要)(?:点击|打开)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(
    r"""
        [\[(*<{]{1,3}\ ?(?:ext|extern\w*|outside|esterno|zewnętrzn\w*|внешн\w*|外部)\b
        [^\])>}]{0,40}[\])*>}]{1,3}:?\ ?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_note(line: str) -> bool:
    """Return whether a program wrote a line, such as "Sent from my phone"."""
    return bool(_NOTE_OF_PROGRAM.match(line) or _ARMOUR.fullmatch(line))


def is_warning(line: str) -> bool:
    """Return whether a gateway warns of an email from outside in a line."""
    return _WARNING.search(line) is not None


def without_tag(line: str) -> str:
    """Return a line without the tag of a gateway at its beginning, such as "[EXTERNAL]"."""
    tag = _TAG.match(line)
    return line[tag.end() :] if tag else line

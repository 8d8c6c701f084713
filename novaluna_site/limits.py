"""How often somebody may do something, in the form of allauth's rate limits."""


def account_limits(*, people: int, mails: int, guests: int) -> dict[str, str]:
    """Return the limits that are added to allauth's own.

    `people` may start within an hour at one IP address. `mails` and `guests` are the most of an hour in all.
    """
    return {
        # Forms of people who sign up, log in or mistype their password. Some need two to sign up.
        "signup": f"{2 * people}/h/ip",
        "login": f"{2 * people}/m/ip",
        "login_failed": f"{max(10, people // 2)}/m/ip,5/5m/key",
        # Attempts to log in to one account in a browser in which its user has logged in before.
        "login_failed_in_known_browser": "5/5m/key",
        # Emails about accounts, because people can enter addresses of others: to one person, for a password
        # of one address, from one IP address, from one account, and of each kind in all.
        "mail_recipient": "5/h/key,10/d/key",
        "mail_reset": "5/h/key,10/d/key",
        "mail_sender": f"{people}/h/ip",
        "mail_account": "10/h/user",
        **pot("mails_sign_up", mails, "ip"),
        **pot("mails_reset", mails, "ip"),
        **pot("mails_account", mails, "user"),
        **pot("mails_invitation", mails, "user"),
        # Invitations from one account, and to one address or from one account to one name.
        "invitation": "20/h/user,50/d/user",
        "invitation_recipient": "5/d/key",
        # Names that one guest, or a person who has to choose another one, takes.
        "rename": "3/d/user",
        # Searches for names, also by fields that offer some: one request for each letter or two.
        "names": f"{15 * people}/m/ip",
        # Files with all records of an account.
        "records": "10/h/user",
        # Files with everything about an account.
        "export": "3/d/user",
        # Tests of webhooks that one account sends.
        "webhook_test": "6/10m/user,40/d/user",
        # Codes by which a guest plays on in another browser: made by one, and entered from one IP address.
        # Nobody guesses one of a million billion within its quarter of an hour.
        "guest_code_made": "20/h/user",
        "guest_code": f"{3 * people}/h/ip",
        # New guests, from one IP address and in all.
        "guest": f"{people}/h/ip",
        **pot("guests", guests, "ip"),
    }


def pot(name: str, size: int, per: str) -> dict[str, str]:
    """Return the limits of a pot (`accounts/pots.py`): of its halves, and of what one takes of the second."""
    return {
        name: f"{size - size // 2}/h/key",
        f"{name}_reserve": f"{size // 2}/h/key",
        f"{name}_few": f"2/h/{per}",
    }

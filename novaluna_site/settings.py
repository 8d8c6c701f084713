"""Settings, read from environment variables. The defaults run the site in one process, on SQLite.

docs/deployment.md lists every variable.
"""

import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured

from novaluna_site import data_folder, limits, login_provider, logs, task_queues

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# `make install-production` makes this file. Without the environment, a command would use a new SQLite file.
if (Path(sys.prefix) / "production").exists() and not env.str("DATABASE_URL", default=""):
    raise ImproperlyConfigured(
        "This checkout is deployed, but DATABASE_URL is not set. "
        "Use deploy/manage, which loads /etc/novaluna.env."
    )

# All files that the embedded site writes: database, secret key, emails, collected static files.
DATA_DIR = data_folder.prepare(Path(env.str("NOVALUNA_DATA", default=str(BASE_DIR / "var"))).absolute())
# The compiled code of the bots' search. It reads this variable, because it knows no settings.
os.environ["NOVALUNA_COMPILED"] = env.str("NOVALUNA_COMPILED", default=str(DATA_DIR / "compiled"))
# Where `deploy/backup` stores backups, and `manage.py doctor` looks for the latest one.
BACKUPS_DIR = Path(env.str("NOVALUNA_BACKUPS", default=str(DATA_DIR / "backups")))
# Commands that encrypt and decrypt backups from standard input to standard output.
BACKUP_ENCRYPT = env.str("NOVALUNA_BACKUP_ENCRYPT", default="")
BACKUP_DECRYPT = env.str("NOVALUNA_BACKUP_DECRYPT", default="")
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or data_folder.own_secret_key(DATA_DIR)
# Earlier keys. What they have signed stays valid.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# The name of the site in pages, emails and feeds.
SITE_NAME = env.str("SITE_NAME", default="Nova Luna")
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_FAILURE_VIEW = "novaluna_site.stale_pages.csrf_failure"
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "accounts",
    "games",
    "games.novaluna",
    "games.lunar",
    "novaluna_site",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "accounts.admin_config.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "novaluna_site.health.requests.count_requests",
    "novaluna_site.request_ids.name_requests",
    "novaluna_site.default_headers.default_headers",
    "novaluna_site.health.probes.answer_probes",
    "django.middleware.security.SecurityMiddleware",
    "novaluna_site.static_files.static_files",
    "novaluna_site.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "novaluna_site.htmx_errors.htmx_errors",
    "novaluna_site.session_cookies.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "novaluna_site.long_bodies.long_bodies",
    "novaluna_site.malformed_input.malformed_input",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "novaluna_site.stale_pages.SamePersonMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "accounts.middleware.ZoneMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.middleware.LogInStepsMiddleware",
    "games.views.moderation.suspension.SuspensionMiddleware",
    "accounts.middleware.SecondFactorMiddleware",
    "accounts.middleware.VisitMiddleware",
    "accounts.middleware.WrongInputMiddleware",
    "games.views.errors.RetryAfterMiddleware",
    "games.views.errors.GameErrorsMiddleware",
    "novaluna_site.storage_errors.StorageErrorsMiddleware",
]

# Bytes in the body of a request. The longest form has a few hundred, and no page takes files.
DATA_UPLOAD_MAX_MEMORY_SIZE = 100_000

ROOT_URLCONF = "novaluna_site.urls"
ASGI_APPLICATION = "novaluna_site.asgi.application"
WSGI_APPLICATION = "novaluna_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "novaluna_site.extends_tag",
                "novaluna_site.site_name_tag",
                "novaluna_site.url_tag",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "novaluna_site.context.site",
                "games.context_processors.turns",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
try:
    DATABASES = {
        "default": env.db_url("DATABASE_URL")
        if env.str("DATABASE_URL", default="")
        # Not a URL, because a folder's name may contain characters that a URL would have to escape.
        else {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / data_folder.DATABASE}
    }
except ValueError:  # It shows a part of the password.
    raise ImproperlyConfigured(
        "DATABASE_URL cannot be read. In its password, / must be %2F and ? must be %3F."
    ) from None
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Each transaction takes the write lock at BEGIN. Otherwise, if two transactions both read and then
    # write, one of them fails.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"].update(CONN_MAX_AGE=env.int("CONN_MAX_AGE", default=60), CONN_HEALTH_CHECKS=True)
    # Seconds and milliseconds after which a server that does not answer counts as away. DATABASE_URL can have
    # others.
    timeouts = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
    # Each connection prepares the statements that it runs often, because PostgreSQL takes longer to plan most
    # of them than to run them.
    prepared = {"server_side_binding": True, "prepare_threshold": 5}
    DATABASES["default"]["OPTIONS"] = (
        timeouts | prepared | dict(env.db_url("DATABASE_URL").get("OPTIONS", {}))
    )

# Whether a web process shows pages. The unit for streams does not, and the site is down without the others.
SERVES_PAGES = env.bool("NOVALUNA_SERVES_PAGES", default=True)

# Redis holds only data that can be lost: the queues, the live updates for open pages, and the rate limits.
REDIS_URL = env.str("REDIS_URL", default="")
# Where the processes of this machine count for Prometheus; a site of one process counts in its memory.
METRICS_DIR = DATA_DIR / "metrics" if REDIS_URL else None
# The longest wait of a request that sends something to Redis. If Redis hangs, the sweep finds the work.
REDIS_SEND_TIMEOUT = 0.2  # seconds
# The most streams of open pages in one process, and from one IP address. Other pages poll.
STREAMS_MAX = env.int("STREAMS_MAX", default=5000)
STREAMS_PER_ADDRESS = env.int("STREAMS_PER_ADDRESS", default=100)
# Seconds between two signs of life in a stream. Pages derive from it when a stream is dead and when to poll.
STREAMS_BEAT = env.float("STREAMS_BEAT", default=20)
CACHES = {
    # Rate limits count here. A flood of requests must not push out the counters of log-ins; in memory, 20,000
    # counters take about 10 MB.
    "default": {
        "BACKEND": f"novaluna_site.counters.{'Shared' if REDIS_URL else 'Local'}Counters",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "counters",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # The preview pictures of games, up to 200 kB each, and smaller ones in lists and turn emails. After an
    # update, old drawings expire within a week; `pruning.pictures` removes their files.
    "previews": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "previews",
        "TIMEOUT": 7 * 24 * 60 * 60,
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        # Without the copies of unfinished tasks that kombu keeps in Redis. If one could not be deleted while
        # Redis hung, its task would count as unfinished for ever, and the worker would fetch no more tasks.
        # What a killed worker loses is found by the sweep, which needs no copies.
        "ack_emulation": False,
        "socket_connect_timeout": 1,
        "socket_timeout": 5,
        "max_retries": 1,
        "interval_start": 0,
    }
    if REDIS_URL
    else {"polling_interval": 0.1}
)
# Options of the connections that queue tasks.
QUEUEING_OPTIONS = {
    "socket_connect_timeout": REDIS_SEND_TIMEOUT,
    "socket_timeout": REDIS_SEND_TIMEOUT,
    "max_retries": 0,
}
CELERY_TASK_IGNORE_RESULT = True
# A process fetches one task at a time, so that no turn waits behind a long one while another process is free.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Seconds until a task counts as failed if its process died. It is short, because people wait for bots.
CELERY_WORKER_LOST_WAIT = 1.0
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = task_queues.ROUTES
CELERY_BEAT_SCHEDULER = "novaluna_site.beat:PersistentScheduler"
CELERY_BEAT_SCHEDULE = task_queues.SCHEDULE
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

# Seconds between an action and a bot's next one while a person has the game open, so that they can follow it.
BOT_PAUSE = env.float("NOVALUNA_BOT_PAUSE", default=1.2)

# Without a mail server, emails go to a folder and a page lists them. They include password resets, so this
# works on loopback only.
MAILBOX_DIR: Path | None
if env.str("EMAIL_URL", default=""):
    globals().update(env.email_url("EMAIL_URL"))
    MAILBOX_DIR = None
elif urlsplit(SITE_URL).hostname not in ("127.0.0.1", "localhost", "::1"):
    raise ImproperlyConfigured(
        f"{SITE_URL} needs a mail server: set EMAIL_URL, for example to smtp://user:password@host:587."
    )
else:
    EMAIL_BACKEND = "novaluna_site.mailbox.EmailBackend"
    MAILBOX_DIR = DATA_DIR / data_folder.MAILS
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Nova Luna <nova-luna@localhost>")

# Replies to turn emails go to this address, with a token: reply+token@nova-luna.example. Without it, nobody
# can play by reply.
REPLY_ADDRESS = env.str("NOVALUNA_REPLY_ADDRESS", default="")
# Whether reports about emails that could not be delivered go there too, as the envelope sender says. Some
# relays accept only the address of the account as the envelope sender.
RETURN_PATHS = env.bool("NOVALUNA_RETURN_PATHS", default=True)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.passwords.Backend"]
# A password that has an older hash gets a new one at the next log-in.
PASSWORD_HASHERS = ["accounts.passwords.Hasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "games:home"
LOGIN_URL = "account_login"
# Rate limits count requests by IP address, which a proxy sends in X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)

MAILS_PER_HOUR = env.int("NOVALUNA_MAILS_PER_HOUR", default=300)
# Those who may start within an hour at one IP address, such as a class: guests, and people who sign up.
PEOPLE_PER_ADDRESS = env.int("NOVALUNA_PEOPLE_PER_ADDRESS", default=40)
ACCOUNT_RATE_LIMITS = limits.account_limits(
    people=PEOPLE_PER_ADDRESS,
    mails=MAILS_PER_HOUR,
    guests=env.int("NOVALUNA_GUESTS_PER_HOUR", default=1000),
)
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "request_login_code": "accounts.forms.AskForCodeForm",
    "reset_password": "accounts.forms.AskForResetForm",
}
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
# A new password must work even while strangers' wrong ones keep the account locked.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Guests may open the pages to log in and to sign up; `accounts.views.MembersLeave` redirects other users.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
# In seconds. Some mail servers deliver the first email of a sender only after minutes.
ACCOUNT_LOGIN_BY_CODE_ENABLED, ACCOUNT_LOGIN_BY_CODE_TIMEOUT = True, 15 * 60
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
# People can play immediately; they get emails about their games when they have confirmed their address.
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Sign-ups with the address of another account go on too, and its owner gets an email.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USERNAME_VALIDATORS = "accounts.usernames.validators"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
# Adding, removing and changing the main address. Pages of the site that do more ask too.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_LOGOUT_REDIRECT_URL = "games:home"

USERSESSIONS_ADAPTER = "accounts.ended_sessions.Adapter"
MFA_ADAPTER = "accounts.second_factors.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# In half minutes, before and after: phones can have a wrong clock, and typing takes time (RFC 6238, 5.2).
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "accounts.code_forms.AuthenticateForm",
    "reauthenticate": "accounts.code_forms.ReauthenticateForm",
    "add_webauthn": "accounts.passkey_forms.AddForm",
    "edit_webauthn": "accounts.passkey_forms.EditForm",
    "authenticate_webauthn": "accounts.passkey_forms.AuthenticateForm",
    "login_webauthn": "accounts.passkey_forms.LoginForm",
    "reauthenticate_webauthn": "accounts.passkey_forms.ReauthenticateForm",
}
# Whoever confirms an address takes it from accounts that have not, so a stranger's second factor keeps nobody
# from their own address.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# In seconds. A person with many games gets one email about the turns that begin within this time.
TURN_MAILS_WAIT = env.int("NOVALUNA_TURN_MAILS_WAIT", default=120)

# Signs push messages. `manage.py make_push_keys` makes one; without it there are no push messages.
PUSH_KEY = env.str("NOVALUNA_PUSH_KEY", default="")
# Whether webhooks and push endpoints may be on this machine, also by plain http. Only for tests.
OUTGOING_TO_LOOPBACK = env.bool("NOVALUNA_OUTGOING_TO_LOOPBACK", default=False)

LANGUAGE_CODE = "en"
# The footer's buttons show these names, so each is in the language that it names.
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "novaluna_site.formats"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
# The pseudo-locale (`make pseudo`) shows texts that are not marked for translation or do not fit.
if PSEUDO_LOCALE := env.str("NOVALUNA_PSEUDO_LOCALE", default=""):
    LANGUAGES.append(("en-xa", "⟦Ééñĝļîîšĥ⟧"))
    LOCALE_PATHS.append(Path(PSEUDO_LOCALE))
TIME_ZONE = "UTC"

STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "novaluna_site.bundles.BundleFinder",
]
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
# Compression takes ten seconds at the first start and saves nothing on loopback.
COMPRESS_STATIC = env.bool("COMPRESS_STATIC", default=bool(REDIS_URL))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
        if COMPRESS_STATIC
        else "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "style-src": [SELF],
        # Templates write positions on the board into style attributes (`--x:2`), which cannot run code.
        "style-src-attr": [UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
if SITE_URL.startswith("https://"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=60 * 60 * 24 * 30)
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
# HSTS for subdomains (W005) and preloading (W021) are the owner's choice.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LOGGING = logs.config(
    env.str("NOVALUNA_LOG_FORMAT", default="plain"), env.str("LOG_LEVEL", default="WARNING")
)
# Servers for reports of errors and for traces. Nothing that names a person goes there.
SENTRY_DSN = env.str("SENTRY_DSN", default="")
TRACES_TO = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")

# The server at which people can log in too.
LOGIN_PROVIDER = login_provider.provider_of(env)
if LOGIN_PROVIDER:
    INSTALLED_APPS += login_provider.APPS
    globals().update(login_provider.settings_of(LOGIN_PROVIDER))
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"] += LOGIN_PROVIDER.origins

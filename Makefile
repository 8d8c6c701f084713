# The README explains the two most important commands, `make play` and `make test`.

PYTHON ?= python3
PORT ?=
PUBLIC ?=
BIN := .venv/bin

# Python must store its bytecode, even if the environment forbids it. The site and its tests start many processes,
# and with stored bytecode each starts in a third of the time.
unexport PYTHONDONTWRITEBYTECODE

# The pip of the chosen Python installs uv, if it has one: to install pip first takes several seconds.
INSTALL_UV := install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
UV := VIRTUAL_ENV=.venv $(BIN)/uv pip

# The lock files are for every platform and for Python 3.11 or newer. They have only names, versions and hashes.
LOCK := $(UV) compile --quiet --universal --generate-hashes --no-header --python-version 3.11

.PHONY: help install install-dev install-production install-reports install-social play pseudo check test test-beside test-faults test-sqlite test-others test-all screenshots lint sbom audit format bench lock

help:
	@echo "make play     serve the site on this machine (PORT=8123 to choose a port)"
	@echo "make play PUBLIC=luna.example  the same for a handful of people, behind a proxy (docs/deployment.md)"
	@echo "make check    lint, and run the quick tests, without those that start a browser, servers or other programs"
	@echo "make test     run the suite"
	@echo "make test-all  run the suite, and play a whole game in each way (mouse, keyboard …)"
	@echo "make screenshots  take pictures of every page in every state"
	@echo "make lint     format check, lint, types, templates, migrations, system check, locks"
	@echo "make format   format code and templates"
	@echo "make bench    measure the speed of everything, and compare it with the goals"
	@echo "make pseudo   serve the site with the pseudo-locale, which shows texts that are unmarked or too long"
	@echo "make sbom     print a bill of materials of production"
	@echo "make audit DATABASE=all.zip  look for known vulnerabilities of packages in a file of osv.dev"
	@echo "make lock     renew the lock files from pyproject.toml"

install: .venv/base
	@$(BIN)/python manage.py compile_bots

install-dev: .venv/dev

.venv/base: requirements/base.txt requirements/uv.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "Python 3.11 or newer is needed. Choose one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || \
		{ echo "This Python cannot make environments: install its venv package (Debian: apt install python3-venv)."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv --without-pip .venv
	$(PYTHON) -m pip --python $(BIN)/python $(INSTALL_UV) 2>/dev/null || \
		{ $(BIN)/python -m ensurepip >/dev/null && $(BIN)/python -m pip $(INSTALL_UV); }
	$(UV) $(if $(wildcard .venv/dev),install -r,sync) requirements/base.txt --quiet --require-hashes
	@touch $@

# This also has all packages of the base, so that `make play` has nothing to install after `make test`.
.venv/dev: .venv/base requirements/dev.txt
	$(UV) sync requirements/dev.txt --quiet --require-hashes
	@touch $@

# Compiles the bytecode now. The user that runs the site cannot write here, so it would compile it at every start.
# The marker makes manage.py refuse to run without the environment of the site.
install-production: .venv/base
	@case "$$($(BIN)/python -c 'import sys; print(sys.base_prefix)')/" in /root/*|/home/*) \
		echo "The site's user cannot run this Python, because it is in a home directory. Choose another:"; \
		echo "rm -r .venv && make install-production PYTHON=/usr/bin/python3"; exit 1;; esac
	$(UV) sync $(patsubst %,requirements/%.txt,production $(notdir $(wildcard .venv/reports .venv/social))) --quiet --require-hashes --compile-bytecode
	$(BIN)/python -m compileall -q accounts games novaluna_site
	@touch .venv/production

# The same with packages that report errors and traces, or with those that log in at another server. Later runs of
# install-production keep them.
install-reports install-social: .venv/base
	@touch .venv/$(@:install-%=%)
	@$(MAKE) --no-print-directory install-production

# PUBLIC=luna.example serves people on the internet too, behind a proxy on this machine that has the certificate.
play: .venv/base
	@$(if $(PUBLIC),SITE_URL=https://$(PUBLIC) ALLOWED_HOSTS=$(PUBLIC) CSRF_TRUSTED_ORIGINS=https://$(PUBLIC) TRUSTED_PROXIES=1) \
		$(BIN)/python manage.py serve $(if $(PORT),--port $(PORT))

pseudo: install-dev
	@$(BIN)/python -m tests.pseudo_locale var/pseudo-locale
	@NOVALUNA_PSEUDO_LOCALE=var/pseudo-locale $(BIN)/python manage.py serve $(if $(PORT),--port $(PORT))

# There is one pytest process more than processors, because each often waits for its browser or a server. One that
# has no tests left takes half of another's remaining tests, so all end together. Most files stay on one process,
# which starts their browser and servers once.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# For daily work. It leaves out tests that take seconds, and the folders whose tests start programs or a browser.
check: lint
	@$(BIN)/python manage.py compile_bots
	$(PYTEST) -q -m "not whole and not slow" --hypothesis-profile=quick accounts games novaluna_site \
		tests/novaluna tests/clocks tests/games tests/accounts tests/site

# Two runs are beside the other tests, one after the other, each in one process.
test: install-dev
	@$(BIN)/python manage.py compile_bots
	@$(MAKE) --no-print-directory --jobs 2 test-beside test-others

test-beside:
	@$(MAKE) --no-print-directory test-faults
	@$(MAKE) --no-print-directory test-sqlite

# The fault tests kill Celery workers, and the workers of other tests must not take their tasks, so they have a
# test run of their own. They wait most of the time.
test-faults:
	$(BIN)/python -m pytest -q tests/faults

# What every database does alike (pages, forms, mails, languages) is tested on PostgreSQL only, and
# tests/operations serves the whole site on SQLite.
test-sqlite:
	NOVALUNA_TEST_DB=sqlite $(BIN)/python -m pytest -q -m "databases and not whole" \
		$$(git grep -l pytest.mark.databases tests)

test-others:
	$(PYTEST) --ignore=tests/faults -m "not whole"

# Also plays a whole game in each way: by mouse, touch or keyboard, without JavaScript, in text mode and so on.
# FUZZ=500 sends each form 500 times with strange values, which takes about half an hour of processor time.
test-all: test
	$(if $(FUZZ),NOVALUNA_FUZZ=$(FUZZ)) $(PYTEST) -m whole

lint: install-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python .ci/rooms.py --check
	$(BIN)/python .ci/names.py
	$(BIN)/python .ci/template_lines.py
	git ls-files -z -- '*templates/*.html' | xargs -0 $(BIN)/djade --check --target-version 5.2
	$(BIN)/python manage.py makemigrations --check --dry-run
	set -a && . deploy/novaluna.env.example && \
		NOVALUNA_DATA=var $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python .ci/locks.py
	$(BIN)/python .ci/supply.py licences

# A bill of materials (CycloneDX) of everything that can run in production.
sbom: install-dev
	@$(BIN)/python .ci/supply.py sbom

# DATABASE is all.zip of PyPI from osv.dev, or a folder with its files.
audit: install-dev
	$(BIN)/python .ci/supply.py vulnerabilities $(DATABASE)

format: install-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	git ls-files -z -- '*templates/*.html' | xargs -0 $(BIN)/djade --target-version 5.2

# ONLY=game SIZES="390 1440" THEMES=dark makes it take fewer screenshots.
screenshots: install-dev
	$(BIN)/python -m pytest -q -n 2 tests/browser/screenshots.py
	@echo "Look at screenshots/index.html"

bench: install-dev
	$(BIN)/python -m bench

lock: .venv/base
	$(LOCK) requirements/uv.in --output-file requirements/uv.txt
	$(LOCK) pyproject.toml --output-file requirements/base.txt
	$(LOCK) pyproject.toml --constraint requirements/base.txt --extra production --output-file requirements/production.txt
	$(LOCK) pyproject.toml --constraint requirements/base.txt --extra production --extra reports --output-file requirements/reports.txt
	$(LOCK) pyproject.toml --constraint requirements/reports.txt --extra production --extra social --output-file requirements/social.txt
	$(LOCK) pyproject.toml --constraint requirements/reports.txt --constraint requirements/social.txt \
		--extra production --extra reports --extra social --extra dev --output-file requirements/dev.txt

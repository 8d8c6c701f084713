# `make play` and `make test` are the two commands to know; the README tells of both.

PYTHON ?= python3
PORT ?=
BIN := .venv/bin

# Compiled for every platform and Python from 3.11 on: names, versions and hashes, nothing else.
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml

.PHONY: help install install-dev play test test-all lint format bench lock

help:
	@echo "make play     serve the site on this machine (PORT=8123 to choose a port)"
	@echo "make test     run the whole suite"
	@echo "make lint     format check, lint, types, templates, migrations, system check"
	@echo "make format   format code and templates"
	@echo "make bench    measure the engine and the site"
	@echo "make lock     renew the lock files from pyproject.toml"

install: .venv/base

install-dev: .venv/dev

.venv/base: requirements/base.txt requirements/uv.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "Python 3.11 or newer is needed. Choose one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || \
		{ echo "This Python cannot make environments: install its venv package (Debian: apt install python3-venv)."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --require-hashes -r requirements/base.txt
	@touch $@

.venv/dev: .venv/base requirements/dev.txt
	VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

play: install
	@$(BIN)/python manage.py serve $(if $(PORT),--port $(PORT))

test: install-dev
	$(BIN)/python -m pytest -n 2
	NOVALUNA_TEST_DB=sqlite $(BIN)/python -m pytest -n 2 tests/games tests/accounts tests/site tests/concurrency

test-all: test

lint: install-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	git ls-files -z -- 'templates/*.html' | xargs -0 $(BIN)/djade --check --target-version 5.2
	$(BIN)/python manage.py makemigrations --check --dry-run
	SITE_URL=https://nova-luna.example EMAIL_URL=smtp://localhost SECRET_KEY=$$($(BIN)/python -c "import secrets; print(secrets.token_urlsafe(50))") \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

format: install-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	git ls-files -z -- 'templates/*.html' | xargs -0 $(BIN)/djade --target-version 5.2

bench: install-dev
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.site

lock: .venv/base
	$(LOCK) --output-file requirements/base.txt
	$(LOCK) --constraint requirements/base.txt --extra production --output-file requirements/production.txt
	$(LOCK) --constraint requirements/base.txt --extra production --extra dev --output-file requirements/dev.txt

"""The conformance suite: checks by random games that the rules of a title keep the contract.

`suite.py` has the entry, each other module the checks of one subject. It needs no Django, no database and no
test runner, so that any author of a title can run it.
"""

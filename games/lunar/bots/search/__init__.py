"""The search of LUNAR's bots: fast rules, a policy that plays by them, guesses of hidden cards, a tree."""

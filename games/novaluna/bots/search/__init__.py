"""The search of the stronger bots: fast rules, a policy that plays by them, a tree and a beam search."""

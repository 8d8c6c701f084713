"""The search of the stronger bots: a fast core, a policy that plays whole games on it, and trees above."""

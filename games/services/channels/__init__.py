"""Where push messages and webhooks of a person go."""

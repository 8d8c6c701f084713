"""Actions and plans of LUNAR as lines of emails: `pass 2 7 owl wolf*`, `flip bat`, `play 7`, `sky owl`."""

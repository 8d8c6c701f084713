"""What pages, emails and lists of every title show, in words."""

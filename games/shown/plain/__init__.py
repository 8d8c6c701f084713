"""The plain page: pages, emails and replies of a title that has only rules and words."""

"""How the site does: probes for machines, and checks in plain words for its host."""

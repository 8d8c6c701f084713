"""What pages may send."""

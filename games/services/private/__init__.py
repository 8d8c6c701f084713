"""What a person keeps to themselves: notes and lines, hidden parts of a profile, and whom they follow."""

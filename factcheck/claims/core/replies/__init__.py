"""What a character says, held against canon clause by clause."""

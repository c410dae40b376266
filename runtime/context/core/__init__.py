"""What a pack is made of: pure Python."""

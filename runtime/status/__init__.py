"""What an installation is and how it does."""

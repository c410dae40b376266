"""What labels decide: breakers, odds of reviews, trust in confidence."""

"""What tests make: plain functions over the real actions, one module a subject."""

"""What REST operations are declared with: parameters, bodies, shapes of answers, problems, and their OpenAPI."""

"""What every REST route of the service stands on: who calls, how often, in which world, with which parameters."""

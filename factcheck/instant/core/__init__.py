"""What a message says about its author: instant facts and corrections by patterns; pure Python over RE2."""

"""Two versions of a prompt, asked about the same messages: what each proposes, what the gate says, what it costs."""

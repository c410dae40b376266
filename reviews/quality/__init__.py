"""Whether the second stage can be trusted: figures of labels, breakers and rates, and the page that shows them."""

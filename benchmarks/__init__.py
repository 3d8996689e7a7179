"""Speed, size and soak figures; `make bench NAME=...` runs one, `make verify` all of them."""

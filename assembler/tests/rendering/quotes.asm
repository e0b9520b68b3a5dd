LDI "abc ; never closed
LDI '
LDI (1 + (2 * 3)
.title "a\tb"

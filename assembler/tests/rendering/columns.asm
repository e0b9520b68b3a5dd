	LDI	256	; tabs
x: LDI "é→" + nowhere ; wide 漢字
LDI 1 +

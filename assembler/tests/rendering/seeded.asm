; Five mistakes, five errors, two suggestions.
total = 5
.macro load n
        LDI n
.endmacro
start:
        LDU total
        JMP strat
        LD  8192
        load 256
        LDI (total + 1

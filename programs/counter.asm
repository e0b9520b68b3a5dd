; A counter: the first program to read. The eight green LEDs of each row show a byte in binary,
; bit 0 on the left. Row 0 counts the loops; each row below counts the overflows of the row above.
; The program never ends.

.title "A 64-bit counter in green LEDs"
.include "lib/panel.asm"
.include "lib/std.asm"

.var one                        ; there is no immediate ADD: 1 must be in memory

.legend green, "1"
.legend dark, "0"

        set  one, 1
        LDI  0
.repeat 8, row                  ; the contents of memory are undefined at power-up
        ST   GREEN + row
        ST   GREEN + 8 + row    ; the red LEDs follow the green ones
.endrepeat

count:
.repeat 8, row
        LD   GREEN + row        ; LEDs are memory: a program can read what they show
        ADD  one
        ST   GREEN + row
        JC   @carry             ; FF + 1: continue with the next row
        JMP  count
@carry:
.endrepeat
        JMP  count

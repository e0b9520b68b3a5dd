; A counter: the first program to read. The eight green LEDs of each row show a byte in binary,
; bit 0 on the left; row 0 counts every turn, each row below counts when the row above overflows.
; It never ends.

.title "A 64-bit counter in green LEDs"
.include "lib/panel.asm"
.include "lib/std.asm"

.var one                        ; there is no immediate ADD: the 1 has to be somewhere

        set  one, 1
        LDI  0
.repeat 8, row                  ; memory may hold anything at power-up
        ST   GREEN + row
        ST   GREEN + 8 + row    ; the red LEDs stand right behind the green ones
.endrepeat

count:
.repeat 8, row
        LD   GREEN + row        ; LEDs are memory: a program can read what they show
        ADD  one
        ST   GREEN + row
        JC   @carry             ; FF + 1: on to the next row
        JMP  count
@carry:
.endrepeat
        JMP  count

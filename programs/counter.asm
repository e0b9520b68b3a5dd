; A counter: the first program to read. The eight green LEDs of each row show a byte in binary,
; bit 0 on the left. Row 0 counts the loops; each row below counts the overflows of the row above.
; The program never ends.

.title "A 64-bit counter in green LEDs"
.include "lib/panel.asm"
.include "lib/std.asm"

.legend green, "1"
.legend dark, "0"

.pool                           ; the constant of ADD #1: it adds a byte of memory

;; Start at 0.
.why dark, "the count starts at 0, and no carry has reached {square} yet"
        LDI  0
.repeat 8, row                  ; the contents of memory are undefined at power-up
        ST   GREEN + row
        ST   GREEN + 8 + row    ; the red LEDs follow the green ones
.endrepeat

;; Add 1. A row that overflows counts up the row below.
.why green, "this bit of the count is 1; it changed at the last carry into it"
.why dark, "this bit of the count is 0; it changed at the last carry into it"
count:
.repeat 8, row
        LD   GREEN + row        ; LEDs are memory: a program can read what they show
        ADD  #1
        ST   GREEN + row
        JC   @carry             ; FF + 1: continue with the next row
        JMP  count
@carry:
.endrepeat
        JMP  count

; A text that scrolls over the LEDs from right to left, for ever.
;
; A letter is a number of five bytes, one byte per column from left to right, its top in bit 0. The
; machine never sees these numbers: for each column of the text the assembler generates code that
; moves the display one column to the left and lights the new column. A letter takes about 170
; instructions; with more program memory the text could be longer.

.title "A text that scrolls over the LEDs"
.include "lib/panel.asm"
.include "lib/std.asm"

.legend green, "text"
.legend dark, "background"

; ---- The letters, five columns wide and seven rows high. `font{'A'}` is called font65.

font{' '} = 0x00_00_00_00_00
font{'-'} = 0x08_08_08_08_08
font{'1'} = 0x00_42_7f_40_00
font{'A'} = 0x7e_11_11_11_7e
font{'C'} = 0x3e_41_41_41_22
font{'E'} = 0x7f_49_49_49_41
font{'F'} = 0x7f_09_09_09_01
font{'G'} = 0x3e_41_49_49_7a
font{'H'} = 0x7f_08_08_08_7f
font{'I'} = 0x00_41_7f_41_00
font{'M'} = 0x7f_02_0c_02_7f
font{'O'} = 0x3e_41_41_41_3e
font{'P'} = 0x7f_09_09_09_06
font{'R'} = 0x7f_09_19_29_46
font{'S'} = 0x46_49_49_49_31
font{'U'} = 0x3f_40_40_40_3f
font{'Y'} = 0x07_08_70_08_07

; Moves the display by one column and shows these bits at its right edge. 24 to 32 instructions.
.macro scroll bits
  .repeat 8, r
        halve GREEN + r         ; bit 0 is the leftmost
    .if bits >> r & 1
        ADD  #0x80
    .endif
        ST   GREEN + r
  .endrepeat
.endmacro

.macro letter code
  .repeat 5, column
        scroll font{code} >> 8 * (4 - column) & 0xff
  .endrepeat
        scroll 0
.endmacro

.pool
;; Start with a dark display.
.why dark, "the display starts dark, and no point of the text has come to {square} yet"
        LDI  0
.repeat 8, r
        ST   GREEN + r
        ST   RED + r
.endrepeat

;; Move the text one column to the left, and show the next column.
.why green, "{square} is a part of a letter, which came in at the right edge"
.why dark, "the text has no point on {square}; it moves one column to the left at a time"
turn:
.repeat len("GRAY-1 A CPU OF MEMORY CHIPS "), i
        letter char("GRAY-1 A CPU OF MEMORY CHIPS ", i)
.endrepeat
        JMP  turn

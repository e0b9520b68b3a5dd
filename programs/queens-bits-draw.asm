; Eight queens by bit-parallel descent, with a drawing of every board: a line a row, a letter a
; square, `.` for an empty one and `Q` for a queen; an empty line between two boards.
;
; The search is that of queens-bits.asm, which explains it. It takes the highest bit first. To have
; the boards in ascending order, from queens on the left to queens on the right, the highest bit has
; to be the leftmost column: so here the sets are mirror images of what the LEDs show, and the
; columns still to be tried cannot be LEDs themselves. The red LEDs show the queens; drawing reads
; them.
;
; The cost. 58,000 instructions to search as there, and 480 a board to draw it.

.title "Eight queens by bit-parallel descent, drawn"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/constants.asm"

mirror  = 7

.var untried, 8
.var row                        ; what is left to draw of a row
.var drawn                      ; 0 until a board was drawn

        set  drawn, 0
.include "lib/bit-search.asm"

; Seven queens stand, and the eighth has a place.
pick7:
        pick 7, 1, 0, 7         ; comes to `full` when she stands

full:   bz   drawn, @first
        set  MAILBOX, '\n'
@first: set  drawn, 1

.repeat 8, r
        copy RED + r, row
  .repeat 8
        halve row
        ST   row
        JC   @queen
        LDI  '.'
        JMP  @put
@queen: LDI  'Q'
@put:   ST   MAILBOX
  .endrepeat
        set  MAILBOX, '\n'
.endrepeat

        set  RED + 7, 0
        JMP  next6

finished:
        HALT

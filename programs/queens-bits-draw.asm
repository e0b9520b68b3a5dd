; Eight queens by bit-parallel descent, with a drawing of every arrangement: one line per row, one
; character per square, `.` for an empty one and `Q` for a queen; an empty line between two
; drawings.
;
; queens-bits.asm explains the search, which takes the highest bit first. To print the arrangements
; in ascending order, from queens on the left to queens on the right, the highest bit has to be the
; leftmost column. So the sets here are mirror images of the LEDs, and the columns still to be tried
; cannot be LEDs themselves. The red LEDs show the queens, and the drawing routine reads them.
;
; The cost. 58,000 instructions for the search, and 480 for each drawing.

.title "Eight queens by bit-parallel descent, drawn"
.include "lib/panel.asm"
.include "lib/std.asm"

mirror  = 7

.var untried, 8
.var row                        ; the part of a row that is still to be drawn
.var drawn                      ; 0 until an arrangement was drawn

.legend red, "queen"
.legend dark, "empty"
.count red, "queens set"
.result "solution"

        set  drawn, 0
.include "lib/bit-search.asm"

; Seven queens are placed, and there is a square for the eighth.
;; Found: draw the arrangement.
.why dark, "the eighth queen has left {square}, as the search goes on", was = "red"
.why dark, "when this row was last searched, the queen in {above red} attacked this square, {direction red}"
pick7:
        pick 7, 1, 0, 7         ; continues at `full` when she is placed

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

;; The search is complete.
finished:
        HALT

; Eight queens by bit-parallel descent: the fast one.
;
; The idea. The squares of a row that the queens above attack fit into three bytes with one bit per
; column: those attacked straight down, down to one side, and down to the other. From one row to the
; next the first set stays, the second moves by one place, and the third by one place the other way.
; A queen can stand on the squares that are in none of the three. The search takes one of them, puts
; the others aside and goes down a row; where no square is left it returns to those put aside.
;
; The origin. Programmers solve the puzzle like this on any machine that has shifts; one published
; program does it with AVX registers and finds the 92 arrangements in 11.2 microseconds.
;
; The layout. Row n has a byte in each of these tables, so nothing is ever pushed or popped: to go
; down a row, the program continues in the code of that row.
;   columns, lower, higher   the squares that no queen above attacks: the complements of the three
;                            sets, which suit NAND
;   untried                  the columns that were put aside: the green LEDs themselves
; The queens are stored in the red LEDs only. There is a piece of code for each row and column, so
; the position of its queen and the constants for her column are known to the assembler.
;
; The cost. 57,712 instructions for the 92, of which 2,056 placed queens take 28 each, about:
;     6.5  picking a column: three comparisons (ADD, JC) find the highest of eight bits; in half of
;          the cases one more ADD makes up for a comparison that failed
;     1    putting the others aside
;     3    columns: load, take out a bit, store
;     4+4  lower, higher: the same with a shift
;     4    the squares for the next queen, and whether there are any
;     3    on the way back: was a square put aside?
;     3    the red LEDs: the queen appears, and mostly disappears on the way back
; Can an instruction be saved? Only ADD and SHR set C, and only JC tests it: so a comparison takes
; two instructions, and eight columns take three comparisons. To change a byte takes a load, a
; change and a store; the change of `lower` and `higher` is a shift and a bit, two instructions.
; The squares for the next queen take three: an exhaustive search showed that no sequence of two
; instructions sets C if three bytes have a bit in common. So the algorithm could be better, but
; not its code. To look ahead into all rows, as queens.asm does, is another algorithm; to look
; ahead into one more row saves one queen in eight, and costs as much as it saves.
;
; Variations. The mirror image of an arrangement is an arrangement too: to start with half of row
; 0, by LDI 0x0f - 1 in the search, and to count each arrangement twice takes 28,918 instructions.
; Without the red LEDs the search takes 51,326.

.title "Eight queens by bit-parallel descent, the fastest"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"

untried = GREEN                 ; the squares put aside are shown in green at no cost
mirror  = 0

.var found                      ; the number of arrangements

.show found, "arrangements"
.legend red, "queen"
.legend green, "still to be tried"
.legend dark, "not to be tried"
.count red, "queens set"
.result "solution"

        set  found, 0
.include "lib/bit-search.asm"

; Seven queens are placed, and there is a square for the eighth: only one, as one column is left.
;; Found: a square is left for the eighth queen.
.why red, "the eighth queen is on {square}, the only one left: this is an arrangement"
.why dark, "the eighth queen has left {square}, as the search goes on", was = "red"
.why dark, "when this row was last searched, the queen in {above red} attacked this square, {direction red}"
pick7:  ADD  #1
        ST   RED + 7
        increment found
        set  RED + 7, 0
        JMP  next6

;; The search is complete.
finished:
        print_decimal found
        set  MAILBOX, '\n'
        HALT

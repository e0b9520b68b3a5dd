; Eight queens by bit-parallel descent: the fast one.
;
; The idea. Whatever the queens above attack in a row fits three bytes, a bit a column: what they
; attack straight down, down to one side and down to the other. From one row to the next the first
; set stays, the second moves by one place and the third by one place the other way; the squares
; where a queen can stand are what is in none of the three. One of them is taken, the others are put
; aside, the search goes down a row; where none is left it comes back up to what was put aside.
;
; The origin. It is the programmers' way to solve the puzzle, on any machine that has shifts; one
; published program does it with AVX registers and finds the 92 arrangements in 11.2 microseconds.
;
; The layout. Row n has a byte in each of these, so nothing is ever pushed or popped: going down a
; row is going on in the code of that row.
;   columns, lower, higher   where no queen above attacks the row: the complements of the three
;                            sets, as the machine's NAND likes them
;   untried                  the columns that were put aside: the green LEDs themselves
; The queens stand in the red LEDs only. The code knows where its queen stands: there is a stretch
; of it for each row and column, so every constant that the column asks for is at hand.
;
; The cost. 57,730 instructions for the 92, of which 2,056 placed queens take 28 each, about:
;     6.5  picking a column: three comparisons (ADD, JC) find the highest of eight bits; in half of
;          the cases one more ADD makes up for a comparison that failed
;     1    putting the others aside
;     3    columns: load, take out a bit, store
;     4+4  lower, higher: the same with a shift
;     4    the squares for the next queen, and whether there are any
;     3    later, coming back: is there anything put aside?
;     3    the red LEDs: she stands, and on most ways back she does not any more
; Why can the last instruction not go? Only ADD and SHR make a C, and only JC asks for it: so a
; comparison is two instructions, and eight columns are three comparisons. A byte that becomes
; another one is a load, a change and a store; the change of `lower` and `higher` is a shift and a
; bit, two instructions. Where the next queen can stand takes three: no sequence of two, of all that
; there are, says through C whether three bytes have a bit in common. So what could be better is the
; plan, not the code. To look ahead into all rows, as queens.asm does, is another plan; to look
; ahead into one row more spares one queen in eight and costs what it spares.
;
; Variations. An arrangement in the mirror is an arrangement: to start with half of row 0, by
; LDI 0x0f - 1 in the search, and count each one twice takes 28,936 instructions. And in the dark,
; without the red LEDs, it takes 51,344.

.title "Eight queens by bit-parallel descent, the fastest"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/constants.asm"
.include "lib/print.asm"

untried = GREEN                 ; what the search puts aside is seen in green, free of charge
mirror  = 0

.var found                      ; how many arrangements

        set  found, 0
.include "lib/bit-search.asm"

; Seven queens stand, the eighth has a place. There is one column left, so there is one place.
pick7:  ADD  one
        ST   RED + 7
        increment found
        set  RED + 7, 0
        JMP  next6

finished:
        print_decimal found
        set  MAILBOX, '\n'
        HALT

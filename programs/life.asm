; Conway's Game of Life on the 8x8 display, whose edges are joined: cells that leave on the right
; come back on the left, and those that leave at the bottom come back at the top.
;
; A living cell with two or three living neighbours survives, a dead cell with three is born, and
; all others are dead in the next generation. It is simpler to count a cell together with its
; neighbours: cells with a count of three live in the next generation, and so do living cells with
; four.
;
; The eight cells of a row are counted at once. Their eight counts are kept in three bytes: one with
; the ones of all counts, one with the twos, one with the fours. Such numbers are added with logic
; gates, bit by bit, and NAND is the gate of this machine.
;
; Green cells are alive. The first generation is a glider, which repeats after 32 generations.
; Button A fills the display at random. A generation takes 917 instructions.

.title "The Game of Life on a torus"    ; A fills the display at random.
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/random.asm"

BUTTON_A = 0b0001_0000

; Each cell of a row with its neighbours to the left and to the right: from 0 to 3.
.var ones, 8
.var twos, 8

.var beside, 2                  ; a row moved by a column, either way
.var count_ones                 ; the count of a row, without the carry of the twos
.var carried
.var some_twos
.var some_fours
.var count_twos
.var more_fours
.var is_four
.var no_ones
.var no_twos
.var no_fours
.var no_three
.var next, 8                    ; the next generation

.legend green, "alive"
.legend dark, "dead"
.count green, "births"

; sum and carry <- the ones and the twos of a + b + c: the full adder of nine NAND gates, eight
; times side by side. 20 instructions.
.macro add_bits a, b, c, sum, carry
  .var @gate, 7
        LD   a
        NAND b
        ST   @gate
        NAND a
        ST   @gate + 1
        LD   @gate
        NAND b
        NAND @gate + 1
        ST   @gate + 2          ; a exclusive-or b
        NAND c
        ST   @gate + 3
        NAND @gate + 2
        ST   @gate + 4
        LD   @gate + 3
        NAND c
        NAND @gate + 4
        ST   sum
        LD   @gate
        NAND @gate + 3
        ST   carry
.endmacro

.pool
        wake_random
;; Start with a glider.
.why green, "{square} is alive in the first generation, a glider"
.why dark, "{square} is dead in the first generation, a glider"
        LDI  0
.repeat 8, r
        ST   RED + r
        ST   GREEN + r
.endrepeat
        set  GREEN + 1, 0b0000_0100 ; bit 0 is on the left
        set  GREEN + 2, 0b0000_1000
        set  GREEN + 3, 0b0000_1110

;; Does button A ask for other cells?
generation:
        LD   BUTTONS
        NAND #BUTTON_A
        ADD  #1
        JC   count              ; A was FF: it is not held
;; Button A is held: fill the display at random.
.why green, "button A was held, and made this cell alive at random"
.why dark, "button A was held, and made this cell dead at random"
.repeat 8, r
        next_random
        ST   GREEN + r
.endrepeat

; ---- In each row

;; Count the living neighbours of all cells, a row at a time.
.why green, "{neighbours green} neighbours were alive in the generation before", was = "dark"
.why green, "{neighbours green} neighbours were alive in the generation before, as was this cell"
.why dark, "{neighbours green} {neighbour was|neighbours were} alive in the generation before"
count:
.repeat 8, r
        rotate_left GREEN + r
        ST   beside
        rotate_right GREEN + r
        ST   beside + 1
        add_bits beside, GREEN + r, beside + 1, ones + r, twos + r
.endrepeat

; ---- With the rows above and below. Of the fours there are two kinds; both at once make an eight.

.repeat 8, r
  @above = (r + 7) % 8
  @below = (r + 1) % 8
        add_bits ones + @above, ones + r, ones + @below, count_ones, carried
        add_bits twos + @above, twos + r, twos + @below, some_twos, some_fours
        and  some_twos, carried
        ST   more_fours
        xor  some_twos, carried
        ST   count_twos

; Three: a one, a two and no four. (If there is a two, there are not the fours of the second kind.)
        not  some_fours
        ST   no_fours
        and  count_ones, count_twos
        NAND no_fours
        ST   no_three

; Four: no one, no two, and a four of one kind.
        xor  some_fours, more_fours
        ST   is_four
        not  count_ones
        ST   no_ones
        not  count_twos
        ST   no_twos
        and  is_four, no_ones
        NAND no_twos
        NAND #0xff

; Alive next: alive now with a count of four, or a count of three.
        NAND GREEN + r
        NAND no_three
        ST   next + r
.endrepeat

;; Show the next generation.
.repeat 8, r
        copy next + r, GREEN + r
.endrepeat
        JMP  generation

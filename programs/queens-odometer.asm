; Eight queens by trying every arrangement: the odometer.
;
; The idea. With one queen in each row there are 8 to the power of 8 arrangements, 16,777,216. An
; odometer with eight wheels of eight columns goes through them all. Each is examined row by row
; from the top, until two queens attack each other. No arrangement is skipped, whatever was learnt
; from the one before: this is the algorithm with the least thought.
;
; The origin. Many people start with it. A published program in C takes 350 ms in all, and 190 ms
; with sets of columns and diagonals, as here.
;
; The layout. The red LEDs are the wheels. Doubling its byte moves a queen to the next column, and C
; tells when a wheel has turned completely; so the odometer is eight bytes of the display. The sets
; of squares that are not attacked (lib/attacks.asm) are computed again for each arrangement.
;
; The cost. 779 million instructions, 46 per arrangement: 5 to turn a wheel, 10 for the queen of row
; 0, 8 to examine another queen, or 22 if she is safe. One arrangement in three fails at row 1, and
; more than half of the others fail at row 2.

.title "Eight queens by trying all 16,777,216 boards"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.include "lib/attacks.asm"

.legend red, "queen"
.legend dark, "empty"
.count red, "queens set"
.result "solution"

.pool

;; Start with all queens in the first column.
.why red, "the queen of this row starts on {square}"
.why dark, "the queen of this row has not come to {square} yet"
        LDI  0
.repeat 8, r
        ST   GREEN + r
.endrepeat
        LDI  1                  ; the first arrangement: all queens on the left
.repeat 8, r
        ST   RED + r
.endrepeat

; ---- Examine an arrangement until a queen is attacked.

;; Does a queen of this arrangement attack another?
test:   start_attacks RED
.repeat 7, i
        stand i + 1, RED + i + 1, turn
.endrepeat

        print_queens RED

; ---- Turn the wheels, the last row first. A complete turn also turns the wheel above.

;; Turn the wheels to the next arrangement.
.why red, "the wheel of this row has turned, and its queen is on {square} now"
.why dark, "the queen of this row has moved on; {square} is empty"
turn:
.repeat 8, i
  @r = 7 - i
        double RED + @r
        JC   @round
        ST   RED + @r
        JMP  test
@round: set  RED + @r, 1
.endrepeat
        HALT

; Eight queens by trying every board there is: the odometer.
;
; The idea. With one queen in each row there are 8 to the power of 8 boards, 16,777,216. An odometer
; with eight wheels of eight columns shows them all, one after the other; each is looked at, row by
; row from the top, until two queens attack each other. No board is skipped, whatever the one before
; has taught: this is the way that thinks least.
;
; The origin. It is where many start. A published program in C takes 350 ms for the lot, and 190 ms
; with sets of columns and diagonals, as here.
;
; The layout. The red LEDs are the wheels. A queen moves on by being doubled, and C says that a
; wheel has gone round; so the whole odometer is eight bytes of the display. Beside it there are the
; sets of squares that are not attacked (lib/attacks.asm), which are made anew for each board.
;
; The cost. 779 million instructions, 46 a board: 5 to turn a wheel, 10 for the queen of row 0, 8 to
; look at another queen or 22 to let her stand. One board in three ends at row 1, and row 2 is the
; last for more than half of the others.

.title "Eight queens by trying all 16,777,216 boards"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/constants.asm"
.include "lib/print.asm"
.include "lib/attacks.asm"

        plant_constants
        plant 0x80

        LDI  0
.repeat 8, r
        ST   GREEN + r
.endrepeat
        LDI  1                  ; the first board: all queens on the left
.repeat 8, r
        ST   RED + r
.endrepeat

; ---- Look at a board, until a queen is attacked.

test:   start_attacks RED
.repeat 7, i
        stand i + 1, RED + i + 1, turn
.endrepeat

        print_queens RED

; ---- Turn the wheels, the last row first. A wheel that has gone round turns the one above it.

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

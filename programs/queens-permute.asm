; Eight queens by trying all permutations.
;
; The idea. Eight queens that share neither row nor column are a permutation of the column numbers.
; There are 8! = 40,320 of them. Heap's algorithm generates all of them, each from the previous one
; by the exchange of two queens; then only the diagonals have to be examined.
;
; The origin. B. R. Heap published the algorithm in 1963. A published program in C finds the 92 with
; it in 24 ms.
;
; The algorithm. To permute the rows 0 to k: permute the rows 0 to k - 1, then exchange row k with
; one of them, and so on until each queen has been in row k once; these are k exchanges. Row k is
; exchanged with row 0 if k is even, with row 0, 1, 2 ... in turn if k is odd: Heap found that this
; never brings back a queen that was there before. Without recursion: after each permutation, the
; lowest k that has exchanges left does one of them, and all below k start again.
;
; The layout. The red LEDs are the permutation: row r shows its queen.
;   done             for each k, the number of its exchanges that are done
;   lower, higher    the diagonals: see lib/diagonals.asm
;
; The cost. 2.5 million instructions, 62 per permutation: 10 to generate it, 10 for the queen of
; row 0, 5 to examine another queen and 13 if she is safe.

.title "Eight queens by Heap's 40,320 permutations"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.include "lib/diagonals.asm"

.var done, 8
.var others                     ; all columns but the queen's
.var minus                      ; minus the queen
.var exchanged

.legend red, "queen"
.legend dark, "empty"
.count red, "queens set"
.result "solution"

; Exchanges two bytes. 6 instructions.
.macro exchange a, b
        copy a, exchanged
        copy b, a
        copy exchanged, b
.endmacro

.pool

;; Start with the queens on a diagonal.
.why red, "the queens start on a diagonal, and {square} is on it"
.why dark, "the queens start on a diagonal, and {square} is not on it"
        LDI  0
.repeat 8, r
        ST   GREEN + r
        ST   done + r
.endrepeat
.repeat 8, r                    ; the first permutation: a diagonal of queens
        set  RED + r, 1 << r
.endrepeat

; ---- Examine the diagonals until a queen is attacked. The queen of row 0 is always safe.

;; Does a queen attack another on a diagonal?
test:   not  RED
        ST   others
        start_diagonals others

.repeat 7, i
  @r = i + 1
; If the queen is not attacked, A becomes queen - 1 and C is 1; otherwise A becomes 0 - 1
; and C is 0. The complement of queen - 1 is minus the queen.
        LD   lower + @r
        NAND higher + @r
        NAND RED + @r
        ADD  RED + @r
        bnc  step
  .if @r < 7
        NAND #0xff
        ST   minus
        follow_diagonals @r, minus
  .endif
.endrepeat

        print_queens RED

; ---- The next permutation.

;; Exchange two rows: the next permutation.
.why red, "an exchange of two rows has put a queen on {square}"
.why dark, "an exchange of two rows has put the queen of this row on another square"
step:
.repeat 7, i
  @k = i + 1
        LDI  256 - @k
        ADD  done + @k
        JC   @over              ; all k exchanges are done
  .if @k % 2 == 0
        exchange RED, RED + @k
  .else
        dispatch done + @k, @exchanges, @k, stride = 7
@exchanges:
    .repeat @k, r
        exchange RED + r, RED + @k
        JMP  @exchanged
    .endrepeat
  .endif
@exchanged:
        increment done + @k
        JMP  test
@over:  set  done + @k, 0
.endrepeat
        HALT

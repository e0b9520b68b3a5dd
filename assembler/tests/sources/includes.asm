;;; What a file defines is there after it is included; its name is relative to the including file.
.include "lib.asm"
        put FIVE        ; = 0005
;;;; lib.asm
FIVE = 5
.macro put n
        LDI n           ; = 0005
.endmacro

;;; A file is taken in once.
.include "a.asm"
.include "b.asm"
.include "a.asm"
;;;; a.asm
        LDI 1           ; = 0001
;;;; b.asm
.include "a.asm"
        LDI 2           ; = 0002

;;; A file that is not there.
.include "nothing.asm"  ; error: cannot include `nothing.asm`: no such file
        LDI 256         ; error: the operand of LDI must be -128 to 255, this is 256
        helper NAME

;;; A file that includes itself.
.include "a.asm"
;;;; a.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> a.asm
        LDI 256         ; error: the operand of LDI must be -128 to 255, this is 256

;;; Files that include each other.
.include "a.asm"
;;;; a.asm
.include "b.asm"
;;;; b.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> b.asm -> a.asm

;;; Mistakes in included files.
.include "a.asm"
        LDI 300         ; error: the operand of LDI must be -128 to 255, this is 300
;;;; a.asm
        LDI (           ; error: this `(` is never closed
x:      JMP y           ; error: undefined symbol `y` ; help: did you mean `x`?

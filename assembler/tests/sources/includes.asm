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
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256
        helper NAME

;;; A file that includes itself.
.include "a.asm"
;;;; a.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> a.asm
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; A library whose macro has no end.
.include "a.asm"
        m
;;;; a.asm
.macro m                ; error: this `.macro` has no `.endmacro`
        LDI 5

;;; A library whose macro has a wrong default.
.include "a.asm"
        m               ; error: undefined symbol `gone` ; note: it comes from this line @2
;;;; a.asm
; The first line.
.macro m a = gone
        LDI a
.endmacro

;;; An included file does not see the parameters of what includes it.
.repeat 1, i
.include "a.asm"
.endrepeat
;;;; a.asm
        LDI i           ; error: undefined symbol `i` ; note: `i` is the index of this `.repeat`, visible only in its lines @1

;;; Files that include each other.
.include "a.asm"
;;;; a.asm
.include "b.asm"
;;;; b.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> b.asm -> a.asm

;;; Mistakes in included files.
.include "a.asm"
        LDI 300         ; error: the operand of LDI must be -128 to 255, not 300
;;;; a.asm
        LDI (           ; error: this `(` is never closed
x:      JMP y           ; error: undefined symbol `y`

;;; A path has no backslashes, whatever they look like.
.include "sub\new.asm"     ; error: the path `sub\new.asm` has a backslash ; help: write `/` between folders: `sub/new.asm`
.include "sub\\deep.asm"   ; error: the path `sub\\deep.asm` has a backslash ; help: write `/` between folders: `sub/deep.asm`
        LDI defined_there

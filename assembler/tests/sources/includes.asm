;;; An included file defines constants and macros for the file that includes it.
.include "lib.asm"
        put FIVE        ; = 0005
;;;; lib.asm
FIVE = 5
.macro put n
        LDI n           ; = 0005
.endmacro

;;; A file is included only once.
.include "a.asm"
.include "b.asm"
.include "a.asm"
;;;; a.asm
        LDI 1           ; = 0001
;;;; b.asm
.include "a.asm"
        LDI 2           ; = 0002

;;; A missing file is reported once, and names that it may define are not.
.include "nothing.asm"  ; error: cannot include `nothing.asm`: no such file
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256
        helper NAME

;;; A file that includes itself is an error.
.include "a.asm"
;;;; a.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> a.asm
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; An unclosed macro in a library is one error, even if it is called.
.include "a.asm"
        m
;;;; a.asm
.macro m                ; error: this `.macro` has no `.endmacro`
        LDI 5

;;; An undefined name in a default is reported at the call, with a note at the default.
.include "a.asm"
        m               ; error: undefined symbol `gone` ; note: it comes from this line @2
;;;; a.asm
; The first line.
.macro m a = gone
        LDI a
.endmacro

;;; An included file does not see the index of the repeat that includes it.
.repeat 1, i
.include "a.asm"
.endrepeat
;;;; a.asm
        LDI i           ; error: undefined symbol `i` ; note: `i` is the index of this `.repeat`, visible only in its lines @1

;;; Two files that include each other are an error.
.include "a.asm"
;;;; a.asm
.include "b.asm"
;;;; b.asm
.include "a.asm"        ; error: `a.asm` includes itself ; note: the cycle is a.asm -> b.asm -> a.asm

;;; An error in an included file is reported at its line in that file.
.include "a.asm"
        LDI 300         ; error: the operand of LDI must be -128 to 255, not 300
;;;; a.asm
        LDI (           ; error: this `(` is never closed
x:      JMP y           ; error: undefined symbol `y`

;;; A backslash in a path is an error, even if it looks like an escape.
.include "sub\new.asm"     ; error: the path `sub\new.asm` has a backslash ; help: write `/` between folders: `sub/new.asm`
.include "sub\\deep.asm"   ; error: the path `sub\\deep.asm` has a backslash ; help: write `/` between folders: `sub/deep.asm`
        LDI defined_there

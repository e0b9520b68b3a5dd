;;; Comments start at a semicolon that is not in quotes.
; LDI 256
        LDI ';'         ; = 003b
        LDI len(";;")   ; = 0002
x:;LDI 256
        JMP x;           = comment

;;; Brackets and quotes that do not match.
        LDI (3          ; error: this `(` is never closed
        LDI 3)          ; error: unmatched `)`
        LDI (3}         ; error: this `(` is never closed
        LDI 3}          ; error: unmatched `}`
        LDI x{1         ; error: this `{` is never closed

;;; What is expected where.
        LDI 1 +         ; error: expected a value, found the end of the line
        LDI 1 2         ; error: expected an operator or the end of the line, found `2`
        LDI * 2         ; error: expected a value or the end of the line, found `*`
        LDI 1,          ; error: expected a value, found the end of the line
        LDI ()          ; error: expected a value, found `)`
        LDI [5]         ; error: expected a value or the end of the line, found `[` ; help: there is no indirect addressing: the operand is the address itself
x =                     ; error: expected a value, found the end of the line
= 5                     ; error: expected an instruction, found `=`
5                       ; error: expected an instruction, found `5`
        LDI 1 : 2       ; error: expected an operator or the end of the line, found `:`
        LDI 1 ? 2       ; error: expected an operator, found the end of the line
        @5              ; error: expected an instruction, found `@`
        LDI é           ; error: expected a value or the end of the line, found `é`
.var                    ; error: expected a name, found the end of the line
.var 5                  ; error: expected a name, found `5`
.var a,                 ; error: expected a value, found the end of the line
.org                    ; error: expected a value, found the end of the line
.include lib            ; error: expected a string in quotes, found `lib`
.title                  ; error: expected a string in quotes, found the end of the line
.macro                  ; error: expected a name, found the end of the line
.endmacro
.repeat                 ; error: expected a value, found the end of the line
.endrepeat
.if                     ; error: expected a value, found the end of the line
.endif
.if 1
.endif now              ; error: expected the end of the line, found `now`
.assert 1, 2            ; error: expected a string in quotes, found `2`

;;; A line with a mistake still defines its names.
start:  LDI (3          ; error: this `(` is never closed
N = 5 5                 ; error: expected an operator or the end of the line, found `5`
.var v, )               ; error: unmatched `)`
        JMP start       ;
        LDI N
        LD  v

;;; A block whose first line has a mistake still ends where it ends.
.repeat 3 3             ; error: expected an operator or the end of the line, found `3`
x:
.endrepeat
.if )                   ; error: unmatched `)`
y:
.else
z:
.endif
        JMP x
        LDI y + z

;;; A branch whose line has a mistake is still a branch.
.if 1
.else 5                 ; error: expected the end of the line, found `5`
.else                   ; error: `.else` after the `.else` of its `.if`
.endif
.if 0
.elseif )               ; error: unmatched `)`
y:
.endif
        JMP y

;;; A branch belongs to the `.if` that is open innermost, and to nothing else.
.if 1
.repeat 2
.else                   ; error: `.else` without an open block
.endrepeat
.endif

;;; A block of two branches without an end: any of them might have been meant.
.if 1                   ; error: this `.if` has no `.endif`
x = 5
.else
        LDI x

;;; A value that is damaged takes no room.
.word )                 ; error: unmatched `)`
.org 0
        SHR

;;; A function that is damaged has its name, or else any name.
.function f(a           ; error: this `(` is never closed
        LDI f(1)
        LDI g(1)        ; error: unknown function `g`

;;; What stands behind a routine.
.routine f() x          ; error: expected `->` or the end of the line, found `x`
.endroutine

;;; A function without a name.
.function 5             ; error: expected a name, found `5`
        LDI g(1)

;;; A directive whose line has a mistake still defines and closes what it would have.
.macro load (           ; error: this `(` is never closed
        LDI n
.endmacro 5             ; error: expected the end of the line, found `5`
.routine twice(a        ; error: this `(` is never closed
        ADD  a
.endroutine 5           ; error: expected the end of the line, found `5`
.struct 5               ; error: expected a name, found `5`
.var field
.endstruct
.function half(x) =     ; error: expected a value, found the end of the line
.pool 5                 ; error: expected the end of the line, found `5`
        load 1
        .call twice(1)
        LDI half(4)
        LD  #1
        LDI whatever_size       ; a structure without a name could have defined it

;;; A name of which only a part is well formed is not taken for a shorter one.
.var row{1}{)}          ; error: this `{` is never closed
.var row{2}_{+}         ; error: expected a value, found `+`
        LD  row2_       ; error: undefined symbol `row2_`
        LD  row2        ; error: undefined symbol `row2`

;;; Five mistakes of five kinds are five errors.
.macro load n
        LDI n           ; error: the operand of LDI must be -128 to 255, not 256
.endmacro
start:
        LDU 1           ; error: unknown instruction `LDU` ; help: did you mean `LDI`?
        JMP strat       ; error: undefined symbol `strat` ; help: did you mean `start`?
        JMP 8192        ; error: a jump target must be 0 to 8191, not 8192
        load 256
        LDI (1          ; error: this `(` is never closed


;;; Only spaces and tabs are blanks; a character that cannot be seen is told by its name.
        LDI 5         ; error: the no-break space U+00A0 is not allowed here ; help: use a space or a tab
        LDI  row{1 }  ; error: the thin space U+2009 is not allowed here ; help: use a space or a tab
        LDI row{1 }  ; error: the character U+2003 is not allowed here ; help: use a space or a tab
        LD​I 5        ; error: the zero-width space U+200B is not allowed here ; help: it is invisible: remove it

;;; In texts and comments they may stand. 
        LDI len(" ")  ; = 0002

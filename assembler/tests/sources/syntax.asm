;;; A semicolon starts a comment unless it is in quotes.
; LDI 256
        LDI ';'         ; = 003b
        LDI len(";;")   ; = 0002
x:;LDI 256
        JMP x;           = comment

;;; An unmatched bracket is an error.
        LDI (3          ; error: this `(` is never closed
        LDI 3)          ; error: unmatched `)`
        LDI (3}         ; error: this `(` is never closed
        LDI 3}          ; error: unmatched `}`
        LDI x{1         ; error: this `{` is never closed

;;; A syntax error says what was expected and what was found.
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
.var                    ; error: expected a name, found the end of the line ; help: its form is `.var name, size`
.var 5                  ; error: expected a name, found `5` ; help: its form is `.var name, size`
.var a,                 ; error: expected a value, found the end of the line ; help: its form is `.var name, size`
.org                    ; error: expected a value, found the end of the line ; help: its form is `.org n`
.include lib            ; error: expected a string in quotes, found `lib` ; help: its form is `.include "file"`
.title                  ; error: expected a string in quotes, found the end of the line ; help: its form is `.title "text"`
.macro                  ; error: expected a name, found the end of the line ; help: its form is `.macro name parameter = default, …`
.endmacro
.repeat                 ; error: expected a value, found the end of the line ; help: its form is `.repeat count, index`
.endrepeat
.if                     ; error: expected a value, found the end of the line ; help: its form is `.if condition`
.endif
.if 1
.endif now              ; error: expected the end of the line, found `now`
.assert 1, 2            ; error: expected a string in quotes, found `2` ; help: its form is `.assert condition, "text"`

;;; A line with a mistake still defines its names.
start:  LDI (3          ; error: this `(` is never closed
N = 5 5                 ; error: expected an operator or the end of the line, found `5`
.var v, )               ; error: unmatched `)`
        JMP start       ;
        LDI N
        LD  v

;;; A block with an invalid first line defines its names and ends where it should.
.repeat 3 3             ; error: expected an operator or the end of the line, found `3` ; help: its form is `.repeat count, index`
x:
.endrepeat
.if )                   ; error: unmatched `)`
y:
.else
z:
.endif
        JMP x
        LDI y + z

;;; `.else` or `.elseif` with an error on its line still starts a branch.
.if 1
.else 5                 ; error: expected the end of the line, found `5`
.else                   ; error: `.else` after the `.else` of its `.if`
.endif
.if 0
.elseif )               ; error: unmatched `)`
y:
.endif
        JMP y

;;; `.else` is an error if the innermost open block is not an `.if`.
.if 1
.repeat 2
.else                   ; error: `.else` without an open block
.endrepeat
.endif

;;; An unclosed `.if` is one error, even if a branch uses a name of another branch.
.if 1                   ; error: this `.if` has no `.endif`
x = 5
.else
        LDI x

;;; A `.word` with an invalid value occupies no index.
.word )                 ; error: unmatched `)`
.org 0
        SHR

;;; An invalid `.function` line defines its name, and no other.
.function f(a           ; error: this `(` is never closed
        LDI f(1)
        LDI g(1)        ; error: unknown function `g`

;;; Extra text on a `.routine` line is an error.
.routine f() x          ; error: expected `->` or the end of the line, found `x` ; help: its form is `.routine name(parameter, …) -> result`
.endroutine

;;; If a `.function` has no valid name, unknown functions are not reported.
.function 5             ; error: expected a name, found `5` ; help: its form is `.function name(parameter, …) = expression`
        LDI g(1)

;;; A directive with an error on its line still defines its names and closes its block.
.macro load (           ; error: this `(` is never closed
        LDI n
.endmacro 5             ; error: expected the end of the line, found `5`
.routine twice(a        ; error: this `(` is never closed
        ADD  a
.endroutine 5           ; error: expected the end of the line, found `5`
.struct 5               ; error: expected a name, found `5` ; help: its form is `.struct name`
.var field
.endstruct
.function half(x) =     ; error: expected a value, found the end of the line ; help: its form is `.function name(parameter, …) = expression`
.pool 5                 ; error: expected the end of the line, found `5`
        load 1
        .call twice(1)
        LDI half(4)
        LD  #1
        LDI whatever_size       ; a structure without a name could have defined it

;;; A name with an invalid part does not define a shorter name.
.var row{1}{)}          ; error: this `{` is never closed
.var row{2}_{+}         ; error: expected a value, found `+` ; help: its form is `.var name, size`
        LD  row2_       ; error: undefined symbol `row2_`
        LD  row2        ; error: undefined symbol `row2`

;;; Five different mistakes are reported as five errors.
.macro load n
        LDI n           ; error: the operand of LDI must be -128 to 255, not 256
.endmacro
start:
        LDU 1           ; error: unknown instruction `LDU` ; help: did you mean `LDI`?
        JMP strat       ; error: undefined symbol `strat` ; help: did you mean `start`?
        JMP 8192        ; error: a jump target must be 0 to 8191, not 8192
        load 256
        LDI (1          ; error: this `(` is never closed


;;; Only spaces and tabs are blanks, and an error names the invisible character.
        LDI 5         ; error: the no-break space U+00A0 is not allowed here ; help: use a space or a tab
        LDI  row{1 }  ; error: the thin space U+2009 is not allowed here ; help: use a space or a tab
        LDI row{1 }  ; error: the character U+2003 is not allowed here ; help: use a space or a tab
        LD​I 5        ; error: the zero-width space U+200B is not allowed here ; help: it is invisible: remove it

;;; Strings and comments can contain a no-break space. 
        LDI len(" ")  ; = 0002

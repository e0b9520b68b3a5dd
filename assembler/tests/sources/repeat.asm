;;; `.repeat` repeats its lines, with or without an index.
.repeat 3               ; = a000 a000 a000
        SHR             ; = a000 a000 a000
.endrepeat
.repeat 3, i            ; = 0000 0001 0002
        LDI i           ; = 0000 0001 0002
.endrepeat
.repeat 0
        SHR             ; =
.endrepeat

;;; An inner index hides an outer one until the inner repeat ends.
i = 9
.repeat 2, i
  .repeat 2, j
        LDI i * 16 + j  ; = 0000 0001 0010 0011
    .repeat 1, i
        LDI i           ; = 0000 0000 0000 0000
    .endrepeat
  .endrepeat
.endrepeat
        LDI i           ; = 0009

;;; An index is not visible after its repeat.
.repeat 2, turn
.endrepeat
        LDI turn        ; error: undefined symbol `turn` ; note: `turn` is the index of this `.repeat`, visible only in its lines @1

;;; Each iteration has its own local labels and sees those around the repeat.
start:
@top:
.repeat 2
@top:   JMP @top        ; = e000 e003
        JMP @out        ; = e006 e006
.endrepeat
@out:   JMP @top        ; = e000

;;; A global label in an iteration ends a local scope of that iteration only.
start:
@x:     SHR
.repeat 2, i
@y:     JMP @x          ; = e000 e000
g{i}:
        JMP @x          ; = e000 e000
@y:     JMP @y          ; = e002 e005
.endrepeat
        JMP @x          ; = e000

;;; A global label in a repeat is defined again in each iteration, which is one error.
.repeat 3
again:  SHR             ; error: label `again` is defined twice ; note: `again` is first defined here @2
.endrepeat

;;; A repeat count must be in range and defined above.
.repeat -1              ; error: the count of `.repeat` must be 0 to 262144, not -1
.endrepeat
.repeat 1_000_000_000   ; error: the count of `.repeat` must be 0 to 262144, not 1000000000
        SHR
.endrepeat
.repeat later           ; error: `later` is not known yet: the count of `.repeat` can use only what is defined above ; note: it is defined here @8
.endrepeat
later = 5
.repeat nowhere         ; error: undefined symbol `nowhere`
x:
.endrepeat
        JMP x

;;; The total number of expanded lines is limited.
.repeat 100000, i
.repeat 1000            ; error: the program expands to more than 262144 lines
.endrepeat
.endrepeat

;;; An error that occurs in every iteration is reported once.
.repeat 5, i
        LDI 255 + i     ; error: the operand of LDI must be -128 to 255, not 256
        frob            ; error: unknown instruction `frob` ; help: for a label, write `frob:`
        LDI 1 / 0       ; error: division by zero
        LDI nowhere     ; error: undefined symbol `nowhere`
.endrepeat

;;; A repeat can define and use names built from its index.
.repeat 3, i
t{i}:   LDI i           ; = 0000 0001 0002
        JMP t{i > 0 ? i - 1 : 2} ; = e006 e000 e003
.endrepeat
        JMP t1          ; = e003

;;; A repeat with an invalid count adds no errors about the names that it defines.
.repeat gone            ; error: undefined symbol `gone`
.var v
.var w, (               ; error: this `(` is never closed
.function f(a) = a
.function g(a           ; error: this `(` is never closed
l:      SHR
.endrepeat
        LD  v
        LD  w
        LDI f(1)
        LDI g(1)
        JMP l
        JMP other       ; error: undefined symbol `other`

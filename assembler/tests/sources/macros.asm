;;; A macro is assembled with the arguments of each call.
.var x
.var y
.macro copy from, to
        LD from         ; = 2000 2001
        ST to           ; = 4001 4000
.endmacro
        copy x, y       ; = 2000 4001
        copy y, x       ; = 2001 4000

;;; Arguments can be given by name, and a default can use the other parameters.
.macro m a, b = 2, c = b + 1
        LDI a * 16 + b * 4 + c
.endmacro
        m 1             ; = 001b
        m 1, 1          ; = 0016
        m 1, 1, 1       ; = 0015
        m 1, c = 0      ; = 0018
        m a = 1         ; = 001b
        m b = 0, a = 1  ; = 0011

;;; An argument is evaluated in the scope of the caller.
start:
@skip:  SHR
.macro again target, value
@skip:  JMP target      ; = e000
        JMP @skip       ; = e001
n = 5
        LDI value       ; = 0003
.endmacro
value = 3
        again @skip, value ; = e000 e001 0003

;;; An argument is a value, not text.
.macro double n
        LDI n * 2       ; = 0006
.endmacro
        double 1 + 2    ; = 0006

;;; `$` in an argument is the index of the call's first instruction.
.macro two where
        JMP where       ; = e001
        JMP where       ; = e001
.endmacro
        SHR
        two $           ; = e001 e001

;;; Each expansion has its own local names and sees those of the caller.
.macro bit
@loop:  JMP @loop       ; = e001 e006
.var @temp
        ST @temp        ; = 4000 4001
        JMP @here       ; = e000 e000
.endmacro
start:
@here:  SHR
        bit
        bit

;;; A macro sees the globals and its parameters, not the caller's parameters.
.macro inner
        LDI secret      ; error: undefined symbol `secret` ; note: `secret` is a parameter of this macro, visible only in its lines @4
.endmacro
.macro outer secret
        inner
.endmacro
        outer 5

;;; A macro defined in a block sees the names of that block.
.repeat 2, i
.macro show{i} n
        LDI i * 16 + n  ; = 0013 0004
.endmacro
.endrepeat
        show1 3         ; = 0013
        show{0} 4       ; = 0004

;;; A macro can call another macro and pass its arguments on.
.macro put n
        LDI n           ; = 0007
.endmacro
.macro twice n
        put n + n + 1   ; = 0007
.endmacro
        twice 3         ; = 0007

;;; A macro can call itself if a condition ends the recursion.
.macro countdown n
  .if n > 0
        LDI n           ; = 0003 0002 0001
        countdown n - 1
  .endif
.endmacro
        countdown 3     ; = 0003 0002 0001

;;; A global label in an expansion ends a local scope of that expansion only.
.macro named
@a:     SHR
inside:
@a:     JMP @a          ; = e003
        JMP @here       ; = e000
.endmacro
start:
@here:  SHR
        named
        JMP @here       ; = e000

;;; A string can be an argument.
.macro print text
  .repeat len(text), i
        LDI char(text, i) ; = 0068 0069
        ST 0x1fff
  .endrepeat
.endmacro
        print "hi"      ; = 0068 5fff 0069 5fff

;;; A macro must be defined before it is used.
        later 1         ; error: macro `later` is used before its definition ; note: it is defined here @2
.macro later n
.endmacro

;;; Two macros with the same name are an error.
.macro m
.endmacro
.macro m                ; error: macro `m` is defined twice ; note: `m` is first defined here @1
.endmacro

;;; A macro and a label can have the same name.
.macro wait
        JMP wait        ; = e000
.endmacro
wait:   wait            ; = e000

;;; The error for an unknown instruction suggests a similar name.
.macro increment n
.endmacro
        LDU 5           ; error: unknown instruction `LDU` ; help: did you mean `LDI`?
        incremnt 5      ; error: unknown instruction `incremnt` ; help: did you mean `increment`?
        hlat            ; error: unknown instruction `hlat` ; help: did you mean `HALT`?
        frobnicate      ; error: unknown instruction `frobnicate` ; help: for a label, write `frobnicate:`
        @local 5        ; error: unknown instruction `@local`

;;; Missing, extra, unknown and repeated arguments of a macro are errors.
.macro m first, second = 2
.endmacro
        m               ; error: macro `m` needs an argument for `first` ; note: the macro is defined here @1
        m 1, 2, 3       ; error: macro `m` takes at most 2 arguments, not 3 ; note: the macro is defined here @1
        m 1, frist = 2  ; error: macro `m` has no parameter `frist` ; note: the macro is defined here @1 ; help: did you mean `first`?
        m 1, first = 2  ; error: `first` is given twice
        m first = 1, 2  ; error: positional arguments must come before named ones
.macro none
.endmacro
        none 1          ; error: macro `none` takes no argument, not 1 ; note: the macro is defined here @8

;;; Two parameters with the same name are an error, and so is a local macro.
.macro m a, b, a        ; error: duplicate parameter `a`
.endmacro
.macro @m               ; error: macros cannot be local
.endmacro

;;; An error caused by the arguments is reported for each call, any other error only once.
.macro load n
        LDI n           ; error: the operand of LDI must be -128 to 255, not 300 ; error: the operand of LDI must be -128 to 255, not 301
        LDI nowhere     ; error: undefined symbol `nowhere`
.endmacro
        load 300
        load 301

;;; An error in an argument is reported at the call.
.macro use n
        LDI n
.endmacro
        use nowhere     ; error: undefined symbol `nowhere`
        use 1 / 0       ; error: division by zero

;;; An argument that is used as a repeat count must be defined above the call.
.macro rep n
.repeat n
.endrepeat
.endmacro
        rep later       ; error: `later` is not known yet: the count of `.repeat` can use only what is defined above ; note: it is defined here @6 ; note: it is needed here @2
later = 1

;;; A macro that calls itself forever is one error, and the rest of the source is still checked.
.macro self
x:                      ; error: label `x` is defined twice ; note: `x` is first defined here @2
        self            ; error: macro `self` calls itself more than 256 times
        self
.endmacro
        self
        JMP x
        self
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; Two macros that call each other forever are one error.
.macro ping
        pong
.endmacro
.macro pong
        ping            ; error: macro `ping` calls itself more than 256 times
.endmacro
        ping
        pong

;;; A parameter cannot be its own default.
.macro m n = n          ; error: `n` is defined in terms of itself
        LDI n
.endmacro
        m

;;; An argument is evaluated only once, even if it grows with each recursive call.
.macro grow depth, n
  .if depth == 0
        LDI n >> 40     ; = 0001
  .else
        grow depth - 1, n + n
  .endif
.endmacro
        grow 40, 1

;;; An unclosed macro is one error, and its calls add no others.
.macro lost a           ; error: this `.macro` has no `.endmacro`
        lost 5

;;; An invalid `.macro` line is one error, and the body and calls of the macro add no others.
.macro lost a b         ; error: expected the end of the line, found `b` ; help: its form is `.macro name parameter = default, …`
        LDI a
name:
.endmacro
        lost 5

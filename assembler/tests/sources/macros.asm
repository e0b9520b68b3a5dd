;;; A macro with parameters.
.var x
.var y
.macro copy from, to
        LD from         ; = 2000 2001
        ST to           ; = 4001 4000
.endmacro
        copy x, y       ; = 2000 4001
        copy y, x       ; = 2001 4000

;;; Defaults, and arguments by name. A default may use the other parameters.
.macro m a, b = 2, c = b + 1
        LDI a * 16 + b * 4 + c
.endmacro
        m 1             ; = 001b
        m 1, 1          ; = 0016
        m 1, 1, 1       ; = 0015
        m 1, c = 0      ; = 0018
        m a = 1         ; = 001b
        m b = 0, a = 1  ; = 0011

;;; An argument is an expression of the caller's scope.
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

;;; `$` in an argument is the index of the call's first word.
.macro two where
        JMP where       ; = e001
        JMP where       ; = e001
.endmacro
        SHR
        two $           ; = e001 e001

;;; Local names of an expansion are its own, each time; those of the caller are seen.
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

;;; Macros call macros; arguments travel.
.macro put n
        LDI n           ; = 0007
.endmacro
.macro twice n
        put n + n + 1   ; = 0007
.endmacro
        twice 3         ; = 0007

;;; Macros that call themselves until they are told to stop.
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

;;; Texts as arguments.
.macro print text
  .repeat len(text), i
        LDI char(text, i) ; = 0068 0069
        ST 0x1fff
  .endrepeat
.endmacro
        print "hi"      ; = 0068 5fff 0069 5fff

;;; Macros are defined before use.
        later 1         ; error: macro `later` is used before its definition ; note: it is defined here @2
.macro later n
.endmacro

;;; A macro is defined once.
.macro m
.endmacro
.macro m                ; error: macro `m` is defined twice ; note: `m` is first defined here @1
.endmacro

;;; Macros and symbols do not get in each other's way.
.macro wait
        JMP wait        ; = e000
.endmacro
wait:   wait            ; = e000

;;; Unknown instructions, with what could have been meant.
.macro increment n
.endmacro
        LDU 5           ; error: unknown instruction `LDU` ; help: did you mean `LDI`?
        incremnt 5      ; error: unknown instruction `incremnt` ; help: did you mean `increment`?
        hlat            ; error: unknown instruction `hlat` ; help: did you mean `HALT`?
        frobnicate      ; error: unknown instruction `frobnicate`
        @local 5        ; error: unknown instruction `@local`

;;; Arguments fit the macro.
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

;;; Parameters have names of their own, and macros global ones.
.macro m a, b, a        ; error: duplicate parameter `a`
.endmacro
.macro @m               ; error: macros cannot be local
.endmacro

;;; A mistake of the caller is told for each call, one of the macro once.
.macro load n
        LDI n           ; error: the operand of LDI must be -128 to 255, not 300 ; error: the operand of LDI must be -128 to 255, not 301
        LDI nowhere     ; error: undefined symbol `nowhere`
.endmacro
        load 300
        load 301

;;; A mistake in an argument is told where the argument stands.
.macro use n
        LDI n
.endmacro
        use nowhere     ; error: undefined symbol `nowhere`
        use 1 / 0       ; error: division by zero

;;; What must be known in a macro is looked for in its arguments.
.macro rep n
.repeat n
.endrepeat
.endmacro
        rep later       ; error: `later` is not known yet: the count of `.repeat` can use only what is defined above ; note: it is defined here @6 ; note: it is needed here @2
later = 1

;;; A macro that calls itself without end is one error, and the rest goes on.
.macro self
x:                      ; error: label `x` is defined twice ; note: `x` is first defined here @2
        self            ; error: macro `self` calls itself more than 256 times
        self
.endmacro
        self
        JMP x
        self
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; So are two that call each other.
.macro ping
        pong
.endmacro
.macro pong
        ping            ; error: macro `ping` calls itself more than 256 times
.endmacro
        ping
        pong

;;; A parameter whose default is itself.
.macro m n = n          ; error: `n` is defined in terms of itself
        LDI n
.endmacro
        m

;;; Arguments that grow as they travel are worked out once each.
.macro grow depth, n
  .if depth == 0
        LDI n >> 40     ; = 0001
  .else
        grow depth - 1, n + n
  .endif
.endmacro
        grow 40, 1

;;; A macro without an end: its calls are no further errors.
.macro lost a           ; error: this `.macro` has no `.endmacro`
        lost 5

;;; A macro line with a mistake: neither its body nor its calls are further errors.
.macro lost a b         ; error: expected the end of the line, found `b`
        LDI a
name:
.endmacro
        lost 5

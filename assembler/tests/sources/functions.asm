;;; A function gives an expression a name and parameters.
.function square(column, row) = row * 8 + column
.function seven() = 7
        LDI square(1, 2)        ; = 0011
        LDI seven() + 1         ; = 0008
        LD  square(seven (), 0) ; = 2007

;;; A function can be defined below its use.
        LDI twice(limit)        ; = 0006
.function twice(n) = n + n
limit = 3

;;; A function sees the names that are visible at its definition, but `$` is that of the call.
n = 5
shift = 1
.function f(n) = n << shift
.function back(by) = $ - by
        LDI f(3) + n            ; = 000b
        JMP back(1)             ; = e000
.macro m shift
        LDI f(1)                ; = 0002
.endmacro
        m 4

;;; A function can call itself if the recursion ends, and can take strings and `#` bytes.
.function fact(n) = n > 1 ? n * fact(n - 1) : 1
.function fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
.function last(text) = char(text, len(text) - 1)
.function either(which, a, b) = which ? a : b
.pool                           ; = 0003 4000
        LDI fact(5)             ; = 0078
        LDI fib(12)             ; = 0090
        LDI last("queens")      ; = 0073
        ADD either(1, #3, #4)   ; = 6000

;;; A repeat count or a number in a name can use functions that are defined above.
.function half(n) = n / 2
.repeat half(4), i
row{half(2 * i)}: SHR           ; = a000 a000
.endrepeat
        JMP row1                ; = e001

;;; A number in a name that a function builds is known where the call stands.
.function entry(n) = table{n}
table7 = 9
number = 7
        LDI entry(number)       ; = 0009

;;; It is not known if it is defined below the call.
.function entry(n) = table{n}   ; error: `below` is not known yet: the number in a name can use only what is defined above
        LDI entry(below)
below = 7

;;; A condition cannot use a function that is defined below.
.if later(1)                    ; error: `later` is not known yet: the condition of `.if` can use only what is defined above ; note: it is defined here @3
.endif
.function later(n) = n

;;; Endless recursion of a function is reported once.
.function f(n) = f(n + 1)       ; error: functions are nested too deeply here: `f` may call itself
        LDI f(1)
        LDI f(2)
.function g(n) = h(n)
.function h(n) = g(n)           ; error: functions are nested too deeply here: `g` may call itself
        LDI g(1)

;;; Wrong argument counts, undefined names and unknown functions are errors.
.function f(a, b) = a + b + gone ; error: undefined symbol `gone`
        LDI f(1)                ; error: `f` takes 2 arguments, not 1 ; note: the function is defined here @1
        LDI f(1, 2)
        LDI f(1, 2, 3)          ; error: `f` takes 2 arguments, not 3 ; note: the function is defined here @1
.function hypotenuse(a) = a
        LDI hypotenus(1)        ; error: unknown function `hypotenus` ; help: did you mean `hypotenuse`?

;;; A value error in a function is reported once for each call that causes it.
.function f(a) = 1 / a          ; error: division by zero ; error: division by zero
        LDI f(1)
        LDI f(0)
        LDI f(1 - 1)

;;; An invalid definition of a function is an error, but a constant can share a function's name.
.function lo(a) = a             ; error: function `lo` is built in
.function f(a, a) = a           ; error: duplicate parameter `a`
.function add(a) = a            ; error: `add` is reserved: it is the name of an instruction
.function g(a) = a
.function g(b) = b              ; error: function `g` is defined twice ; note: `g` is first defined here @4
g = 2
        LDI g(g)
        LDI f(1)
.function bad(a) = (            ; error: this `(` is never closed
        LDI bad(1)
.function @local(a) = a         ; error: expected a name, found `@local` ; help: its form is `.function name(parameter, …) = expression`
.function built{1}(a) = a       ; error: expected `(`, found `{` ; help: its form is `.function name(parameter, …) = expression`
        LDI g(a = 1)            ; error: expected an operator, found `=`

;;; A function can use a name built from its parameter.
.function at(n) = row{n}
row3 = 30
        LDI at(3)               ; = 001e

;;; A function that builds an undefined or invalid name is an error.
.function at(n) = row{n}        ; error: undefined symbol `row4` ; help: did you mean `row3`? ; error: a number in a name must not be negative, but is -1
row3 = 30
        LDI at(-1)
        LDI at(4)

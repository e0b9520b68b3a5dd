;;; A routine with one caller returns by a plain jump and needs no call number.
.var x
        .call double(x)         ; = 2000 4001 e005 2002
        ST x                    ; = 4000
        HALT                    ; = e007
.routine double(n) -> sum
        LD n                    ; = 2001
        ADD n                   ; = 6001
        ST sum                  ; = 4002
.endroutine                     ; = e002

;;; A routine with two callers returns by one test of the call number.
        .call f()               ; = 0000 4000 e004
        .call f()               ; = 0001 4000 e004
        HALT                    ; = e005
.routine f()
        SHR                     ; = a000
.endroutine                     ; = 2000 a000 c005 e002

;;; With more callers, a return tests the call number bit by bit, as a tree.
        .call f()               ; = 0000 4000 e018
        .call f()               ; = 0001 4000 e018
        .call f()               ; = 0002 4000 e018
        .call f()               ; = 0003 4000 e018
        .call f()               ; = 0004 4000 e018
end:    HALT                    ; = e008
.routine f()
.repeat 8
        LDI 0
.endrepeat
.endroutine                     ; = 2000 a000 c030 a000 c00d a000 c008 e002 a000 c00a e005

;;; A routine sees outer names unless it defines the same names.
.var n
loop:   JMP loop                ; = e000
.var m
        .call f(n)              ; = 2000 4002 e007
        JMP loop                ; = e000
.routine f(n)
.var own, 2
K = 7
loop:   LD n                    ; = 2002
        LD m                    ; = 2001
        LD own + 1              ; = 2004
        LDI K                   ; = 0007
        JMP loop                ; = e007
.endroutine                     ; = e006
K = 8
        LDI K                   ; = 0008

;;; Names that are defined in a routine are not visible outside.
        .call f(1)
        JMP loop                ; error: undefined symbol `loop` ; note: `loop` is visible only in the routine `f` @6
        LD n                    ; error: undefined symbol `n` ; note: `n` is visible only in the routine `f` @5
        HALT
.routine f(n)
loop:   JMP loop
.endroutine

;;; Two routines can use the same names, and each has its own bytes.
        .call f(1)              ; = 2001 4000 e004
        .call g(2)              ; = 2002 4001 e00e
        HALT                    ; = e005
.routine f(n)
        .call h(n)              ; = 2000 4005 e009
.endroutine                     ; = e002
.routine g(n)
.var n2, 3
        LD n2                   ; = 2002
        LD n                    ; = 2001
.endroutine                     ; = e005
.routine h(n)
        LD n                    ; = 2005
.endroutine                     ; = e00f

;;; A routine reserves its parameters, result, call number and variables, in this order.
.var low
        .call f(#9)             ; = 0000 4003 0009 4001 e00b 2002
        .call f(low)            ; = 0001 4003 2000 4001 e00b 2002
        HALT                    ; = e00a
.routine f(n) -> m
.var big, 2
        ST big + 1              ; = 4005
.ram 9
.var moved
        ST moved                ; = 4009
.endroutine                     ; = 2003 a000 c00e e007
.var low2
        ST low2                 ; = 400a

;;; A routine that is never called reserves no memory.
.ram 0x1fdf
        HALT
.routine f(n)
.var big, 9
        ST big
.endroutine
.var last
        ST last                 ; = 5fdf

;;; A routine owns the variables of the macros it calls, and `#` arguments need no `.pool`.
.macro keep n
.var @kept
        LDI n
        ST @kept
.endmacro
        .call f(#-1, 0x1fff)    ; = 00ff 4000 3fff 4001 e005
        HALT                    ; = e007
.routine f(a, b)
        keep 1                  ; = 0001 4002
        keep 2                  ; = 0002 4003
.endroutine                     ; = e007

;;; A macro sees the names at its definition, and its arguments see those at the call.
.var n
.macro get m
        LD n
        LD m
.endmacro
        .call f(n)              ; = 2000 4001 e006
        HALT                    ; = e002
.routine f(n)
        get n                   ; = 2000 2001
.endroutine                     ; = e002

;;; `.return` jumps to the end of the routine, or directly to its only caller.
        .call f()               ; = e00c
        .call g()               ; = 0000 4000 e00f
        .call g()               ; = 0001 4000 e00f
        HALT                    ; = e004
.routine f()
        .return                 ; = e001
.endroutine                     ; = e001
.routine g()
        .return                 ; = e00a
        SHR                     ; = a000
.endroutine                     ; = 2000 a000 c004 e006

;;; A routine that only an uncalled routine calls is never called either. [warnings]
        HALT
.routine f()                    ; warning: routine `f` is never called
        .call g()
.endroutine
.routine g()                    ; warning: routine `g` is never called
        LDI 5
.endroutine
        .word 1                 ; warning: unreachable code

;;; An error in a routine that is never called is reported.
.routine f()
        LD nothing              ; error: undefined symbol `nothing`
        .call gone(nothing)     ; error: unknown routine `gone` ; error: undefined symbol `nothing`
.endroutine

;;; In an uncalled routine, the kinds of operands are checked, but not their numbers.
        HALT
.routine f()
  .var a
  .var b
        LDI #5                  ; error: `LDI` takes the number itself, without `#`
        ST #5                   ; error: `ST` cannot write to a constant: all uses of the value share its byte
        JMP #5                  ; error: `JMP` takes an instruction index, not a data byte
        LD "text"               ; error: expected a number, found a string
        .word "text"            ; error: expected a number, found a string
        .call g("text")         ; error: expected a number, found a string
        .call g(#5)
        LD b - 1
        ADD #5
.endroutine
.routine g(a)
.endroutine

;;; `$` in any argument of a call is the index of the call's first instruction.
        LDI 0                   ; = 0000
        .call f(#$, $)          ; = 0000 4002 0001 4000 2001 4001 e018
        .call f(#$, $ - 8)      ; = 0001 4002 0008 4000 2000 4001 e018
        HALT                    ; = e008
.routine f(a, b)
.endroutine                     ; = 2002 a000 c008 e00c

;;; An uncalled routine is reported in the program, but not in a library. [warnings]
.include "lib.asm"
        .call f()
        HALT
.routine own(a)                 ; warning: routine `own` is never called ; warning: variable `a` is never used
        .return
.endroutine
;;;; lib.asm
        JMP start
.routine f()
        .return
.endroutine
.routine g()
        .call f()
.endroutine
start:

;;; Code that runs into a routine without calling it is reported. [warnings]
.routine first()                ; warning: the program runs into routine `first` without calling it
        LDI 1
.endroutine
        .call first()           ; warning: unreachable code
        .call second()
        LDI 2
.routine second()               ; warning: the program runs into routine `second` without calling it
.endroutine

;;; Code that runs into a routine of an included file is reported. [warnings]
        .call f()
        SHR
.include "lib.asm"              ; warning: the program runs into routine `f` without calling it
;;;; lib.asm
.routine f()
.endroutine

;;; A repeat can define and call routines with names built from its index.
.repeat 2, i
        .call f{i}()            ; = e002 e007
.endrepeat
        HALT                    ; = e003
.repeat 2, i
.routine f{i}()
        LDI i                   ; = 0000 0001
.endroutine                     ; = e001 e003
.endrepeat

;;; A routine that calls itself is an error, and a note shows the call.
        .call f()
        HALT
.routine f()
        .call f()               ; error: recursive call of `f`: routines cannot recurse without a stack ; note: `f` calls `f` here @4
.endroutine

;;; Two routines that call each other are an error, and notes show the cycle.
        .call even(1)
        HALT
.routine even(n)
        .call odd(n)
.endroutine
.routine odd(n)
        .call help()
        .call even(n)           ; error: recursive call of `even`: routines cannot recurse without a stack ; note: `even` calls `odd` here @4 ; note: `odd` calls `even` here @8
.endroutine
.routine help()
.endroutine

;;; Recursion is an error even in uncalled routines, and each cycle is reported once.
.routine f()
        .call f()               ; error: recursive call of `f`: routines cannot recurse without a stack ; note: `f` calls `f` here @2
        .call g()
        .call g()
        .call f()
.endroutine
.routine g()
        .call f()               ; error: recursive call of `f`: routines cannot recurse without a stack ; note: `f` calls `g` here @3 ; note: `g` calls `f` here @8
.endroutine

;;; A call of an unknown routine or with wrong arguments is an error.
.macro m
.endmacro
        .call multply(1, 2)     ; error: unknown routine `multply` ; help: did you mean `multiply`?
        .call multiply(1)       ; error: `multiply` takes 2 arguments, not 1 ; note: the routine is defined here @10
        .call m()               ; error: unknown routine `m` ; help: `m` is a macro, which is called without `.call`
        multiply 1, 2           ; error: unknown instruction `multiply` ; help: `multiply` is a routine: `.call multiply(…)`
        JMP multiply            ; error: undefined symbol `multiply` ; help: `multiply` is a routine: `.call multiply(…)`
        .call multiply(1, 9999) ; error: a data address must be 0 to 8191, not 9999
        .call multiply(1, #256) ; error: a value after `#` must be -128 to 255, not 256
.routine multiply(a, b)
.endroutine

;;; A misplaced `.return`, `.routine` or `.endroutine` is an error.
        .return                 ; error: `.return` outside a routine
.routine f()
.routine g()                    ; error: routines cannot be nested
.endroutine
        .call g()
.endroutine
.endroutine                     ; error: `.endroutine` without an open block
.routine f()                    ; error: routine `f` is defined twice ; note: `f` is first defined here @2
.endroutine
.struct s
.routine h()                    ; error: a structure can contain only variables
.endroutine
        .return                 ; error: a structure can contain only variables
.endstruct
        .call h()

;;; An invalid `.routine` line is reported, but calls of its routine are not.
.routine f(                     ; error: this `(` is never closed
        .call f()
.endroutine
.routine g() -> 5               ; error: expected a name, found `5` ; help: its form is `.routine name(parameter, …) -> result`
.endroutine
.routine ADD()                  ; error: `ADD` is reserved: it is the name of an instruction
.endroutine
.routine @h()                   ; error: routines cannot be local
.endroutine
.routine i(a, a)                ; error: variable `a` is defined twice ; note: `a` is first defined here @10
.endroutine
        .call f(1)
        .call g()
        .call i(1, 2)
        .call i 1, 2            ; error: expected `(`, found `1` ; help: its form is `.call name(argument, …)`

;;; An unclosed routine is one error, even if the code above uses a label in it.
        .call f()
        JMP later
.routine f()                    ; error: this `.routine` has no `.endroutine`
later:

;;; The variables of a routine cannot overlap the panel's memory.
.ram 0x1fdd
        .call f(1)
        HALT
.routine f(a) -> b
.var c
.var d                          ; error: variable `d` would take 0x1fe0 to 0x1fe0, but the panel's memory starts at 0x1fe0
.endroutine

;;; The parameters and the result of a routine cannot overlap the panel's memory.
.ram 0x1fdf
        .call f(1)
        HALT
.routine f(a) -> b              ; error: the bytes of `f` would take 0x1fdf to 0x1fe0, but the panel's memory starts at 0x1fe0
.endroutine

;;; A routine can have at most 256 callers.
.repeat 257
        .call f()
.endrepeat
.routine f()                    ; error: `f` is called from 257 places; at most 256 are allowed
.endroutine

;;; Routines whose placement never becomes stable are an error.
        .call f()
here:
.if here < 3
        .call f()
.endif
.routine f()                    ; error: cannot place the routines: each placement changes which of them are called
.endroutine

;;; Suggestions offer a routine's names only in that routine.
        .call f()
        .call g()
        HALT
.routine f()
.var    counter
        LD  countr      ; error: undefined symbol `countr` ; help: did you mean `counter`?
.endroutine
.routine g()
        LD  countre     ; error: undefined symbol `countre`
.endroutine

;;; A condition in a routine can use only names that are defined above.
        .call f()
        HALT
.routine f()
.if late                ; error: `late` is not known yet: the condition of `.if` can use only what is defined above ; note: it is defined here @6
.endif
late = 1
        SHR
.endroutine

;;; `#5` is a byte that holds 5, and `.pool` stores each value once.
.pool                   ; = 0005 4000 00ff 4001 0080 4002
        ADD #5          ; = 6000
        NAND #0xff      ; = 8001
        ADD #5          ; = 6000
        ADD #-1         ; = 6001
        LD #2 + 3       ; = 2000
        NAND #-128      ; = 8002

;;; The bytes of the pool are between the variables above and below the `.pool`.
.var before
.pool                   ; = 0001 4001
.var behind
        ADD #1          ; = 6001
        ST before       ; = 4000
        ST behind       ; = 4002

;;; A value after `#` can use later names, and indexes that change with the pool.
        LDI after       ; = 0007
.pool                   ; = 0003 4000 0007 4001 0008 4002
after:  ADD #LATER      ; = 6000
        ADD #after      ; = 6001
        ADD #after + 1  ; = 6002
LATER = 3

;;; Assertions and conditions see the final indexes, after the pool has moved them.
.pool                   ; = 0001 4000
        ADD #1          ; = 6000
        .assert $ == 3, "the pool is planted above"
.if $ == 3
        LDI 7           ; = 0007
.endif

;;; A `#` byte can be an argument, a default or a constant, and is stored only if it is used.
.pool                   ; = 0001 4000 00ff 4001 0009 4002
one = #1
unused = #77
.macro add_to address, by = one
        LD address
        ADD by
.endmacro
.macro ignore n
        SHR
.endmacro
        add_to 100              ; = 2064 6000
        add_to 100, #-1         ; = 2064 6001
        add_to #9, by = #1      ; = 2002 6000
        ignore #50              ; = a000
        LD 1 ? #9 : #8          ; = 2002

;;; A whole conditional expression can follow `#`.
.pool                   ; = 0009 4000
        LD #0 ? 8 : 9   ; = 2000

;;; A `.pool` without values emits no instructions.
.pool
        LDI 1           ; = 0001

;;; The pool also moves indexes that depend on an included file and a repeat.
.pool                   ; = 0004 4000 0005 4001
.include "lib.asm"
        JMP there       ; = e00a
;;;; lib.asm
.repeat 2, i
        ADD #after{i}   ; = 6000 6001
after{i} = 4 + i
.endrepeat
        NAND #4         ; = 8000
        NAND #5         ; = 8001
        SHR             ; = a000
        SHR             ; = a000
        SHR             ; = a000
        SHR             ; = a000
there:

;;; A missing `.pool` is reported once.
        LD #3           ; error: `#` needs a `.pool`, and there is none ; help: write `.pool` where the program starts: it initialises the bytes there
        ADD #4
        NAND #4

;;; A second `.pool` is an error.
.pool
        SHR
.pool                   ; error: there are two `.pool`s ; note: the first one is here @1

;;; After an invalid `.pool` line, the pool is not also reported as missing.
.pool 5                 ; error: expected the end of the line, found `5`
        ADD #4

;;; If an included file is missing, the pool is not also reported as missing.
.include "none.asm"     ; error: cannot include `none.asm`: no such file
        ADD #4

;;; Only instructions that read data can use a `#` byte.
.pool
x:      ST  #5          ; error: `ST` cannot write to a constant: all uses of the value share its byte
        LDI #5          ; error: `LDI` takes the number itself, without `#`
        JMP #x          ; error: `JMP` takes an instruction index, not a data byte
        JC  #x          ; error: `JC` takes an instruction index, not a data byte
.macro put from, to
        LD from
        ST to           ; error: `ST` cannot write to a constant: all uses of the value share its byte
.endmacro
        put #1, #2

;;; A `#` byte cannot be used in a calculation.
.pool
five = #5
        LD five + 1     ; error: expected a number, found a data byte
        LD 1 + #5       ; error: expected a value, found `#`
        LD (#5)
        LD (#5) + 1     ; error: expected a number, found a data byte
.if five                ; error: expected a number, found a data byte
.endif
        LDI len(five)   ; error: expected a string, found a data byte
        LD #five        ; error: expected a number, found a data byte

;;; A value after `#` must fit into a byte, with or without a sign.
.pool
        ADD #255
        ADD #-128
        ADD #256        ; error: a value after `#` must be -128 to 255, not 256
        ADD #-129       ; error: a value after `#` must be -128 to 255, not -129
        ADD #nowhere    ; error: undefined symbol `nowhere`
        ADD #"a"        ; error: expected a number, found a string
        ADD #           ; error: expected a value, found the end of the line

;;; The pool cannot overlap the panel's memory.
.ram 0x1fdf
.pool                   ; error: the bytes of `.pool` would take 0x1fdf to 0x1fe0, but the panel's memory starts at 0x1fe0
        ADD #1
        ADD #2

;;; A pool whose size never becomes stable is an error.
.pool                   ; error: cannot compute the size of the pool: values after `#` depend on indexes that change with it
x:      ADD #0
        ADD #x == 4 ? 0 : 1

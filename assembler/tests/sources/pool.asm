;;; `#5` is a byte of data memory that holds 5; `.pool` plants one for each value.
.pool                   ; = 0005 4000 00ff 4001 0080 4002
        ADD #5          ; = 6000
        NAND #0xff      ; = 8001
        ADD #5          ; = 6000
        ADD #-1         ; = 6001
        LD #2 + 3       ; = 2000
        NAND #-128      ; = 8002

;;; The bytes stand among the variables, where the `.pool` stands.
.var before
.pool                   ; = 0001 4001
.var behind
        ADD #1          ; = 6001
        ST before       ; = 4000
        ST behind       ; = 4002

;;; A value may look forward, and depend on what the pool moves.
        LDI after       ; = 0007
.pool                   ; = 0003 4000 0007 4001 0008 4002
after:  ADD #LATER      ; = 6000
        ADD #after      ; = 6001
        ADD #after + 1  ; = 6002
LATER = 3

;;; What is asked of indexes is true of the final ones.
.pool                   ; = 0001 4000
        ADD #1          ; = 6000
        .assert $ == 3, "the pool is planted above"
.if $ == 3
        LDI 7           ; = 0007
.endif

;;; Arguments, defaults and constants may be such bytes; only what an instruction uses is planted.
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

;;; A conditional behind `#` is all of its value.
.pool                   ; = 0009 4000
        LD #0 ? 8 : 9   ; = 2000

;;; A pool without constants.
.pool
        LDI 1           ; = 0001

;;; Indexes that hang on a file and a repeat move as well.
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

;;; Without `.pool` nothing initialises the bytes. One mistake, one error.
        LD #3           ; error: `#` needs a `.pool`, and there is none ; help: write `.pool` where the program starts: it initialises the bytes there
        ADD #4
        NAND #4

;;; One is enough.
.pool
        SHR
.pool                   ; error: there are two `.pool`s ; note: the first one is here @1

;;; A bad line may have held the `.pool`, a lost file too.
.pool 5                 ; error: expected the end of the line, found `5`
        ADD #4

;;; A file that is not there may hold the `.pool`.
.include "none.asm"     ; error: cannot include `none.asm`: no such file
        ADD #4

;;; Only instructions that read take such a byte.
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

;;; It is not a number to calculate with.
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

;;; A value fits a byte, with or without a sign.
.pool
        ADD #255
        ADD #-128
        ADD #256        ; error: a value after `#` must be -128 to 255, not 256
        ADD #-129       ; error: a value after `#` must be -128 to 255, not -129
        ADD #nowhere    ; error: undefined symbol `nowhere`
        ADD #"a"        ; error: expected a number, found a string
        ADD #           ; error: expected a value, found the end of the line

;;; The panel's memory is not the pool's.
.ram 0x1fdf
.pool                   ; error: the bytes of `.pool` would take 0x1fdf to 0x1fe0, but the panel's memory starts at 0x1fe0
        ADD #1
        ADD #2

;;; Two bytes, then one, then two: there is no end to this.
.pool                   ; error: cannot compute the size of the pool: values after `#` depend on indexes that change with it
x:      ADD #0
        ADD #x == 4 ? 0 : 1

; Short words for what programs do all the time. Each says how many instructions it takes.
; All of them leave C as it was.

; to <- the byte at from. 2 instructions; A holds the byte afterwards.
.macro copy from, to
        LD   from
        ST   to
.endmacro

; to <- value, a number known to the assembler. 2 instructions; A holds the number afterwards.
.macro set to, value
        LDI  value
        ST   to
.endmacro

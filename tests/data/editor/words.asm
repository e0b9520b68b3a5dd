; Words.

; to <- the byte at from. Twice as good.
.macro copy from, to
        LD   from
        ST   to
.endmacro

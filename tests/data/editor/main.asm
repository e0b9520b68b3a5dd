; é𝄞 A program.
.title "é𝄞"
.include "lib/panel.asm"
.include "words.asm"
.allow carry
SIZE    = 6 * 7
.var total, 2                   ; é𝄞
.struct point
  .var x
.endstruct

.macro twice to, value = SIZE
        LDI  value
@again: ST   to
.endmacro
.function half(n) = max(n, 1) / 2

; One.
; Two.
; Three.
start:  twice total
@loop:  JC   @loop
.repeat 2, n
row{n}: LDI  len("é𝄞") > 0 ? half(n) : SIZE ; é𝄞
.endrepeat
        twice total, value = 3
        copy total, total + 1
        .call show(5, 6)
done:   HALT

.routine show(a, b) -> c
  .var rest
        LD   a
        ST   c
.endroutine

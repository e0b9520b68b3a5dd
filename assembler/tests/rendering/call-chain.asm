; A range error deep in macros and repeats shows the way there.
.macro load n
        LDI n           ; too large in the end
.endmacro
.macro powers base
  .repeat 4, i
        load base << 2 * i
  .endrepeat
.endmacro
        powers 2
        powers 8

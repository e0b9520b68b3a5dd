.macro down n
  .if n == 0
        LDI 256
  .else
        down n - 1
  .endif
.endmacro
        down 20

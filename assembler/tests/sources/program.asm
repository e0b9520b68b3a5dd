;;; A small complete program, seven times six by addition, assembles.
; seven times six, by adding
SIX   = 6                       ; a constant (operands may use it before its definition)
.var  total                     ; one byte of data memory
.var  table, 8                  ; eight bytes
.var  six

start:  LDI SIX                 ; = 0006
        ST  six                 ; = 4009
        LDI 0                   ; = 0000
.repeat 7                       ; = 6009 6009 6009 6009 6009 6009 6009
        ADD six                 ; = 6009 6009 6009 6009 6009 6009 6009
.endrepeat
        ST  total               ; = 4000
        ST  0x1fff              ; = 5fff
done:   HALT                    ; = e00a

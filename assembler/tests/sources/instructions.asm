;;; Every instruction has the right encoding, in upper and lower case.
        LDI 5           ; = 0005
        LD  5           ; = 2005
        ST  5           ; = 4005
        ADD 5           ; = 6005
        NAND 5          ; = 8005
        SHR             ; = a000
        JC  5           ; = c007
        JMP 5           ; = e007
        HALT            ; = e00c
        ldi 5           ; = 0005
        Nand 5          ; = 8005
        shr             ; = a000
        halt            ; = e00a

;;; A jump encodes its target in Gray code.
        JMP 0           ; = e000
        JMP 1           ; = e001
        JMP 2           ; = e003
        JMP 3           ; = e002
        JMP 0x1555      ; = ffff
        JMP 8191        ; = f000
        JC  8191        ; = d000

;;; The smallest and largest operands are accepted.
        LDI -128        ; = 0080
        LDI 255         ; = 00ff
        LD  0           ; = 2000
        LD  8191        ; = 3fff
        ST  8191        ; = 5fff
        ADD 8191        ; = 7fff
        NAND 8191       ; = 9fff
        .word 0         ; = 0000
        .word 65535     ; = ffff

;;; An operand just outside its range is an error.
        LDI -129        ; error: the operand of LDI must be -128 to 255, not -129
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256
        LD  -1          ; error: a data address must be 0 to 8191, not -1
        LD  8192        ; error: a data address must be 0 to 8191, not 8192
        ST  8192        ; error: a data address must be 0 to 8191, not 8192
        ADD 8192        ; error: a data address must be 0 to 8191, not 8192
        NAND 8192       ; error: a data address must be 0 to 8191, not 8192
        JC  8192        ; error: a jump target must be 0 to 8191, not 8192
        JMP 8192        ; error: a jump target must be 0 to 8191, not 8192
        JMP -1          ; error: a jump target must be 0 to 8191, not -1
        .word -1        ; error: a word must be 0 to 65535, not -1
        .word 65536     ; error: a word must be 0 to 65535, not 65536

;;; A wrong number of operands is an error.
        LDI             ; error: `LDI` takes 1 operand, not 0
        jmp 1, 2        ; error: `JMP` takes 1 operand, not 2
        SHR 1           ; error: `SHR` takes no operand, not 1
        HALT 1          ; error: `HALT` takes no operand, not 1
        LDI n = 1       ; error: expected a value, found the name of a parameter: `LDI` is not a macro

;;; A string cannot be an operand.
        LDI "a"         ; error: expected a number, found a string

;;; A mnemonic cannot be used as a name, in upper or lower case.
add:    SHR             ; error: `add` is reserved: it is the name of an instruction
Jmp = 5                 ; error: `Jmp` is reserved: it is the name of an instruction
.var ST                 ; error: `ST` is reserved: it is the name of an instruction
.macro halt             ; error: `halt` is reserved: it is the name of an instruction
.endmacro
.macro m ldi            ; error: `ldi` is reserved: it is the name of an instruction
.endmacro
.repeat 2, shr          ; error: `shr` is reserved: it is the name of an instruction
.endrepeat

;;; A label without a colon is reported, and the rest of the line is still read.
loop    ST 0x1fe0       ; error: the label `loop` has no colon ; help: for a label, write `loop:`
again   SHR             ; error: the label `again` has no colon ; help: for a label, write `again:`
@here   LDI -1          ; error: the label `@here` has no colon ; help: for a label, write `@here:`
        JMP @here
a: row{1} ADD #1        ; error: the label `row{1}` has no colon ; help: for a label, write `row{1}:` ; error: `#` needs a `.pool`, and there is none ; help: write `.pool` where the program starts: it initialises the bytes there
count   .var x          ; error: the label `count` has no colon ; help: for a label, write `count:`
wrong   LDI 256         ; error: the label `wrong` has no colon ; help: for a label, write `wrong:` ; error: the operand of LDI must be -128 to 255, not 256
        JMP loop
        JMP again
        JMP row1
        JMP count
        LD  x
        JMP wrong

;;; A name that is alone on its line may be a label.
loop                    ; error: unknown instruction `loop` ; help: for a label, write `loop:`
        again           ; error: unknown instruction `again` ; help: for a label, write `again:`
        JMP loop        ; error: undefined symbol `loop`
        frob 5          ; error: unknown instruction `frob`

;;; A missing colon before a macro call is recognised only at the start of a line.
        .macro twice byte
        LD   byte
        ADD  byte
        .endmacro
        .var sec
tick    twice sec       ; error: the label `tick` has no colon ; help: for a label, write `tick:`
        twice sec sec   ; error: expected an operator or the end of the line, found `sec`
twice   sec
        JMP  tick

;;; Errors for the constants, data and sections of other assemblers show what to write here.
FIVE EQU 5              ; error: expected an operator or the end of the line, found `5` ; help: define a constant with `NAME = value`
SIX .equ 6              ; error: expected a value or the end of the line, found `.equ` ; help: define a constant with `NAME = value`
.equ SEVEN, 7           ; error: unknown directive `.equ` ; help: define a constant with `NAME = value`
#define EIGHT 8         ; error: expected an instruction, found `#` ; help: define a constant with `NAME = value`
#include "file"         ; error: expected an instruction, found `#` ; help: did you mean `.include`?
.db 1, 2                ; error: unknown directive `.db` ; help: a program fills data memory itself: reserve a byte with `.var name` and store to it, or write `#5` for a byte that `.pool` initialises to 5
table: DB 1, 2          ; error: unknown instruction `DB` ; help: a program fills data memory itself: reserve a byte with `.var name` and store to it, or write `#5` for a byte that `.pool` initialises to 5
.ds 8                   ; error: unknown directive `.ds` ; help: `.var name, size` reserves data memory
.data                   ; error: unknown directive `.data` ; help: there are no sections: instructions go to program memory, every `.var` to data memory
.global main            ; error: unknown directive `.global` ; help: all files of a program share their names; `.include "file"` includes one
.endr                   ; error: unknown directive `.endr` ; help: `.endrepeat` ends a repeat
        LDI FIVE + SIX
.end                    ; error: unknown directive `.end` ; help: `HALT` ends a program

;;; Without a word like `EQU`, a line does not count as the definition of a constant.
        five six 5      ; error: expected an operator or the end of the line, found `5`
        JMP five        ; error: undefined symbol `five`
        7 EQU 5         ; error: expected an instruction, found `7` ; help: define a constant with `NAME = value`

;;; The error for a directive without its dot suggests the directive.
org 0                   ; error: unknown instruction `org` ; help: did you mean `.org`?
var x                   ; error: unknown instruction `var` ; help: did you mean `.var`?
var x 5                 ; error: expected an operator or the end of the line, found `5` ; help: did you mean `.var`?
macro clear at          ; error: expected an operator or the end of the line, found `at` ; help: did you mean `.macro`?

;;; The error for a number in another assembler's notation shows how to write it here.
        LDI $FF         ; error: expected an operator or the end of the line, found `FF` ; help: a hexadecimal number starts with `0x`: `0xFF`
        LDI #$1F        ; error: expected an operator or the end of the line, found `1F` ; help: a hexadecimal number starts with `0x`: `0x1F`
        LDI 0FFh        ; error: `0FFh` is not a number ; help: a hexadecimal number starts with `0x`: `0xFF`
        LDI FFh         ; error: undefined symbol `FFh` ; help: a hexadecimal number starts with `0x`: `0xFF`
        LDI 1F          ; error: `1F` is not a number ; help: a hexadecimal number starts with `0x`: `0x1F`
        LDI 101b        ; error: `101b` is not a number ; help: a binary number starts with `0b`: `0b101`
        LDI %1010       ; error: expected a value or the end of the line, found `%` ; help: a binary number starts with `0b`: `0b1010`
        LDI 5 $         ; error: expected an operator or the end of the line, found `$`
        LDI 5 % 2 2     ; error: expected an operator or the end of the line, found `2`
        LDI 0b2         ; error: `0b2` is not a number

;;; The error for another assembler's comment says that a comment starts with `;`.
        LDI 5 // five   ; error: expected a value, found `/` ; help: a comment starts with `;`
# five                  ; error: expected an instruction, found `#` ; help: a comment starts with `;`

;;; Errors for instructions and operands that this machine lacks say what to use instead.
        NOP             ; error: unknown instruction `NOP` ; help: `JMP $ + 1` does nothing
        sub x, 5        ; error: unknown instruction `sub` ; help: `lib/std.asm` has a macro `subtract`
        jsr start       ; error: unknown instruction `jsr` ; help: `.routine name(…)` defines a routine, `.call name(…)` calls it
        ADDI 1          ; error: unknown instruction `ADDI` ; help: `ADD #5` adds the number 5
        subi 1          ; error: unknown instruction `subi` ; help: `ADD #-5` subtracts the number 5
        andi 7          ; error: unknown instruction `andi` ; help: `NAND #5` combines A with the number 5; `lib/std.asm` has a macro `and`
        addi $t0, $t0, 1 ; error: expected an operator or the end of the line, found `t0` ; help: `ADD #5` adds the number 5
        li  $a0, 5      ; error: expected an operator or the end of the line, found `a0` ; help: `LDI 5` loads the number 5 into A
        beq $t0, $zero, loop ; error: expected an operator or the end of the line, found `t0` ; help: A is the only register: reserve a byte with `.var t0`, and write `t0` for it; `beq t0, #5, loop` compares it with 5, with the macro `beq` of `lib/std.asm`
        bne $zero, x, loop ; error: expected an operator or the end of the line, found `zero` ; help: A is the only register: write `#0` for the number 0; `bne x, #5, loop` compares it with 5, with the macro `bne` of `lib/std.asm`
        add $s1, $a0    ; error: expected an operator or the end of the line, found `s1` ; help: A is the only register: reserve a byte with `.var s1`, and write `s1` for it
        LD  $a0         ; error: expected an operator or the end of the line, found `a0` ; help: a hexadecimal number starts with `0x`: `0xa0`
        PUSH A          ; error: unknown instruction `PUSH` ; help: there is no stack; reserve a byte with `.var name`
        LD  A, 5        ; error: `LD` takes 1 operand, not 2 ; help: A is the only register, so it is not written
        LD  [5]         ; error: expected a value or the end of the line, found `[` ; help: there is no indirect addressing: the operand is the address itself

;;; A word of other assemblers gets no special help if the program defines it.
.macro set to, value
        LDI value
        ST  to
.endmacro
data    = 5
        set data, 6
        set data 6      ; error: expected an operator or the end of the line, found `6`

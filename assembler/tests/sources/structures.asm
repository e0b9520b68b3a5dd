;;; A structure defines its offsets and size as constants and reserves no memory.
.struct piece
.var column
.var row, 2
  .var colour                   ; indentation is free
.endstruct
.var first, piece
.var others, 3 * piece
.var behind
        LDI piece               ; = 0004
        LDI piece_column        ; = 0000
        LDI piece_row           ; = 0001
        LDI piece_colour        ; = 0003
        LD  first + piece_row   ; = 2001
        ST  others + 2 * piece + piece_colour ; = 400f
        LD  behind              ; = 2010

;;; A structure can contain other structures, repeats, conditions and constants.
.struct point
x = 8
.var x
.var y, x / 8
.endstruct
.struct line
.var from, point
.var to, point
.repeat 2, i
.var mark{i}
.endrepeat
.if 0
.var never
.endif
.endstruct
        LDI line_to + point_y   ; = 0003
        LDI line_mark1          ; = 0005
        LDI line                ; = 0006

;;; A variable that a condition skips is not part of the structure.
.struct line
.if 0
.var never
.endif
.endstruct
        LDI line_never          ; error: undefined symbol `line_never`

;;; A structure can be empty, have a local name, or have a number in its name.
.struct nothing
.endstruct
start:
.struct @own
.var a, 3
.endstruct
.struct s{1 + 1}
.var a
.var b
.endstruct
        LDI nothing             ; = 0000
        LDI @own + @own_a       ; = 0003
        LDI s2_b                ; = 0001

;;; Instructions, nested structures and local variables in a structure are errors.
.struct s
x:      LDI 1                   ; error: a structure can contain only variables ; error: a structure can contain only variables
.org 5                          ; error: a structure can contain only variables
.include "a.asm"                ; error: a structure can contain only variables
.var @local                     ; error: the variables of a structure cannot be local
.struct t                       ; error: a structure can contain only variables
.var inner
.endstruct
.var b
.endstruct
        LDI s_b
        JMP x

;;; A structure and its variables must not have names that are already defined.
.struct s
.var a
.var a                          ; error: constant `s_a` is defined twice ; note: `s_a` is first defined here @2
.endstruct
s = 5                           ; error: constant `s` is defined twice ; note: `s` is first defined here @1

;;; Invalid, oversized and unclosed structures are errors.
.struct 5                       ; error: expected a name, found `5` ; help: its form is `.struct name`
.var a
.endstruct
.endstruct                      ; error: `.endstruct` without an open block
        LDI anything_a
.struct large
.var a, 8192
.var b                          ; error: the size of a structure must be 0 to 8192, not 8193
.endstruct
        LDI large_b
.struct open                    ; error: this `.struct` has no `.endstruct`
.var a

;;; A structure reserves no memory, so it has no seed. A seed is a global variable.
.struct dice
.seed first             ; error: a seed must be a variable of the whole program ; help: reserve it outside `.struct`, with a name without `@`
.endstruct
start:
.seed @second           ; error: a seed must be a variable of the whole program ; help: reserve it outside `.struct`, with a name without `@`
        LD  dice_first
        LD  @second

;;; A seed takes as much memory as a variable.
.seed first, 2
.var second
        LD  first + 1           ; = 2001
        LD  second              ; = 2002

;;; A label is the index of the next instruction, and a line can have several labels.
a: b:   JMP c           ; = e001
c       :
   d:   JMP a           ; = e000
        JMP c           ; = e001
        JMP d           ; = e001
        JMP $           ; = e006
        JMP $ - 1       ; = e006
e:
        .assert c == 1 && d == 1 && e == 6

;;; Names are case-sensitive.
one = 1
One = 2
        LDI one         ; = 0001
        LDI One         ; = 0002

;;; Operands and constants can use names that are defined further down.
        LDI LATER       ; = 0007
        JMP end         ; = e003
LATER = LATEST + 1
LATEST = end * 3
end:

;;; `$` in a constant is the index where the constant is defined, not where it is used.
        SHR             ; = a000
HERE = $
        SHR             ; = a000
        LDI HERE        ; = 0001

;;; Variables are placed from address 0 on, and `.ram` sets the next address.
.var a
.var b, 8
.var none, 0
.var c
.ram 0x100
.var d, 2
.var e
        LD a            ; = 2000
        LD b            ; = 2001
        LD b + 7        ; = 2008
        LD none         ; = 2009
        LD c            ; = 2009
        LD d            ; = 2100
        LD e            ; = 2102

;;; A constant can be a string.
WORD = "hi"
        LDI char(WORD, len(WORD) - 1)   ; = 0069

;;; A local label can be defined again after the next global label.
first:
@x:     JMP @x          ; = e000
        JMP @y          ; = e003
@y:
second:
@x:     JMP @x          ; = e003

;;; A local label is not visible after the next global label.
first:
@yes:
second:
@yet:   JMP @yes        ; error: undefined symbol `@yes` ; note: `@yes` belongs to the lines from `first` to `second` @2 ; help: did you mean `@yet`?

;;; The lines before the first global label have their own local labels.
@x:     JMP @x          ; = e000
first:
@x:     JMP @x          ; = e001

;;; Local constants and variables belong to their local scope.
first:
@n = 1
.var @v
        LDI @n          ; = 0001
        ST  @v          ; = 4000
second:
@n = 2
.var @v
        LDI @n          ; = 0002
        ST  @v          ; = 4001

;;; A name can contain several numbers in braces, in definitions and in uses.
n = 2
row{n}:         SHR
row{n + 1}_x:   SHR
@p{n}_{n * 2}:  SHR
v{n}{n} = 7
.var b{lo(n)}
        JMP row2        ; = e000
        JMP row{4 / n}  ; = e000
        JMP row3_x      ; = e001
        JMP @p2_4       ; = e003
        JMP @p{n}_4     ; = e003
        LDI v22         ; = 0007
        LD  b{n}        ; = 2000

;;; A number in a name must not be negative, and must be defined above.
n = -1
x{n}:                   ; error: a number in a name must not be negative, but is -1
        LDI y{0 - 3}    ; error: a number in a name must not be negative, but is -3
z = later               ; error: `later` is not known yet: the number in a name can use only what is defined above ; note: it is defined here @6 ; note: it is needed here @5
w{z} = 5
later = 1

;;; A number in the name of an operand must also be defined above.
a1 = 5
        LDI a{one}      ; error: `one` is not known yet: the number in a name can use only what is defined above
one = 1
        LDI a{one}

;;; A name that is defined twice is an error.
a:
a = 5                   ; error: constant `a` is defined twice ; note: `a` is first defined here @1
.var a                  ; error: variable `a` is defined twice ; note: `a` is first defined here @1
a:                      ; error: label `a` is defined twice ; note: `a` is first defined here @1
@b:
@b:                     ; error: label `@b` is defined twice ; note: `@b` is first defined here @5

;;; The error for an undefined name suggests a similar name.
start:  SHR
counter = 5
.var total
        JMP strat       ; error: undefined symbol `strat` ; help: did you mean `start`?
        LDI Counter     ; error: undefined symbol `Counter` ; help: did you mean `counter`?
        LD  totla       ; error: undefined symbol `totla` ; help: did you mean `total`?
        LD  elsewhere   ; error: undefined symbol `elsewhere`
        LD  add         ; error: undefined symbol `add`

;;; A constant that depends on itself is an error.
A = A                   ; error: `A` is defined in terms of itself
B = C                   ; error: `B` is defined in terms of itself ; note: the cycle is B -> C -> B
C = B + 1
        LDI B
        LDI C + A

;;; An error in a constant is reported once, however often the constant is used.
BAD = 1 / 0             ; error: division by zero
WORSE = BAD + 1
        LDI BAD
        LDI WORSE

;;; Of several equally close names, the one with the same beginning is suggested.
        LDD 5           ; error: unknown instruction `LDD` ; help: did you mean `LDI`?
        NADD 5          ; error: unknown instruction `NADD` ; help: did you mean `NAND`?
counts = 1
mounts = 2
        LDI countr      ; error: undefined symbol `countr` ; help: did you mean `counts`?

;;; The error for a local name that is out of scope says where the name is visible.
        JMP @early      ; error: undefined symbol `@early` ; note: `@early` belongs to the lines from `a` to `b` @4
        LDI @count      ; error: undefined symbol `@count` ; note: `@count` belongs to the lines from `b` on @6
a:      JMP @last       ; error: undefined symbol `@last` ; note: `@last` belongs to the lines from `b` on @8
@early: JMP @early
b:
@count = 3
.if @count
@last:  JMP @last
.endif

;;; The error for a name that is defined in a block says which block defines it.
        JMP @again      ; error: undefined symbol `@again` ; note: `@again` belongs to this `.repeat` @6
        LD  @save       ; error: undefined symbol `@save` ; note: `@save` belongs to the macro `keep` @9
        LDI n           ; error: undefined symbol `n` ; note: `n` is a parameter of this function, visible only in its expression @4
.function twice(n) = 2 * n
.repeat 2
@again: JMP @again
.endrepeat
.macro keep
  .var @save
        ST  @save
.endmacro
        LD  column      ; error: undefined symbol `column` ; note: `column` is called `ball_column` outside its structure @14
.struct ball
  .var column
.endstruct
.if twice(0)
other:  SHR
.endif
        JMP other       ; error: undefined symbol `other` ; note: `other` is defined here, in lines that are not assembled @17
        keep

;;; A label with a reserved name adds no error about the local names around it.
a:      JMP @x
halt:   SHR             ; error: `halt` is reserved: it is the name of an instruction
@x:     JMP a

;;; A local name may be defined before and after a label with a reserved name.
@x:     JMP @x
Add:    SHR             ; error: `Add` is reserved: it is the name of an instruction
@x:     JMP @x

;;; An `.if` with an invalid condition adds no error about a `.pool` that it contains.
.if nowhere             ; error: undefined symbol `nowhere`
.pool
.endif
        LD #3

;;; An `.if` with an invalid condition adds no errors about the names that it defines.
.if nowhere             ; error: undefined symbol `nowhere`
x = 5
.macro m
.endmacro
.routine r()
.endroutine
.function f() = 1
.endif
        LDI x + f()
        m
        .call r()

;;; An `.if` with an invalid condition adds no error about a name that its `.include` may define.
.if nowhere             ; error: undefined symbol `nowhere`
.include "f"
.endif
        JMP y

;;; A `.repeat` with an invalid count adds no errors about names that are built from its index.
.repeat nowhere, i      ; error: undefined symbol `nowhere`
x{i} = 5
.endrepeat
        LDI x0

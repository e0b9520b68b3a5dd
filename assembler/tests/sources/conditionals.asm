;;; The first branch whose condition is not 0 counts.
n = 2
.if n == 1
        LDI 1
.elseif n == 2
        LDI 2           ; = 0002
.elseif n == 2
        LDI 3
.else
        LDI 4
.endif
.if 0
        LDI 5
.else
        LDI 6           ; = 0006
.endif
.if -1
        LDI 7           ; = 0007
.endif

;;; Branches that are not taken are parsed, not resolved.
.if 0
        JMP nowhere
        frobnicate 1, 2
x:
.include "nothing.asm"
.org 1 / 0
.if nowhere
.endif
.else
x:      SHR             ; = a000
.endif

;;; Branches that are not taken are parsed.
.if 0
        LDI 1 +         ; error: expected a value, found the end of the line
.endif

;;; A condition uses what is defined above.
.if later               ; error: `later` is not known yet: the condition of `.if` can use only what is defined above ; note: it is defined here @7
a:
.elseif 1
b:
.else
.endif
later = 1
.if 0
.elseif later2          ; error: `later2` is not known yet: the condition of `.elseif` can use only what is defined above ; note: it is defined here @11
.endif
later2 = 1
        JMP a
        JMP b

;;; Blocks end, in order.
.if 1
.else
.elseif 1               ; error: `.elseif` after the `.else` of its `.if`
.else                   ; error: `.else` after the `.else` of its `.if`
.endif
.else                   ; error: `.else` without an open block
.elseif 1               ; error: `.elseif` without an open block
.endif                  ; error: `.endif` without an open block
.endrepeat              ; error: `.endrepeat` without an open block
.endmacro               ; error: `.endmacro` without an open block

;;; A block without an end: what it holds still counts.
.if 1                   ; error: this `.if` has no `.endif`
a:      SHR
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256
        JMP a

;;; A block without an end inside one that has it.
.repeat 2
.if 1                   ; error: this `.if` has no `.endif`
        SHR
.endrepeat
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; Labels on the lines of a block stand where they stand.
a: .if 1
        SHR             ; = a000
b: .else
c: .endif
        SHR             ; = a000
.assert a == 0 && b == 1

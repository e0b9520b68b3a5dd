;;; `.if` assembles the first branch whose condition is not 0.
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

;;; Names and files in a skipped branch are not looked up.
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

;;; A syntax error in a skipped branch is reported.
.if 0
        LDI 1 +         ; error: expected a value, found the end of the line
.endif

;;; A condition can use only names that are defined above.
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

;;; A branch after `.else` is an error, and so is a branch or an end without an open block.
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

;;; The lines of an unclosed `.if` define their names and are checked.
.if 1                   ; error: this `.if` has no `.endif`
a:      SHR
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256
        JMP a

;;; `.endrepeat` closes its repeat even if an `.if` inside has no end.
.repeat 2
.if 1                   ; error: this `.if` has no `.endif`
        SHR
.endrepeat
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; A label on the line of an `.if` or `.else` is the index of the next instruction.
a: .if 1
        SHR             ; = a000
b: .else
c: .endif
        SHR             ; = a000
.assert a == 0 && b == 1

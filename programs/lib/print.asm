; Macros that print through the panel. They overwrite A and C.

.include "panel.asm"
.include "std.asm"

;; Prints a string, as in `print "HELLO\n"`. 2 instructions for each character.
.macro print text
  .repeat len(text), i
        set  MAILBOX, char(text, i)
  .endrepeat
.endmacro

;; Prints [a] in decimal, without leading zeros. At most about 80 instructions.
.macro print_decimal a
  .var @rest
        copy a, @rest
        LDI  256 - 100
        ADD  @rest
        JC   @hundreds
        LDI  256 - 10
        ADD  @rest
        JC   @tens
        JMP  @ones
@hundreds:
        print_quotient @rest, 100
@tens:  print_quotient @rest, 10
@ones:  LDI  '0'
        ADD  @rest
        ST   MAILBOX
.endmacro

;; Prints [rest] / unit, which must be less than 10, and leaves the remainder in [rest].
.macro print_quotient rest, unit
  .var @digit
        set  @digit, '0'
@again: LDI  256 - unit         ; to subtract, add the complement; C is 1 if unit fits
        ADD  rest
        bnc  @print
        ST   rest
        increment @digit
        JMP  @again
@print: copy @digit, MAILBOX
.endmacro

;; Prints an arrangement of queens and a newline. Each of the 8 bytes at rows has one bit set, and
;; its column is printed as 1 to 8. About 450 instructions.
.macro print_queens rows
  .var @queen
  .var @column
  .repeat 8, r
        copy rows + r, @queen
        set  @column, '0'
@shift: increment @column
        halve @queen
        ST   @queen
        bnc  @shift
        copy @column, MAILBOX
  .endrepeat
        set  MAILBOX, '\n'
.endmacro

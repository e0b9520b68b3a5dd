; The primes below 64, by the sieve of Eratosthenes, on the display itself.
;
; Square n of the display, counted row by row from 0, stands for the number n. All squares from 2
; on are lit in green. Then, in ascending order, a number that is still lit is a prime: it is
; printed and turns yellow, and its multiples from its square on go dark (smaller multiples are
; dark already). In the end only the primes are lit.
;
; The display is the table of the sieve: the LEDs are memory, so the program reads the LED of a
; number. There is a piece of code for each number, 1,200 instructions in all; half of them are
; never executed, because most numbers have gone dark before they are reached.

.title "The sieve of Eratosthenes, on the LEDs"
.include "lib/panel.asm"
.include "lib/std.asm"

.legend green, "not crossed out"
.legend yellow, "new prime"
.legend dark, "crossed out"
.count red, "primes"

.pool

;; Start: every number from 2 on may be a prime.
.why green, "this square stands for {number}, which no prime has crossed out"
.why dark, "this square stands for {number}, and 0 and 1 are not prime"
        LDI  0
.repeat 8, r
        ST   RED + r
.endrepeat
        set  GREEN, 0xff & ~0b11    ; without 0 and 1
        LDI  0xff
.repeat 7, r
        ST   GREEN + r + 1
.endrepeat

.repeat 64 - 2, i
  @n = i + 2
;; Is this number still lit?
        LDI  1 << @n % 8
        NAND GREEN + @n / 8
        ADD  #1
        JC   @next              ; A was FF: the LED is dark

;; A prime. Cross out its multiples.
  .why yellow, "{number} is a prime, and its multiples are being crossed out"
  .why dark, "this square stands for {number}, a multiple of {number yellow}", was = "green"
        set  RED + @n / 8, 1 << @n % 8
  .repeat @n * @n < 64 ? (63 - @n * @n) / @n + 1 : 0, k
    @multiple = @n * (@n + k)
        and  GREEN + @multiple / 8, #lo(~(1 << @multiple % 8))
        ST   GREEN + @multiple / 8
  .endrepeat
  .if @n >= 10
        set  MAILBOX, '0' + @n / 10
  .endif
        set  MAILBOX, '0' + @n % 10
        set  MAILBOX, '\n'
        set  RED + @n / 8, 0
@next:
.endrepeat
        HALT

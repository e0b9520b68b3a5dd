;;; Names of the program that are never used are reported. [warnings]
LIMIT = 5               ; warning: constant `LIMIT` is never used
USED = 6
.var idle               ; warning: variable `idle` is never used
.var busy
.macro helper           ; warning: macro `helper` is never used
        LDI 1
.endmacro
.function f(n) = n      ; warning: function `f` is never used
.function g(n) = n
start:  LDI g(USED)
        ST  busy
@here:  SHR             ; warning: label `@here` is never used
done:   HALT

;;; Unused names of a library are not reported. [warnings]
.include "lib.asm"
        put 5
        HALT
;;;; lib.asm
EXTRA = 5
.macro other
.endmacro
.macro put n
        LDI n
.endmacro

;;; A name that is used in a skipped branch or as a built name is not reported. [warnings]
DEBUG = 0
.var log
.var slot3
.struct s
.var unused
.endstruct
.if DEBUG
        LDI 1
        ST  log
.endif
        ST  slot{1 + 2}
        LDI s
        HALT

;;; Each run of unreachable code is reported once. [warnings]
        JMP on
        LDI 1           ; warning: unreachable code
        LDI 2
on:     LDI 3
        HALT
after:  LDI 4           ; warning: unreachable code
        JMP after

;;; A line of a macro is unreachable only if no call reaches it. [warnings]
.macro finish how
  .if how
        HALT
  .endif
        SHR
.endmacro
.macro never
        HALT
        SHR             ; warning: unreachable code
.endmacro
        finish 0
        JC  there
        finish 1
there:  never

;;; A call of a library macro is unreachable only if all of its code is. [warnings]
.include "lib.asm"
        JC @last
        stop
        stop            ; warning: unreachable code
@last:  ADD 0x1ffe
        stop
;;;; lib.asm
.allow carry
.macro stop
        JMP $
        SHR
.endmacro

;;; A variable that is read but never written is reported. [warnings]
.var seed               ; warning: variable `seed` is read but never written ; note: it is read here @10
.var out
.var table, 4
.var blank, 4           ; warning: variable `blank` is read but never written ; note: it is read here @12
.ram 3
.var alias
        LDI 1
        ST  alias
        LD  table + 1
        LD  seed
        ST  out
        ADD blank + 2
        HALT

;;; A write in any call of a macro counts, but an unreachable write does not. [warnings]
.macro keep store
.var @temp
  .if store
        ST @temp
  .endif
        LD @temp
.endmacro
.macro lose
.var @gone              ; warning: variable `@gone` is read but never written ; note: it is read here @12
        JMP @on
        ST @gone        ; warning: unreachable code
@on:    LD @gone
.endmacro
        keep 0
        keep 1
        lose
        HALT

;;; A JC is reported if C was never set or its outcome is already known. [warnings]
        JC  @a          ; warning: nothing has set C before this JC
@a:     SHR
        JC  @b
        JC  @b          ; warning: this JC never jumps: the JC before it found C to be 0
        HALT
@b:     LDI 1
        JC  @c          ; warning: this JC always jumps: the JC before it found C to be 1
@c:     HALT

;;; A JC is not reported if C was set on every path to it. [warnings]
.var x
        LDI 1
        ST  x
@again: LD  x
        ADD x
        ST  x
        LD  x
        ST  x
        JC  @over
        JMP @again
@over:  SHR
        JMP @test
@test:  JC  @again
        HALT

;;; A JC is reported if C was set more than 32 instructions earlier. [warnings]
.var x
        SHR
.repeat 32
        ST x
.endrepeat
        JC  @a
@a:     SHR
.repeat 33
        ST x
.endrepeat
        JC  @b          ; warning: this JC tests a C that was set 34 instructions earlier
@b:     HALT

;;; An unknown or missing name after `.allow` is an error. [warnings]
.allow unused, Carry    ; error: unknown warning `Carry` ; help: did you mean `carry`?
.allow nonsense         ; error: unknown warning `nonsense`
.allow                  ; error: expected a name, found the end of the line ; help: its form is `.allow warning, …`

;;; `.allow` switches off the warnings that it names. [warnings]
.allow unused, carry
.ALLOW unreachable
.var a
        JC 0
        HALT
        HALT

;;; A source with errors gets no warnings. [warnings]
.var a
        LDI 256         ; error: the operand of LDI must be -128 to 255, not 256

;;; A program that runs or jumps into erased memory is reported. [warnings]
        SHR
        JC  @end
        JMP 0x0200      ; warning: this jumps into erased memory
@end:   LDI 5           ; warning: the program runs into erased memory ; help: `HALT` ends a program

;;; The HALT that is missing after a block or a call goes after the outermost one. [warnings]
        LDI 1
.repeat 2
    .if 1
        ADD 0x1ffe      ; warning: the program runs into erased memory ; help: `HALT` after `.endrepeat` ends the program
    .endif
.endrepeat

;;; The same for a macro call. [warnings]
.macro twice
        ADD 0x1ffe      ; warning: the program runs into erased memory ; help: `HALT` after line 6 ends the program
.endmacro
        LDI 1
        twice
        twice

;;; The same for a condition. [warnings]
.if 1
        ADD 0x1ffe      ; warning: the program runs into erased memory ; help: `HALT` after `.endif` ends the program
.else
        HALT
.endif

;;; A JC that always jumps does not run into erased memory. [warnings]
.allow carry
        SHR
        JC  @on
        JMP 0
@on:    JC  0

;;; A JC into erased memory is reported only if it can jump. [warnings]
        SHR
        JC  on
        JC  0x1000      ; warning: this JC never jumps: the JC before it found C to be 0
on:     SHR
        JC  0x1001      ; warning: this jumps into erased memory
        ADD 0x1ffe
        ADD 0x1ffe      ; warning: the program runs into erased memory ; help: `HALT` ends a program

;;; Suspicious operands in libraries and unreachable code are not reported. [warnings]
.var a
.include "lib.asm"
        ST  a
        get
        HALT
        LD  (a)         ; warning: unreachable code
        LD  3
;;;; lib.asm
.macro get
        LD  (a)
.endmacro

;;; The warning about an address suggests `#` only for a number that fits a byte. [warnings]
.pool
.ram 255
.var x
.var y
        ADD #5
        ADD #6
        ADD 1           ; warning: this reads address 1, where a constant of `.pool` happens to be ; help: for the number 1, write `#1`
        ADD 2           ; warning: nothing writes the byte at address 2, which this reads ; help: for the number 2, write `#2`
        ST  x
        ST  y
        LD  255         ; warning: this reads address 255, where variable `x` happens to be ; help: for the number 255, write `#255`
        LD  256         ; warning: this reads address 256, where variable `y` happens to be
        HALT

;;; A missing `#` is reported if the byte is never written or has another use. [warnings]
.pool
.var count
SIX     = 6
        LDI 0
        ADD 5           ; warning: nothing writes the byte at address 5, which this reads ; help: for the number 5, write `#5`
        ADD SIX         ; warning: nothing writes the byte at address 6, which this reads ; help: for the number 6, write `#SIX`
        ADD 0           ; warning: this reads address 0, where a constant of `.pool` happens to be ; help: for the number 0, write `#0`
        ADD #1
        ST  count
        LD  1           ; warning: this reads address 1, where variable `count` happens to be ; help: for the number 1, write `#1`
        ADD 0x1000      ; warning: nothing writes the byte at address 4096, which this reads
        NAND 0x1ffe
        HALT

;;; An address where a number was meant is reported at the argument that has it. [warnings]
.include "lib.asm"
.pool
.var row
COUNT   = 3
SIZE    = 64
start:  put row
        beq row, 5, start       ; warning: nothing writes the byte at address 5, which this reads ; help: for the number 5, write `#5`
        beq row, target = start, b = '0' ; warning: nothing writes the byte at address 48, which this reads ; help: for the number 48, write `#'0'`
        beq row, SIZE, start    ; warning: nothing writes the byte at address 64, which this reads ; help: for the number 64, write `#SIZE`
        beq row, SIZE + 1, start ; warning: nothing writes the byte at address 65, which this reads ; help: for the number 65, write `#65`
        beq row, 1, start       ; warning: this reads address 1, where a constant of `.pool` happens to be ; help: for the number 1, write `#1`
        beq row, COUNT, start   ; warning: this reads address 3, where a constant of `.pool` happens to be ; help: for the number 3, write `#COUNT`
        beq 0, #8, start        ; warning: this reads address 0, where a constant of `.pool` happens to be ; help: for the number 0, write `#0`
        own row, 6              ; warning: nothing writes the byte at address 6, which this reads ; help: for the number 6, write `#6`
        own row, row
.repeat 2, n
        beq row, n, start       ; warning: this reads address 1, where a constant of `.pool` happens to be ; help: for the number 1, write `#n`
        beq row, #n, start
.endrepeat
        both 7
        both 9                  ; warning: nothing writes the byte at address 9, which this reads ; help: for the number 9, write `#9`
        HALT
;;;; lib.asm
.macro put to
        LDI 5
        ST  to
        ST  7
.endmacro
.macro differ a, b
        LD   a
        NAND #0xff
        ADD  b
        NAND #0xff
.endmacro
.macro beq a, b, target
        differ a, b
        JC   target
.endmacro
.macro own a, n
        LD   a
        ADD  n
        ST   a
.endmacro
.macro both n
        LD   n
        ADD  n
.endmacro

;;; An address where a number was meant is reported at the argument of a routine. [warnings]
.pool
.var row
        LDI 1
        ST  row
        .call sum(row, #78)
        .call sum(row, 78)      ; warning: nothing writes the byte at address 78, which this reads ; help: for the number 78, write `#78`
        .call sum(row, row)
        .call sum(0, row)       ; warning: this reads address 0, where variable `row` happens to be ; help: for the number 0, write `#0`
        HALT
.routine sum(a, b) -> result
        LD  a
        ADD b
        ST  result
.endroutine

;;; A variable as the operand of LDI is reported, because no instruction can use its address. [warnings]
.include "lib.asm"
.var other
.var x
PLACE = x
        LDI 0
        ST  other
        LDI x               ; warning: this loads the address of variable `x` ; help: `LD x` loads the byte at that address
        put x               ; warning: this loads the address of variable `x` ; help: `LD x` loads the byte at that address
        LDI x + 0
        LDI PLACE
        LDI x - other
        ST  x
        LD  x
        .call double()
        HALT
.routine double()
  .var own
        ST  own
        LDI own             ; warning: this loads the address of variable `own` ; help: `LD own` loads the byte at that address
        ADD own
.endroutine
;;;; lib.asm
.macro put n
        LDI n
.endmacro

;;; A byte without a name is not reported if the program writes it. [warnings]
        LDI 5
        ST  7
        ADD 7
        ST  0x1fe0
        LD  0x1fe0
        HALT

;;; A name in parentheses is reported, because there is no indirect addressing. [warnings]
.var p
        LDI 5
        ST  (p)         ; warning: `ST (p)` is the same as `ST p` ; help: there is no indirect addressing: the operand is the address itself
        LD  (p)         ; warning: `LD (p)` is the same as `LD p` ; help: there is no indirect addressing: the operand is the address itself
        ADD (p) + 0
        LDI (3)
        HALT

;;; `.allow unwritten` does not hide the warning about a missing `#`. [warnings]
.allow unwritten
.var x
        LD  x
        ADD 5           ; warning: nothing writes the byte at address 5, which this reads ; help: for the number 5, write `#5`
        ADD '0'         ; warning: nothing writes the byte at address 48, which this reads ; help: for the number 48, write `#'0'`
        ST  x
        HALT

;;; A source without instructions is reported. [warnings]
; Here ; warning: this source has no instructions

;;; a constant that is used before it is stored [warnings]
.var x
.macro add_to a, n
        LD   a
        ADD  n
        ST   a
.endmacro
        LDI  1
        ST   x
        ADD  #5         ; warning: this uses a constant before `.pool` has stored it
        add_to x, #6    ; warning: this uses a constant before `.pool` has stored it
        JMP  start
back:   NAND #7         ; warning: this uses a constant before `.pool` has stored it
        ST   x
        HALT
start:  LD   x
        ADD  x
        JC   back
.pool
        ADD  #5
        add_to x, #6
        LD   x
        JC   back
        .call twice()
        LD   x
        JMP  back
.routine twice()
        LD   x
        ADD  #6
        ST   x
.endroutine

;;; constants of a pool that is never reached [warnings]
.var x
        LDI  1
        ADD  #5         ; warning: this uses a constant before `.pool` has stored it
        ST   x
        HALT
.pool                   ; warning: unreachable code

;;; A after a call without a result [warnings]
.var x
        .call once()
        ST   x          ; the routine has only one caller, and leaves a 1
        .call again()
        ST   x          ; warning: this uses A, which is undefined after a call without a result
        .call again()
        JMP  on
        HALT            ; warning: unreachable code
on:     SHR             ; warning: this uses A, which is undefined after a call without a result
        ST   x
        .call again()
        LD   x
        ST   x
        .call found()
        ST   x
        .call found()
        ST   x
        HALT
.routine once()
        LDI  1
.endroutine
.routine again()
        LDI  2
        ST   x
.endroutine
.routine found() -> result
        LDI  2
        ST   result
.endroutine

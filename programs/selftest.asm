; A test of every instruction, for the hardware that it runs on. Each LED is a test case: yellow
; while it runs, green when it has passed. If a case fails, its LED turns red, all others go dark,
; and `fail` is printed. At the end the whole display turns green, and `pass` is printed. Any other
; outcome, such as a display that stops changing half way, is a fault too.
;
; Without a display, the verdict is where the program halts and what A is then: at `passed` with ff,
; or at `failed_in` with the case that fails, its row in the high digit and its column in the low
; one.
;
;   row 0       each instruction on known numbers, with C and without: LDI LD ST ADD NAND SHR JC JMP
;   row 1       the lines of a data address; jumps far away; counting on through 0x0fff
;   row 2       ADD: all numbers on all numbers, a part in each case
;   row 3       LDI, LD, NAND, SHR, below their LEDs in row 0
;
; The arithmetic unit is two tables. The inputs of the low half are five bits of A (SHR shifts one
; down), four bits of the byte at the address, and four of the address itself; those of the high
; half are four of each and the carry in between. The result must not depend on the address, but it
; can if a bit of a table is wrong. So rows 2 and 3 try all combinations, for each instruction.
; Sixteen bytes are enough for that: `slot`, whose addresses have two equal digits, 00 11 22 ...
; ff.
;
; A and its master are latches: tables whose inputs are their own contents and the new value. ADD
; covers all combinations: while the sum s of a and b is in the master, A is still a; when A has
; taken s, the unit outputs s + b. All pairs of a and b cover all pairs of these.
;
; A check may use the instruction under test: it has to fail if something is wrong, not to say
; what. But if JMP does not jump, `JMP failed` is useless; so most checks fail by a JC, and JC is
; checked by a JMP.
;
; The cost: 588,080 instructions. Faults that affect no program are not detected.

.title "A test of all instructions, for a machine that was built"
.allow unreachable              ; the code after a JMP, in case it does not jump
.include "lib/print.asm"

.repeat 16, i
  .ram 0x11 * i
  .var slot{i}
.endrepeat

.ram 0x1900                     ; away from addresses with one bit, and from the operands of jumps

.var data
.var a
.var b
.var minus_b
.var wanted                     ; the expected value of A, or minus that value
.var seen
.var if_even
.var if_odd
.var the_case                   ; the number of the case that runs

.legend yellow, "running"
.legend green, "passed"
.legend red, "failed"

STRIDE  = 17                    ; 00 11 22 ... ff, 10 21 32 ... fe, 0f 20 ...: 256 numbers in a
                                ; circle. 16 in a row have all digits in both places

; Changes LEDs of a row of cases.
.macro light row, leds, value
  .if row == 0
;; Test each instruction on known numbers.
    .why yellow, "one instruction is being tested: LDI LD ST ADD NAND SHR JC JMP, by columns"
    .why green, "one instruction did what it should: LDI LD ST ADD NAND SHR JC JMP, by columns"
    .why dark, "the test of the instruction at {square} has not begun yet"
        set  leds, value
  .elseif row == 1
;; Test data addresses, far jumps, and counting on.
    .why yellow, "this test is running: data addresses (column 0), far jumps (1), counting on (2)"
    .why green, "this test has passed: data addresses (column 0), far jumps (1), counting on (2)"
    .why dark, "there is no test for {square}, or it has not begun yet"
        set  leds, value
  .elseif row == 2
;; Test all sums of two bytes, in eight parts.
    .why yellow, "an eighth of all sums of two bytes is being tried"
    .why green, "an eighth of all sums of two bytes was tried, and all were right"
    .why dark, "the eighth of all sums that belongs to {square} has not been tried yet"
        set  leds, value
  .else
;; Test LDI, LD, NAND and SHR on all inputs of the arithmetic unit.
    .why yellow, "one of LDI, LD, NAND and SHR, as in row 0, runs on all inputs"
    .why green, "the tests up to here have passed: LDI, LD, NAND and SHR on all inputs"
    .why dark, "there is no test for {square}, or it has not begun yet"
        set  leds, value
  .endif
.endmacro

; The case with this LED begins.
.macro case row, column
  .if column == 0 && row > 0
        light row - 1, RED + row - 1, 0
  .endif
        set  the_case, row << 4 | column
        light row, GREEN + row, (2 << column) - 1
        light row, RED + row, 1 << column
.endmacro

; Fails unless A is value. C is 0 afterwards.
.macro expect value
        ADD  #lo(-value)
        ADD  #0xff              ; a carry unless A was 0
        JC   failed
.endmacro

.macro expect_byte address, value
        LD   address
        expect value
.endmacro

; Fails unless C is c. A stays.
.macro expect_carry c
  .if c
        bnc  failed
  .else
        JC   failed
  .endif
.endmacro

; C <- c. A is lost.
.macro set_carry c
        LDI  0xff * c
        ADD  #1
.endmacro

; ---- Preparations

.pool
;; Start with a dark display.
.why dark, "no test in the row of {square} has begun yet"
        LDI  0
.repeat 8, row
        ST   GREEN + row
        ST   RED + row
.endrepeat

; ---- Row 0: known numbers. Only ADD and SHR change C, and no other byte changes.

.function gray(target) = target ^ target >> 1   ; the operand of a jump

; An instruction with the operand x has another operand for a moment: the low byte is still that of
; the previous instruction.
.function early(x, before) = x & 0x1f00 | before

; A byte that must not be written.
.macro guard address
        set  address, 0x0f
.endmacro
.macro expect_guard address
        expect_byte address, 0x0f
.endmacro

        case 0, 0               ; LDI
.repeat 2, c
        guard 0xa5
        guard early(0xa5, 0x5a)
        set_carry c
        LDI  0x5a
        LDI  0xa5
        expect_carry c
        expect 0xa5
        expect_guard 0xa5
        expect_guard early(0xa5, 0x5a)
        set_carry c
        LDI  0xff               ; as an opcode it is a JMP
        expect_carry c
        ADD  #1
        ADD  #0xff
        JC   failed
.endrepeat

        case 0, 1               ; LD
.repeat 2, c
        set  data, 0x5a
        guard early(data, 0xa5)
        set_carry c
        LDI  0xa5
        LD   data
        expect_carry c
        expect 0x5a
        expect_byte data, 0x5a
        expect_guard early(data, 0xa5)
.endrepeat

        case 0, 2               ; ST
.repeat 2, c
        set  data, 0xa5
        guard early(data, 0x5a)
        set_carry c
        LDI  0x5a
        ST   data
        expect_carry c
        expect 0x5a
        expect_byte data, 0x5a
        expect_guard early(data, 0x5a)
.endrepeat

        case 0, 3               ; ADD
.repeat 2, c
        set  data, 0x0f
        guard early(data, 0x4b)
        set_carry c
        LDI  0x4b
        ADD  data
        expect_carry 0
        expect 0x5a
        expect_byte data, 0x0f
        expect_guard early(data, 0x4b)
        set  data, 0xf1
        set_carry c
        LDI  0x69
        ADD  data
        expect_carry 1
        expect 0x5a
        expect_byte data, 0xf1
.endrepeat

        case 0, 4               ; NAND
        set  data, 0x5a
        guard early(data, 0xff)
.repeat 2, c
        set_carry c
        LDI  0xff
        NAND data
        expect_carry c
        expect 0xa5
        expect_byte data, 0x5a
        expect_guard early(data, 0xff)
        set  slot15, 0x5a
        set_carry c
        LDI  0xff
        NAND slot15             ; the low byte of this address would be a JMP as an opcode
        expect_carry c
        expect 0xa5
.endrepeat

; SHR ignores its operand; as an opcode ff would be a JMP.

.macro shift number, x, c
        guard x
        guard early(x, number)
        set_carry c
        LDI  number
        .word 5 << 13 | x
        expect_carry number & 1
        expect number >> 1
        expect_guard x
        expect_guard early(x, number)
.endmacro

        case 0, 5               ; SHR
.repeat 2, c
  .repeat 4, n
        shift 0xb4 + n, 0, c
        shift 0xb4 + n, 0xff, c
  .endrepeat
.endrepeat

        case 0, 6               ; JC
        guard gray(@off)
        guard early(gray(@off), 0x5a)
        set_carry 0
        LDI  0x5a
        JC   @off
        expect 0x5a
        expect_guard gray(@off)
        expect_guard early(gray(@off), 0x5a)
        JMP  @stayed
@off:   JMP  failed
@stayed:
        guard gray(@on)
        guard early(gray(@on), 0x5a)
        set_carry 1
        LDI  0x5a
        JC   @on
        JMP  failed
@on:    expect_carry 1
        expect 0x5a
        expect_guard gray(@on)
        expect_guard early(gray(@on), 0x5a)

        case 0, 7               ; JMP
.repeat 2, c
        guard gray(@there)
        guard early(gray(@there), 0x5a)
        set_carry c
        LDI  0x5a
        JMP  @there
        LDI  0
@there: expect_carry c
        expect 0x5a
        expect_guard gray(@there)
        expect_guard early(gray(@there), 0x5a)
.endrepeat

; ---- Row 1. Byte 0 and each byte whose address has one bit get a different number.

        case 1, 0
        set  0, 0
.repeat 13, line
        set  1 << line, -line - 1
.endrepeat
        LD   slot0
        ADD  #0xff
        JC   failed
.repeat 13, line
        LDI  line + 1
        ADD  1 << line
        ADD  #0xff
        JC   failed
.endrepeat

; The distant code loads a different number into A at each place, and jumps back.

        case 1, 1
.repeat 11, line
        LDI  0
        JMP  far{line}
back{line}:
        ADD  #lo(-(0x11 * line))
        ADD  #0xff
        JC   failed
.endrepeat

        case 1, 2
        LDI  0
        JMP  before_the_middle
behind_the_middle:
        expect 0xa5

; ---- Row 2: ADD. For each b, a sum goes through all numbers: first b is added, then c, which is
; the complement of b. So A is one less, and one of both carried. Only 0 never carries; it becomes
; FF. Case n has 34 of the numbers in the circle as its b and so their complements as its c; all
; cases together have all of them as b.

.macro step_down b, c
        ADD  b
        JC   @carried
        ADD  c
        JC   @once
        JMP  failed
@carried:
        ADD  c
        JC   failed
@once:
.endmacro

.macro add_everything b, c, first, last
        set  b, first
@next:  LD   b
        NAND #0xff
        ST   c
        LDI  0
        ADD  b
        JC   failed
        ADD  c
        JC   failed
        ST   seen
        set  wanted, 0xff
; A is checked every 15 steps. A wrong number stays wrong that long, even if one of the next steps
; fails in the same way.
@round: LD   seen
  .repeat 15
        step_down b, c
  .endrepeat
        ST   seen
        LD   wanted
        ADD  #-15
        ST   wanted
        bne  seen, wanted, failed
        bnz  seen, @round

        LD   b
        ADD  #STRIDE
        ST   b
        set  wanted, last
        bne  b, wanted, @next
.endmacro

.repeat 8, n
        case 2, n
  @c = 2 * n + 1
        add_everything slot{2*n}, slot{@c}, lo(STRIDE * 32 * n), lo(STRIDE * (32 * n + 34))
.endrepeat

; ---- Row 3: instructions without a carry. 32 numbers of the circle cover all bits of A that the
; low table sees; 16 of them are enough for b, which is stored in all slots.

.macro for_all_pairs n
        set  a, 0
next_a{n}:
        set  b, 0
next_b{n}:
        LD   b
  .repeat 16, i
        ST   slot{i}
  .endrepeat
.endmacro

.macro end_pairs n
        LD   b
        ADD  #STRIDE
        ST   b
        set  wanted, lo(STRIDE * 16)
        bne  b, wanted, next_b{n}
        LD   a
        ADD  #STRIDE
        ST   a
        set  wanted, lo(STRIDE * 32)
        bne  a, wanted, next_a{n}
.endmacro

        case 3, 0               ; LDI: the byte at the address that it does not have
        for_all_pairs 0
.repeat 16, i
        LD   a
        LDI  0x11 * i
        ADD  #lo(-(0x11 * i))
        ADD  #0xff
        JC   failed
.endrepeat
        end_pairs 0

        case 3, 1               ; LD
        for_all_pairs 1
        not  b
        ADD  #1
        ST   minus_b
.repeat 16, i
        LD   a
        LD   slot{i}
        ADD  minus_b
        ADD  #0xff
        JC   failed
.endrepeat
        end_pairs 1

; NAND and SHR are executed at an ordinary address, and all slots have to give the same result.

        case 3, 4               ; NAND
        for_all_pairs 4
        LD   a
        NAND b
        NAND #0xff
        ADD  #1
        ST   wanted             ; minus the result
.repeat 16, i
        LD   a
        NAND slot{i}
        ADD  wanted
        ADD  #0xff
        JC   failed
.endrepeat
        end_pairs 4

        case 3, 5               ; SHR, with an operand, which it ignores
        for_all_pairs 5
        halve a
        JC   @odd
        NAND #0xff
        ST   if_even
        set  if_odd, 0          ; a half is no more than 7f: with 0 and 1 it does not carry
        JMP  @halved
@odd:   NAND #0xff
        ST   if_odd
        set  if_even, 0
@halved:
.repeat 16, i
        LD   a
        .word 5 << 13 | 0x11 * i
        JC   @odd
        ADD  if_even
        JMP  @sum
@odd:   ADD  if_odd
@sum:   ADD  #1
        bnc  failed
.endrepeat
        end_pairs 5

; ---- The end

;; Every case has passed.
.why green, "every case has passed, so the whole display is green"
.repeat 8, row
        set  RED + row, 0
        set  GREEN + row, 0xff
.endrepeat
        print "pass\n"
        LDI  0xff
passed: HALT

;; A case has failed.
.why red, "the case of {square} has failed"
.why dark, "another case has failed: the one whose LED is red"
failed:
.repeat 8, row
        set  GREEN + row, 0
.endrepeat
        print "fail\n"
        LD   the_case
failed_in:
        HALT

; ---- Far away: the upper half of program memory, at places with one more bit.

.org 0x0fff
before_the_middle:
        LDI  0xa5
        JMP  behind_the_middle
.repeat 11, line
  .org 0x1000 + (2 << line)
far{line}:
        LDI  0x11 * line
        JMP  back{line}
.endrepeat

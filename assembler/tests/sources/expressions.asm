;;; Every operator computes the expected value.
        LDI 7 + 3               ; = 000a
        LDI 7 - 3               ; = 0004
        LDI 7 * 3               ; = 0015
        LDI 7 / 3               ; = 0002
        LDI 7 % 3               ; = 0001
        LDI -7 / 2              ; = 00fd
        LDI -7 % 2              ; = 00ff
        LDI 1 << 3              ; = 0008
        LDI -16 >> 2            ; = 00fc
        LDI 12 & 10             ; = 0008
        LDI 12 | 10             ; = 000e
        LDI 12 ^ 10             ; = 0006
        LDI ~5 & 0xff           ; = 00fa
        LDI !5                  ; = 0000
        LDI !0                  ; = 0001
        LDI -5                  ; = 00fb
        LDI 3 == 3              ; = 0001
        LDI 3 != 3              ; = 0000
        LDI 3 < 3               ; = 0000
        LDI 3 <= 3              ; = 0001
        LDI 4 > 3               ; = 0001
        LDI 3 >= 4              ; = 0000
        LDI 2 && 4              ; = 0001
        LDI 2 && 0              ; = 0000
        LDI 0 || 4              ; = 0001
        LDI 0 || 0              ; = 0000
        LDI 1 ? 2 : 3           ; = 0002
        LDI 0 ? 2 : 3           ; = 0003

;;; Operators have the same precedence as in C.
        .assert 1 || 0 && 0
        .assert (1 | 2 && 0) == 0
        .assert (1 | 6 ^ 4) == 3
        .assert (1 ^ 3 & 2) == 3
        .assert (2 & 2 == 2) == 0
        .assert (1 == 2 < 3) == 1
        .assert (1 < 1 << 1) == 1
        .assert 1 << 2 + 1 == 8
        .assert 2 + 3 * 4 == 14
        .assert -2 * -3 == 6
        .assert !0 + 1 == 2
        .assert ~0 + 1 == 0
        .assert (2 + 3) * 4 == 20
        .assert 10 - 3 - 2 == 5
        .assert 100 / 10 / 5 == 2
        .assert 1 << 1 << 2 == 8
        .assert (3 > 2 > 1) == 0
        .assert (0 ? 1 : 0 ? 2 : 3) == 3
        .assert (1 ? 0 ? 4 : 5 : 6) == 5
        .assert (0 || 1 ? 7 : 8) == 7
        .assert - - 5 == 5 && !!7 == 1 && -~4 == 5
        .assert (1 && 1 | 0) == 1 && (2 | 1 & 0) == 2
        .assert 10 - 4 / 2 % 3 == 8

;;; Operators are correct for edge values, such as equal operands or a shift by 63.
        .assert 1 < 2 && !(2 < 2) && !(2 < 1)
        .assert 1 <= 2 && 2 <= 2 && !(2 <= 1)
        .assert 2 > 1 && !(2 > 2) && !(1 > 2)
        .assert 2 >= 1 && 2 >= 2 && !(1 >= 2)
        .assert 2 != 3 && !(2 != 2) && !(2 == 3)
        .assert -1 << 63 == -0x7fffffffffffffff - 1
        .assert -8 >> 63 == -1
        .assert 2 * -3 == -6

;;; Blanks between tokens do not change an expression.
        LDI 1+2*3               ; = 0007
        LDI  ( 1 +	2 )*3           ; = 0009
	LDI	-	1       ; = 00ff

;;; The built-in functions compute the expected values.
        LDI lo(0x1234)          ; = 0034
        LDI hi(0x1234)          ; = 0012
        LDI lo(-1)              ; = 00ff
        LDI hi(-1)              ; = 00ff
        LDI hi(0x123456)        ; = 0034
        LDI min(3, -4)          ; = 00fc
        LDI max(3, -4)          ; = 0003
        LDI log2(1)             ; = 0000
        LDI log2(0x80)          ; = 0007
        LDI log2(1 << 62)       ; = 003e
        LDI len("")             ; = 0000
        LDI len("queens")       ; = 0006
        LDI len("a\n\"")        ; = 0003
        LDI char("queens", 0)   ; = 0071
        LDI char("queens", 5)   ; = 0073
        LDI lo (len ("ab"))     ; = 0002

;;; `len` and `char` count the bytes of a string in UTF-8.
        LDI len("é")            ; = 0002
        LDI char("é", 0)        ; = 00c3
        LDI char("é", 1)        ; = 00a9

;;; A constant can have the name of a built-in function.
min = 5
        LDI min                 ; = 0005
        LDI min(min, 3)         ; = 0003

;;; An operation without a valid result is an error that gives the reason.
        LDI 1 / 0                       ; error: division by zero
        LDI 1 % (2 - 2)                 ; error: division by zero
        LDI 9223372036854775807 + 1     ; error: overflow: the result of `+` does not fit into a signed 64-bit number
        LDI -9223372036854775807 - 2    ; error: overflow: the result of `-` does not fit into a signed 64-bit number
        LDI 0x7fffffffffffffff * 2      ; error: overflow: the result of `*` does not fit into a signed 64-bit number
        LDI 1 << 63                     ; error: overflow: the result of `<<` does not fit into a signed 64-bit number
        LDI (-0x7fffffffffffffff - 1) / -1 ; error: overflow: the result of `/` does not fit into a signed 64-bit number
        LDI (-0x7fffffffffffffff - 1) % -1 ; error: overflow: the result of `%` does not fit into a signed 64-bit number
        LDI -(-0x7fffffffffffffff - 1)  ; error: overflow: the result of `-` does not fit into a signed 64-bit number
        LDI 1 << 64                     ; error: a shift count must be 0 to 63, not 64
        LDI 1 >> -1                     ; error: a shift count must be 0 to 63, not -1
        LDI log2(0)                     ; error: `log2` needs a power of two, not 0
        LDI log2(6)                     ; error: `log2` needs a power of two, not 6
        LDI log2(-8)                    ; error: `log2` needs a power of two, not -8
        LDI char("abc", 3)              ; error: the string has 3 bytes; index 3 is out of range
        LDI char("a", -1)               ; error: the string has 1 byte; index -1 is out of range
        LDI len(5)                      ; error: expected a string, found a number
        LDI 1 + "a"                     ; error: expected a number, found a string

;;; `||`, `&&` and `?:` do not evaluate a division by zero in an operand that they skip.
        LDI 1 || 1 / 0                  ; = 0001
        LDI 0 && 1 / 0                  ; = 0000
        LDI 1 ? 2 : 1 / 0               ; = 0002

;;; An unknown function or a wrong number of arguments is an error.
        LDI low(5)                      ; error: unknown function `low` ; help: did you mean `lo`?
        LDI sin(5)                      ; error: unknown function `sin` ; help: did you mean `min`?
        LDI lo()                        ; error: `lo` takes 1 argument, not 0
        LDI cosine(5)                   ; error: unknown function `cosine`
        LDI lo(1, 2)                    ; error: `lo` takes 1 argument, not 2
        LDI min(1)                      ; error: `min` takes 2 arguments, not 1

;;; Operands that are not needed are not evaluated, as in C.
.function down(n) = n > 0 ? down(n - 1) : 0
        LDI 1 ? 2 : 1 / 0       ; = 0002
        LDI 0 && 1 / 0          ; = 0000
        LDI 1 || 1 << 64        ; = 0001
        LDI 0 ? row{0 - 1} : 3  ; = 0003
        LDI 0 && later          ; = 0000
        LDI down(3)             ; = 0000
later = 1

;;; Names in operands that are not needed must still be defined.
        LDI 1 ? 2 : nowhere + 1 / 0 ; error: undefined symbol `nowhere`
        LDI 0 && gone           ; error: undefined symbol `gone`
        LDI 1 || -row{lost}     ; error: undefined symbol `lost`
        LDI 0 ? lo(missing) : 3 ; error: undefined symbol `missing`
        LDI 0 && absent(1)      ; error: unknown function `absent`
.if 0 && below                  ; error: `below` is not known yet: the condition of `.if` can use only what is defined above ; note: it is defined here @8
.endif
below = 1

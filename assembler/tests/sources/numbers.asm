;;; Numbers in every base and characters have the right value.
        LDI 42          ; = 002a
        LDI 0x2a        ; = 002a
        LDI 0X2A        ; = 002a
        LDI 0b101010    ; = 002a
        LDI 0o52        ; = 002a
        LDI 0B10_1010   ; = 002a
        LDI 0O52        ; = 002a
        LDI 1__0        ; = 000a
        LDI 007         ; = 0007
        LDI 052         ; = 0034
        LD  1_000       ; = 23e8
        LD  0x1f_ff     ; = 3fff
        LDI '*'         ; = 002a
        LDI '\n'        ; = 000a
        LDI '\\'        ; = 005c
        LDI '\''        ; = 0027
        LDI '\"'        ; = 0022
        LDI '"'         ; = 0022
        LDI '\0'        ; = 0000
        LDI ';'         ; = 003b

;;; A malformed number or character is an error.
        LDI 1x          ; error: `1x` is not a number
        LDI 0x          ; error: `0x` is not a number
        LDI 0b12        ; error: `0b12` is not a number
        LDI 0o8         ; error: `0o8` is not a number
        LDI 0x_1        ; error: `0x_1` is not a number
        LDI 1_          ; error: `1_` is not a number
        LDI 0y1         ; error: `0y1` is not a number
        LDI 'ab'        ; error: expected one ASCII character between single quotes
        LDI ''          ; error: expected one ASCII character between single quotes
        LDI 'é'         ; error: expected one ASCII character between single quotes
        LDI '\t'        ; error: `\t` is not an escape (expected `\n`, `\\`, `\'`, `\"` or `\0`)

;;; A number must fit into 64 bits with a sign.
        .assert 9223372036854775807 > 0
        .assert 0x7fff_ffff_ffff_ffff == 9223372036854775807
        .assert -9223372036854775807 - 1 < 0
        LDI 9223372036854775808         ; error: `9223372036854775808` does not fit into a signed 64-bit number
        LDI 0x8000000000000000          ; error: `0x8000000000000000` does not fit into a signed 64-bit number

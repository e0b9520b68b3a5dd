; The letters of Latin-1 that ASCII does not have, the euro sign and a heart, as patterns of LEDs.
; Most are letters of lib/font.asm with an accent. The others are drawn here in the same way.
;
; A letter has its code in Latin-1, from 0xc0 to 0xff. The euro sign has the code 0x80, and the
; heart has 0x81. The functions also accept the codes of ASCII.
.include "font.asm"

; The letters from 0xc0 on, and their accents. A digit in place of a letter is its drawing.
latin_plain   = "AAAAAA0CEEEEIIII1NOOOOO 2UUUUY34aaaaaa5ceeeeiiii6nooooo 7uuuuy8y"
latin_accents = "012536 ,01230124 501253  01231  012536 ,01230124 501253  01231 3"

;                 0   1   2   3   4   5   6
latin_accent0 = "#     #  #  #  ## #  # # ## "
latin_accent1 = " #   #  # #         # # #  #"

;               Æ     Ð     Ø     Þ     ß     æ     ð     ø     þ     €     ♥
latin_drawn0 = " ####  ###   #### #      ##          # #        #       ##        "
latin_drawn1 = "# #    #  # #  ## ###   #  #          #         #      #     # #  "
latin_drawn2 = "# #    #  # # # # #  #  #  #  ####   ###   #### ###   ###   ##### "
latin_drawn3 = "####  ### # # # # #  #  # #     # # #  #  #  ## #  #   #    ##### "
latin_drawn4 = "# #    #  # # # # ###   #  #   #### #  #  # # # #  #  ###   ##### "
latin_drawn5 = "# #    #  # ##  # #     #  #  # #   #  #  ##  # ###    #     ###  "
latin_drawn6 = "# ###  ###  ####  #     # #    ####  ##   ####  #       ##    #   "
latin_drawn7 = "                                                #                 "

.function latin_led(n, x, y) = char(latin_drawn{y}, 6 * n + x) == '#'
.function latin_drawing(n, x, y) = y < 0 ? 0 : latin_drawing(n, x, y - 1) | latin_led(n, x, y) << y

.function latin_dot(n, x, y) = n >= 0 && x < 4 && char(latin_accent{y}, 4 * n + x) == '#'
.function latin_cedilla(n, x) = n == ',' - '0' && x == 1
.function latin_mark(n, x) = latin_dot(n, x, 0) | latin_dot(n, x, 1) << 1 | latin_cedilla(n, x) << 7
.function latin_accent(n, x) = latin_mark(char(latin_accents, n) - '0', x)

; An accent takes the two rows above a small letter. So an i has no dot, and a capital five rows.
.function latin_lowered(leds) = (leds & 1) << 2 | (leds & 0x1c) << 1 | leds & 0x40
.function latin_small(letter, x) = letter == 'i' ? (x == 1) * 0x7c : font_column(letter, x)
.function latin_low(letter, x) = latin_lowered(font_column(letter, x))
.function latin_is_low(n) = n < 0x20 && char(latin_accents, n) != ','
.function latin_base(n, a, x) = latin_is_low(n) ? latin_low(a, x) : latin_small(a, x)
.function latin_accented(n, a, x) = latin_base(n, a, x) | latin_accent(n, x)
.function latin_either(n, a, x) = a <= '9' ? latin_drawing(a - '0', x, 7) : latin_accented(n, a, x)
.function latin_letter(n, x) = latin_either(n, char(latin_plain, n), x)
.function latin_sign(n, x) = latin_drawing(9 + n, x, 7)
.function latin_other(n, x) = n < 0x40 ? latin_sign(n, x) : latin_letter(n - 0x40, x)
.function latin_end(code, x) = latin_column(code, x) ? x + 1 : latin_end(code, x - 1)
.function latin_is_letter(code) = code >= 0xc0 && char(latin_plain, code & 0x3f) != ' '
.function latin_is_ascii(code) = code >= ' ' && code <= '~'
.function latin_wide(ab) = ab == 0xe282 ? 0x80 : ab == 0xe299 ? 0x81 : 0x7f
.function latin_rest(a, b) = a < 0xc0 ? 0 : a == 0xc3 ? b + 0x40 : latin_wide(a << 8 | b)

;; Column x of a character, counted from 0 at the left, as a byte with the top LED in bit 0.
.function latin_column(code, x) = code < 0x80 ? font_column(code, x) : latin_other(code - 0x80, x)

;; The number of columns that a character needs.
.function latin_width(code) = code < 0x80 ? font_width(code) : latin_end(code, 4)

;; 1 if there is a character with this code, otherwise 0.
.function is_latin(code) = latin_is_ascii(code) || code >> 1 == 0x40 || latin_is_letter(code)

;; The code of the character whose first two bytes in UTF-8 are a and b, or 0x7f if this file does
;; not have it. If a is the second or third byte of a character, the code is 0.
.function latin_code(a, b) = a < 0x80 ? a : latin_rest(a, b)

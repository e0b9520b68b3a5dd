; The 95 printable characters of ASCII, from the space to `~`, as patterns of LEDs. Most of them are
; four LEDs wide and seven high, and some reach one LED lower.

; The drawings have eight characters side by side, each in a cell of six columns. The string
; `font{n}_{row}` is a row of the eight characters from code 32 + 8 * n on. The functions at the end
; read these strings. They call themselves, because an expression has no loops.

;                !     "     #     $     %     &     '
font0_0 = "      #     # #    # #    #   ##     #    #     "
font0_1 = "      #     # #    # #   #### ##  # # #   #     "
font0_2 = "      #           ##### # #      #  # #         "
font0_3 = "      #            # #   ###    #    #          "
font0_4 = "      #           #####   # #  #    # # #       "
font0_5 = "                   # #  ####  #  ## #  #        "
font0_6 = "      #            # #    #      ##  ## #       "
font0_7 = "                                                "

;          (     )     *     +     ,     -     .     /
font1_0 = " #    #                                     #   "
font1_1 = "#      #      #     #                       #   "
font1_2 = "#      #    # # #   #                      #    "
font1_3 = "#      #     ###  #####       ###          #    "
font1_4 = "#      #    # # #   #                      #    "
font1_5 = "#      #      #     #    #                #     "
font1_6 = " #    #                  #          #     #     "
font1_7 = "                        #                       "

;          0     1     2     3     4     5     6     7
font2_0 = " ##    #     ##    ##     #   ####   ##   ####  "
font2_1 = "#  #  ##    #  #  #  #   ##   #     #        #  "
font2_2 = "# ##   #       #     #  # #   ###   #        #  "
font2_3 = "## #   #      #    ##   # #      #  ###     #   "
font2_4 = "#  #   #     #       #  ####     #  #  #    #   "
font2_5 = "#  #   #    #     #  #    #   #  #  #  #   #    "
font2_6 = " ##   ###   ####   ##     #    ##    ##    #    "
font2_7 = "                                                "

;          8     9     :     ;     <     =     >     ?
font3_0 = " ##    ##                  #        #      ##   "
font3_1 = "#  #  #  #                #          #    #  #  "
font3_2 = "#  #  #  #  #      #     #    ####    #      #  "
font3_3 = " ##    ###              #              #    #   "
font3_4 = "#  #     #               #    ####    #    #    "
font3_5 = "#  #     #  #      #      #          #          "
font3_6 = " ##    ##          #       #        #      #    "
font3_7 = "                  #                             "

;          @     A     B     C     D     E     F     G
font4_0 = " ###   ##   ###    ##   ###   ####  ####   ##   "
font4_1 = "#   # #  #  #  #  #  #  #  #  #     #     #  #  "
font4_2 = "# ### #  #  #  #  #     #  #  #     #     #     "
font4_3 = "# # # ####  ###   #     #  #  ###   ###   # ##  "
font4_4 = "# ### #  #  #  #  #     #  #  #     #     #  #  "
font4_5 = "#     #  #  #  #  #  #  #  #  #     #     #  #  "
font4_6 = " #### #  #  ###    ##   ###   ####  #      ###  "
font4_7 = "                                                "

;          H     I     J     K     L     M     N     O
font5_0 = "#  #  ###      #  #  #  #     #   # #  #   ##   "
font5_1 = "#  #   #       #  #  #  #     ## ## ## #  #  #  "
font5_2 = "#  #   #       #  # #   #     # # # ## #  #  #  "
font5_3 = "####   #       #  ##    #     # # # # ##  #  #  "
font5_4 = "#  #   #       #  # #   #     #   # # ##  #  #  "
font5_5 = "#  #   #    #  #  #  #  #     #   # #  #  #  #  "
font5_6 = "#  #  ###    ##   #  #  ####  #   # #  #   ##   "
font5_7 = "                                                "

;          P     Q     R     S     T     U     V     W
font6_0 = "###    ##   ###    ###  ##### #  #  #   # #   # "
font6_1 = "#  #  #  #  #  #  #       #   #  #  #   # #   # "
font6_2 = "#  #  #  #  #  #  #       #   #  #  #   # #   # "
font6_3 = "###   #  #  ###    ##     #   #  #   # #  # # # "
font6_4 = "#     #  #  # #      #    #   #  #   # #  # # # "
font6_5 = "#     #  #  #  #     #    #   #  #    #   # # # "
font6_6 = "#      ##   #  #  ###     #    ##     #    # #  "
font6_7 = "         #                                      "

;          X     Y     Z     [     \     ]     ^     _
font7_0 = "#   # #   # ####  ##    #     ##     #          "
font7_1 = "#   # #   #    #  #     #      #    # #         "
font7_2 = " # #   # #    #   #      #     #                "
font7_3 = "  #     #     #   #      #     #                "
font7_4 = " # #    #    #    #      #     #                "
font7_5 = "#   #   #   #     #       #    #                "
font7_6 = "#   #   #   ####  ##      #   ##                "
font7_7 = "                                          ####  "

;          `     a     b     c     d     e     f     g
font8_0 = "#           #              #         ##         "
font8_1 = " #          #              #         #          "
font8_2 = "       ##   ###    ##    ###   ##   ###    ###  "
font8_3 = "         #  #  #  #     #  #  #  #   #    #  #  "
font8_4 = "       ###  #  #  #     #  #  ####   #    #  #  "
font8_5 = "      #  #  #  #  #     #  #  #      #     ###  "
font8_6 = "       ###  ###    ##    ###   ###   #       #  "
font8_7 = "                                           ##   "

;          h     i     j     k     l     m     n     o
font9_0 = "#     #      #    #     #                       "
font9_1 = "#                 #     #                       "
font9_2 = "###   #      #    # #   #     ## #  ###    ##   "
font9_3 = "#  #  #      #    # #   #     # # # #  #  #  #  "
font9_4 = "#  #  #      #    ##    #     # # # #  #  #  #  "
font9_5 = "#  #  #      #    # #   #     # # # #  #  #  #  "
font9_6 = "#  #  #      #    # #    #    # # # #  #   ##   "
font9_7 = "            #                                   "

;           p     q     r     s     t     u     v     w
font10_0 = "                         #                      "
font10_1 = "                         #                      "
font10_2 = "###    ###  # #    ###  ###   #  #  # #   #   # "
font10_3 = "#  #  #  #  ##    #      #    #  #  # #   #   # "
font10_4 = "#  #  #  #  #      ##    #    #  #  # #   # # # "
font10_5 = "###    ###  #        #   #    #  #  # #   # # # "
font10_6 = "#        #  #     ###     #    ###   #     # #  "
font10_7 = "#        #                                      "

;           x     y     z     {     |     }     ~
font11_0 = "                    #   #     #                 "
font11_1 = "                   #    #      #                "
font11_2 = "# #   #  #  ####   #    #      #                "
font11_3 = "# #   #  #     #  #     #       #    #  #       "
font11_4 = " #    #  #   ##    #    #      #    # ##        "
font11_5 = "# #    ###  #      #    #      #                "
font11_6 = "# #      #  ####    #   #     #                 "
font11_7 = "       ##               #                       "

.function font_led(code, x, y) = char(font{code/8-4}_{y}, code % 8 * 6 + x) == '#'
.function font_leds(code, x, y) = y < 0 ? 0 : font_leds(code, x, y - 1) | font_led(code, x, y) << y
.function font_end(code, x) = font_column(code, x) ? x + 1 : font_end(code, x - 1)

;; Column x of a character, counted from 0 at the left, as a byte with the top LED in bit 0.
.function font_column(code, x) = font_leds(code, x, 7)

;; The number of columns that a character needs.
.function font_width(code) = code == ' ' ? 2 : font_end(code, 4)

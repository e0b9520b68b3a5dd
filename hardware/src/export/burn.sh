#!/bin/sh
# Burns the chips one after the other with minipro, which verifies each of them:
#   sh burn.sh             all
#   sh burn.sh PROG CTRL   these
# The names of the devices are from public scripts and unverified: `minipro -L SST39` lists those
# that your version knows.
set -eu
cd "$(dirname "$0")"
wanted=" $* "
burn() {
    case "$wanted" in "  " | *" $1 "*) ;; *) return 0 ;; esac
    printf 'Put the %s that becomes %s into the programmer, then press Enter: ' "$2" "$1"
    read -r _
    minipro -p "$2" -w "$1.bin"
}

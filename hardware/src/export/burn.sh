#!/bin/sh
# Burns the chips one after the other with minipro, which verifies each of them:
#   sh burn.sh             all
#   sh burn.sh PROG CTRL   these
# The names of the devices are from public scripts and unverified: `minipro -L SST39` lists those
# that your version knows.
set -eu
cd "$(dirname "$0")"
wanted=" $* "
left=
chips=" {chips} "
for name in "$@"; do
    case "$chips" in
        *" $name "*) ;;
        *) echo "burn.sh: no chip is called '$name'. The chips are$chips" >&2 && exit 2 ;;
    esac
done
is_wanted() {
    case "$wanted" in "  " | *" $1 "*) ;; *) return 1 ;; esac
}
burn() {
    is_wanted "$1" || return 0
    printf 'Put the %s that becomes %s into the programmer, then press Enter: ' "$2" "$1"
    read -r _
    minipro -p "$2" -w "$1.bin"
}
# A chip without a name that minipro is known to use for it.
leave() {
    ! is_wanted "$1" || left="$left $1"
}

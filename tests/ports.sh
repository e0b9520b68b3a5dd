#!/usr/bin/env bash
# Builds the program for other systems, and runs the program's tests with it: for Windows under
# Wine, for Linux on aarch64 under qemu. For macOS only the types are checked.
#
#   tests/ports.sh [windows] [aarch64] [macos]
#
# Needs Debian's packages gcc-mingw-w64-x86-64-posix and wine64; gcc-aarch64-linux-gnu,
# libc6-dev-arm64-cross and qemu-user-static.
set -euo pipefail
cd "$(dirname "$0")/.."

export GRAY1_PORTS=$PWD/target/ports
mkdir -p "$GRAY1_PORTS"

cargo=$GRAY1_PORTS/cargo

# Builds for a target, and puts the program where the scripts in tests/ports find it.
build() {
  rustup target add "$1" >/dev/null 2>&1 || true
  cargo build --locked -p gray1 --target "$1" --target-dir "$cargo"
  cp "$cargo/$1/debug/$2" "$GRAY1_PORTS/"
}

# Runs the tests of these modules with the program that a script starts, but not those of `skipped`.
run() {
  local program=$1 name arguments=()
  shift
  for name; do arguments+=("$name::"); done
  for name in "${skipped[@]}"; do arguments+=(--skip "$name"); done
  GRAY1_PROGRAM=$PWD/tests/ports/$program timeout 20m \
    cargo test --locked --test gray1 -- "${arguments[@]}"
}

windows() {
  local mingw=x86_64-w64-mingw32-gcc wine=/usr/lib/wine
  build x86_64-pc-windows-gnu gray1.exe
  $mingw -O1 -Wall -shared -o "$GRAY1_PORTS/bcryptprimitives.dll" tests/ports/prng.c -ladvapi32
  $mingw -O1 -Wall -o "$GRAY1_PORTS/record.exe" tests/ports/record.c
  mkdir -p "$GRAY1_PORTS/prefix"
  export WINEPREFIX=$GRAY1_PORTS/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='
  # A server that stays: one that a test starts would hold on to the terminal of the test.
  $wine/wineserver64 --persistent
  trap "$wine/wineserver64 --kill" EXIT
  $wine/wine64 wineboot -i >/dev/null 2>&1
  # The libraries' own tests, built for Windows, but for the one that walks through our sources.
  # WINEPATH leads to the substitute above.
  CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine/wine64 WINEPATH=Z:$GRAY1_PORTS timeout 20m \
    cargo test --locked --target x86_64-pc-windows-gnu --target-dir "$cargo" --lib \
    -p gray1-isa -p gray1-language -p gray1-native -p gray1-asm -p gray1-programs \
    -- --skip every_source_of_the_folder_is_inside
  skipped=(
    # Signals, job control and rights as Unix has them.
    signals_end_
    the_keyboard_is_given_back_for_a_stop_and_taken_again
    colours_and_a_pane_alone_are_as_they_were_left
    the_source_is_edited_at_the_line_of_the_cursor
    # Words and pipes of Unix that Wine does not pass on.
    a_word_that_is_no_utf_8_is_a_path_and_no_name
    a_closed_pipe_ends_the_program_quietly
    two_outputs_never_go_to_one_file
    # The system says it in other words, or at another moment.
    an_output_that_cannot_be_written_is_an_error
    standard_output_is_called_so_where_it_cannot_be_written
    what_cannot_be_done_is_said_once
    what_cannot_be_kept_is_told
    # Wine's console passes on no mouse, no change of size and no answer of the terminal.
    the_mouse_
    a_byte_is_followed_through_the_picture_of_the_machine_and_back
    what_was_found_stands_and_is_found_again_in_the_album
    a_resize_is_followed_down_to_a_message_and_back
    the_background_is_what_the_terminal_says_or_what_is_asked_for
  )
  GRAY1_DRIVE=Z run wine check compare dap debug errors export files fmt front_end learn links lsp \
    open programs::{built_in,queens,roms,tutorial} record run screenshot show cli::test warnings
}

aarch64() {
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  build aarch64-unknown-linux-gnu gray1
  # Native code in lockstep with the interpreter: random programs, and all of ours. Caches do not
  # count: qemu notices by itself that code has changed.
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64-static -L /usr/aarch64-linux-gnu' \
    timeout 20m cargo test --locked -p gray1-native \
    --target aarch64-unknown-linux-gnu --target-dir "$cargo"
  # Its terminals have no settings there.
  skipped=(boards_and_rules_for_make_need_no_text_either)
  run qemu check dap errors export files fmt lsp programs::{built_in,queens,roms} record run show warnings
}

macos() {
  rustup target add aarch64-apple-darwin >/dev/null 2>&1 || true
  # A library with assembly asks for a compiler, which is not there. Types do not need it.
  CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true RUSTFLAGS='-D warnings' \
    cargo check --locked --workspace --tests --target aarch64-apple-darwin --target-dir "$cargo"
}

[ $# -gt 0 ] || set -- windows aarch64 macos
for system; do
  printf '\n== %s\n' "$system"
  "$system"
done

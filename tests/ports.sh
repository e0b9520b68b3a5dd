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

# Builds for a target, and copies the program to the folder used by the scripts in tests/ports.
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
  # Starts a permanent Wine server. One that a test starts would keep the test's terminal open.
  $wine/wineserver64 --persistent
  trap "$wine/wineserver64 --kill" EXIT
  $wine/wine64 wineboot -i >/dev/null 2>&1
  # The libraries' own tests, built for Windows, but for the one that walks through our sources.
  # WINEPATH leads to the substitute above.
  CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine/wine64 WINEPATH=Z:$GRAY1_PORTS timeout 20m \
    cargo test --locked --target x86_64-pc-windows-gnu --target-dir "$cargo" --lib \
    -p gray1-isa -p gray1-language -p gray1-native -p gray1-asm -p gray1-programs \
    -- --skip lists_every_file_of_the_folder
  skipped=(
    # Unix signals, job control, permissions and processes.
    a_signal_ends_a_run_and_prints_its_position
    a_long_test_shows_its_progress
    the_keyboard_is_restored_for_a_stop_and_taken_again_afterwards
    colours_and_a_full_screen_pane_are_remembered
    the_source_is_edited_at_the_line_of_the_cursor
    the_server_ends_with_the_process_that_the_client_names
    # Unix file names and special files.
    a_missing_file_suggests_a_similar_name
    a_name_that_make_cannot_read_is_refused
    each_command_says_which_files_it_wrote
    file_names_need_not_be_utf_8
    files_have_the_names_that_the_client_uses
    include_files_with_similar_invalid_names_are_not_confused
    names_of_boards_and_make_rules_need_not_be_utf_8
    special_files::
    # Redirections and closed pipes, which Wine passes on as handles that Windows does not have.
    a_client_that_stops_reading_is_not_an_error
    a_closed_pipe_ends_the_program_quietly
    an_output_never_replaces_the_file_on_standard_input
    help_into_a_closed_pipe_is_not_an_error
    messages_of_log_points_that_cannot_be_written_end_the_run
    two_outputs_cannot_share_a_file
    # Windows uses other messages, or reports the error at another time.
    an_editor_shows_the_diagnostics_that_the_test_sources_expect
    an_output_that_cannot_be_written_is_an_error
    an_error_names_standard_output
    a_failed_export_has_one_message
    an_error_says_that_progress_cannot_be_saved
    # Wine's console does not pass on the mouse, size changes or the terminal's answers.
    the_mouse_
    the_screen_follows_resizes_and_a_tiny_one_shows_a_message
    the_background_comes_from_the_terminal_or_an_option
  )
  GRAY1_DRIVE=Z run wine check compare dap debug errors export files fmt front_end learn links lsp \
    open programs::{built_in,queens,roms,tutorial} record run screenshot show cli::test warnings
}

aarch64() {
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  build aarch64-unknown-linux-gnu gray1
  # Compares native code with the interpreter, on random programs and all of ours. This does not
  # test the flushing of caches, because qemu detects changed code itself.
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64-static -L /usr/aarch64-linux-gnu' \
    timeout 20m cargo test --locked -p gray1-native \
    --target aarch64-unknown-linux-gnu --target-dir "$cargo"
  # Terminal settings are not available there.
  skipped=(
    the_front_end_refuses_special_files_and_can_be_quit
    the_removal_of_an_include_is_noticed
  )
  run qemu check dap errors export files fmt lsp programs::{built_in,queens,roms} record run show warnings
}

macos() {
  rustup target add aarch64-apple-darwin >/dev/null 2>&1 || true
  # A library with assembly needs a C compiler, which is missing. Checking types does not need it.
  CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true RUSTFLAGS='-D warnings' \
    cargo check --locked --workspace --tests --target aarch64-apple-darwin --target-dir "$cargo"
}

[ $# -gt 0 ] || set -- windows aarch64 macos
for system; do
  printf '\n== %s\n' "$system"
  "$system"
done

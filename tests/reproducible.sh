#!/bin/sh
# Builds the release twice, in two folders, and compares the programs byte by byte.
#
#   tests/reproducible.sh
#
# It takes twice as long as a build from scratch, so CI does not run it. The sources are
# those of the last commit. The flag tells the compiler to write `cargo` in place of the folder that
# holds the libraries' sources; paths inside the repository are relative anyway.
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse HEAD)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

build() {
  mkdir -p "$1"
  git archive "$commit" | tar -x -C "$1"
  (
    cd "$1"
    export CARGO_TARGET_DIR="$1/target"
    export CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    cargo build --profile dist --locked
  )
  # Removes one build before the next, to save disk space.
  mv "$1/target/dist/gray1" "$2"
  rm -rf "$1"
}

build "$folder/one" "$folder/gray1.one"
build "$folder/another/folder further down" "$folder/gray1.another"
if ! cmp "$folder/gray1.one" "$folder/gray1.another"; then
  echo "the two programs differ" >&2
  exit 1
fi
echo "the same bytes twice: $(sha256sum < "$folder/gray1.one" | cut -d ' ' -f 1)"

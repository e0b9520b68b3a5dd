#!/usr/bin/env bash
# Makes a release from the last commit and installs it as users do: the archive into an empty root
# folder, and the Debian package by dpkg. Needs root, and some minutes for the build.
#
#   tests/release.sh
set -euo pipefail
cd "$(dirname "$0")/.."

BASE=https://example.org/gray1 release/build linux-x86_64
dist=$PWD/target/dist
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

fail() {
  echo "tests/release.sh: $*" >&2
  exit 1
}

echo "the archive, in an empty root"
archive=$(ls "$dist"/gray1-*-linux-x86_64.tar.gz)
[ "$(stat -c %s "$archive")" -le $((5 << 20)) ] || fail "the archive is larger than 5 MB"
mkdir "$root/empty"
tar -xzf "$archive" -C "$root/empty" --strip-components 1
chroot=$(command -v chroot)
run() { env -i "$chroot" "$root/empty" /bin/gray1 "$@"; }
run --version | grep "commit $(git rev-parse --short=7 HEAD), programs run as native code" ||
  fail "the version does not say what it is"
[ "$(run run queens 2>/dev/null | wc -l)" -eq 92 ] || fail "queens does not print 92 lines"
run check >/dev/null
run screenshot queens --keys "]" --size 80x24 | grep 15863724 >/dev/null || fail "no first solution"

echo "the Debian package"
admin=$root/debian/var/lib/dpkg
mkdir -p "$admin/info" "$admin/updates"
touch "$admin/status"
package=$(ls "$dist"/gray1_*_amd64.deb)
dpkg --root="$root/debian" --install "$package" >/dev/null
files=$root/debian/usr
[ "$("$files/bin/gray1" run queens 2>/dev/null | wc -l)" -eq 92 ] || fail "the package does not run"
(
  # Loads completions as the shell does after its start-up file.
  PATH="$files/bin:$PATH"
  # shellcheck source=/dev/null
  source "$files/share/bash-completion/completions/gray1"
  complete -p gray1 >/dev/null
) || fail "bash does not complete"
man=$files/share/man/man1/gray1-run.1.gz
gzip -cd "$man" | grep -F 'max\-instructions' >/dev/null || fail "no manual page of gray1 run"
dpkg --root="$root/debian" --purge gray1 >/dev/null
left=$(find "$root/debian" -path "$admin" -prune -o -type f -print)
[ -z "$left" ] || fail "the package leaves files behind: $left"

echo "the formula names the archive and its checksum"
grep -q "$(sha256sum "$archive" | cut -d ' ' -f 1)" "$dist/gray1.rb"
grep -q "https://example.org/gray1/$(basename "$archive")" "$dist/gray1.rb"
echo "so does the manifest for Windows"
touch "$root/gray1-1.2.3-windows-x86_64.zip"
release/manifests 1.2.3 https://example.org/gray1 "$root"
grep -q "https://example.org/gray1/gray1-1.2.3-windows-x86_64.zip" "$root/gray1.json"
echo "installed, run and removed"

#!/bin/sh
# Runs `mixedkube check` of a release, on a machine that has neither mixedkube nor Go. The GitHub Action
# (action.yml), the template for GitLab (ci/gitlab.yml) and the hook for pre-commit run this script.
#
# It downloads the program for the machine once, verifies its checksum, and exits with the exit code of
# mixedkube: 0 without errors, 1 with errors in the manifests, 2 if something cannot be read, downloaded
# or trusted. It passes its arguments on to mixedkube check, and the values of these variables:
#
#   MIXEDKUBE_TOPOLOGY  the file with the cluster's pools
#   MIXEDKUBE_REPORTS   reports to write, one FORMAT=FILE per line; formats are json, sarif, junit, gitlab
#   MIXEDKUBE_ARGS      further arguments, one per line
#   MIXEDKUBE_PATHS     files, directories and charts to check, one per line
#   MIXEDKUBE_VERSION   the release to use; the default is the release of this script
#   MIXEDKUBE_SHA256    the checksum of the archive for this machine; the default is the one in the
#                       release's own list
#   MIXEDKUBE_RELEASES  where the releases are, such as a mirror
#   MIXEDKUBE_CACHE     the directory that keeps the programs; the default is mixedkube/releases in the
#                       user's cache directory
set -eu

version=${MIXEDKUBE_VERSION:-0.1.0}
version=${version#v}
releases=${MIXEDKUBE_RELEASES:-https://github.com/mixedkube/mixedkube/releases/download}

fail() {
	echo "error: $1" >&2
	exit 2
}

# fetch URL FILE
fetch() {
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL --retry 3 -o "$2" "$1"
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$2" "$1"
	else
		fail "neither curl nor wget is on PATH: install one of them"
	fi || fail "$1: it cannot be downloaded: is $version a release of mixedkube?"
}

# sum FILE
sum() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	else
		fail "neither sha256sum nor shasum is on PATH: install one of them"
	fi
}

case $(uname -s) in
Linux) os=linux suffix= ;;
Darwin) os=darwin suffix= ;;
MINGW* | MSYS* | CYGWIN*) os=windows suffix=.exe ;;
*) fail "$(uname -s): there is no release for this system: use Linux, macOS or Windows" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "$(uname -m): there is no release for this processor: use amd64 or arm64" ;;
esac

cache=${MIXEDKUBE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/mixedkube/releases}
# A program that was verified by the checksum of the caller has a directory of its own.
directory=$cache/$version-$os-$arch${MIXEDKUBE_SHA256:+-$MIXEDKUBE_SHA256}
program=$directory/mixedkube$suffix

if [ ! -x "$program" ]; then
	mkdir -p "$directory"
	work=$(mktemp -d "$directory/download.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' HUP INT TERM
	archive=mixedkube_${version}_${os}_$arch.tar.gz
	echo "mixedkube $version for $os/$arch: downloading it from $releases/v$version" >&2
	fetch "$releases/v$version/$archive" "$work/$archive"
	want=${MIXEDKUBE_SHA256:-}
	if [ -z "$want" ]; then
		list=$releases/v$version/checksums.txt
		fetch "$list" "$work/checksums.txt"
		want=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/checksums.txt")
		[ -n "$want" ] || fail "$list: it has no line for $archive: give MIXEDKUBE_SHA256"
	fi
	got=$(sum "$work/$archive")
	[ "$got" = "$want" ] || fail "$archive: its SHA-256 is $got, not $want: do not use it"
	tar -xzf "$work/$archive" -C "$work" "mixedkube$suffix"
	mv "$work/mixedkube$suffix" "$program"
	rm -rf "$work"
	trap - EXIT HUP INT TERM
fi

# Each line is one argument, and the shell does not expand it.
set -f
IFS='
'
if [ -n "${MIXEDKUBE_TOPOLOGY:-}" ]; then
	set -- --topology "$MIXEDKUBE_TOPOLOGY" "$@"
fi
for line in ${MIXEDKUBE_REPORTS:-}; do
	set -- --report "$line" "$@"
done
for line in ${MIXEDKUBE_ARGS:-} ${MIXEDKUBE_PATHS:-}; do
	set -- "$@" "$line"
done
exec "$program" check "$@"

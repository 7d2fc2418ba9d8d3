#!/bin/sh
# Runs `mixedkube check` of a release, on a machine that has neither mixedkube nor Go. The GitHub Action
# (action.yml), the template for GitLab (ci/gitlab.yml) and the hook for pre-commit run this script.
#
# It downloads the archive for the machine once, and verifies its checksum on every run, before it unpacks
# the program into a private directory. It exits with the exit code of mixedkube: 0 without errors, 1 with
# errors in the manifests, 2 if something cannot be read, downloaded or trusted, or if the paths have no
# object; templates of other programs below a directory are left alone. It passes its arguments on to
# mixedkube check, and the values of these variables:
#
#   MIXEDKUBE_TOPOLOGY  the file with the cluster's pools
#   MIXEDKUBE_REPORTS   reports to write, one FORMAT=FILE per line; formats are json, sarif, junit, gitlab
#   MIXEDKUBE_ARGS      further arguments, one per line
#   MIXEDKUBE_PATHS     files, directories and charts to check, one per line; none of them is a flag
#   MIXEDKUBE_TIMEOUT   how long the check may take; the default is 10m, and 0 removes the limit
#   MIXEDKUBE_VERSION   the release to use; the default is the release of this script
#   MIXEDKUBE_SHA256    the checksum of the archive for this machine; the default is the one in the
#                       release's own list, which is downloaded on every run: a list in the cache would be
#                       no better than the archive in the cache. With the checksum, runs work offline.
#                       `gh attestation verify` shows whether an archive is what the repository built.
#   MIXEDKUBE_RELEASES  where the releases are, such as a mirror: https, or http on this machine
#   MIXEDKUBE_CACHE     the directory that keeps the archives; the default is mixedkube/releases in the
#                       user's cache directory. Only the user may own it and write to it.
set -eu

version=${MIXEDKUBE_VERSION:-0.1.0}
version=${version#v}
releases=${MIXEDKUBE_RELEASES:-https://github.com/mixedkube/mixedkube/releases/download}

fail() {
	echo "error: $1" >&2
	exit 2
}

# local_address URL reports whether an address is one of this machine. What is before an @ is not the host.
local_address() {
	case $1 in
	*@*) return 1 ;;
	http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"[:/]*) return 0 ;;
	*) return 1 ;;
	esac
}

# fetch URL FILE
fetch() {
	protocols='=https'
	if local_address "$1"; then
		protocols='=http,https'
	fi
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL --proto "$protocols" --proto-redir '=https' --retry 3 -o "$2" -- "$1"
	elif command -v wget >/dev/null 2>&1; then
		# wget cannot be told which redirects to follow, so that what it has read is dropped.
		wget -S -O "$2" -- "$1" 2>"$work/log" || { cat "$work/log" >&2 && false; }
		if grep -i '^ *location: *http:' "$work/log" >/dev/null; then
			fail "$1: it is redirected to an address that is not encrypted: use a mirror with https://"
		fi
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

# The values become parts of paths and addresses.
case $version in
'' | .* | *[!0-9A-Za-z.+-]*) fail "MIXEDKUBE_VERSION: $version is not a release: write one like 0.1.0" ;;
esac
case $releases in
https://*) ;;
*)
	local_address "$releases/" || fail "MIXEDKUBE_RELEASES: $releases is not encrypted: use https://"
	;;
esac

if [ -n "${MIXEDKUBE_CACHE:-}" ]; then
	cache=$MIXEDKUBE_CACHE
elif [ -n "${XDG_CACHE_HOME:-}" ]; then
	cache=$XDG_CACHE_HOME/mixedkube/releases
elif [ -n "${HOME:-}" ]; then
	cache=$HOME/.cache/mixedkube/releases
else
	fail "HOME is not set, so that the program has no place: set MIXEDKUBE_CACHE to a directory of your own"
fi
case $cache in
/* | [A-Za-z]:*) ;;
*) cache=$PWD/$cache ;;
esac
(umask 077 && mkdir -p -- "$cache") || fail "$cache: it cannot be created: set MIXEDKUBE_CACHE"
# A user who may write here may replace the program between its check and its start. On Windows, the modes say
# nothing about that: the user's profile is the user's.
if [ $os != windows ]; then
	owner=$(ls -ldn -- "$cache/." | awk '{ print $1, $3 }')
	case $owner in
	d????w* | d???????w*)
		fail "$cache: other users can write to it: run chmod go-w on it, or set MIXEDKUBE_CACHE"
		;;
	*" $(id -u)") ;;
	*) fail "$cache: it belongs to another user: set MIXEDKUBE_CACHE to a directory of your own" ;;
	esac
fi

work=$(umask 077 && mktemp -d "$cache/run.XXXXXX") || fail "$cache: it cannot be written to: set MIXEDKUBE_CACHE"
trap 'rm -rf -- "$work"' EXIT
trap 'exit 2' HUP INT TERM

archive=mixedkube_${version}_${os}_$arch.tar.gz
from=$releases/v$version
want=${MIXEDKUBE_SHA256:-}
if [ -z "$want" ]; then
	fetch "$from/checksums.txt" "$work/checksums.txt"
	want=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/checksums.txt")
	[ -n "$want" ] || fail "$from/checksums.txt: it has no line for $archive: give MIXEDKUBE_SHA256"
fi
# The copy is verified and unpacked, so that nothing changes in between.
if [ -f "$cache/$archive" ] && cp -- "$cache/$archive" "$work/$archive" &&
	[ "$(sum "$work/$archive")" = "$want" ]; then
	:
else
	echo "mixedkube $version for $os/$arch: downloading it from $from" >&2
	rm -f -- "$work/$archive"
	fetch "$from/$archive" "$work/$archive"
	got=$(sum "$work/$archive")
	[ "$got" = "$want" ] || fail "$archive: its SHA-256 is $got, not $want: do not use it"
	cp -- "$work/$archive" "$work/kept"
	mv -f -- "$work/kept" "$cache/$archive"
fi
# Only the content of the program comes out of the archive, no links, and not more than 512 MiB.
program=$work/mixedkube$suffix
(
	ulimit -f 1048576 2>/dev/null || :
	tar -xzOf "$work/$archive" "mixedkube$suffix" >"$program"
) || fail "$archive: it cannot be unpacked: it needs the file mixedkube$suffix, of at most 512 MiB"
[ -s "$program" ] || fail "$archive: mixedkube$suffix in it is not a file with content"
chmod 700 "$program"
rm -f -- "$work/$archive" "$work/checksums.txt" "$work/log"

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
if [ "${MIXEDKUBE_TIMEOUT:-10m}" != 0 ]; then
	set -- --timeout "${MIXEDKUBE_TIMEOUT:-10m}" "$@"
fi
for line in ${MIXEDKUBE_ARGS:-}; do
	set -- "$@" "$line"
done
if [ -n "${MIXEDKUBE_PATHS:-}" ]; then
	set -- "$@" --
fi
for line in ${MIXEDKUBE_PATHS:-}; do
	set -- "$@" "$line"
done

# The program runs beside the shell, which passes signals on to it, and removes it afterwards. A command in
# the background ignores SIGINT, and gets no standard input unless it is another descriptor.
signals= child=
# pass SIGNAL
pass() {
	signals="$signals $1"
	[ -z "$child" ] || kill -s TERM "$child" 2>/dev/null || :
}
trap 'pass HUP' HUP
trap 'pass INT' INT
trap 'pass TERM' TERM
(: <&0) 2>/dev/null || exec </dev/null
exec 3<&0
"$program" check "$@" <&3 3<&- &
child=$!
[ -z "$signals" ] || kill -s TERM "$child" 2>/dev/null || :
# A signal ends the wait before the program ends.
while :; do
	before=$signals code=0
	wait "$child" || code=$?
	[ "$signals" != "$before" ] || break
done
rm -rf -- "$work"
trap - EXIT HUP INT TERM
if [ -n "$signals" ] && [ "$code" -gt 128 ]; then
	kill -s "${signals##* }" $$
fi
exit "$code"

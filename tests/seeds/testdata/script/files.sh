#!/bin/sh
# Shows the files that the join.ps1 of the Windows node "$1" writes, with their paths.
set -eu
sed -n "s/^\$Payload = '\([^']*\)'.*/\1/p" "nodes/$1/join.ps1" | base64 -d | gunzip |
	sed -e 's/{"path":"\([^"]*\)","content":"/\n== \1\n/g' -e 's/\\r\\n/\n/g' -e 's/\\n/\n/g' -e 's/\\"/"/g'

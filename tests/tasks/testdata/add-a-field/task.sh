# Adds the field Annotations to the arguments of logmonitor.NewConfig in a fresh clone of the repository: three files by
# hand, and one command. A test names each generated file that lacks it.
set -eu
beside=$(cd "$(dirname "$0")" && pwd)

# next runs tests, which fail, and shows what they name.
next() {
	if go test -vet=off -count=1 "$@" >output; then
		echo "no test names the next step" >&2
		exit 1
	fi
	grep -o -i -e '^--- FAIL: [A-Za-z]*' -e '+.*annotations[": ].*' output
	rm output
}

# ARCHITECTURE.md, "Add a field to a component": the field, and what the constructor does with it.
git apply "$beside/field.patch"
(cd tests && next ./api)
(cd internal/provider && next . -run '^TestGenerated|^TestTagsAgree$')

# The test, which fails without the line of the constructor.
git apply "$beside/test.patch"
sed -i 's/, Annotations: args.Annotations,/,/' components/logmonitor/config.go
! go test -vet=off ./components/logmonitor >output
grep -o -e '^--- FAIL: [A-Za-z]*' output
rm output
sed -i 's/Namespace: namespace,$/Namespace: namespace, Annotations: args.Annotations,/' components/logmonitor/config.go
go test -vet=off ./components/logmonitor

# What `make generate` writes for a field, and a line in the changelog.
go -C tests test -vet=off ./api -run '^TestGeneratedAPI$' -update
go -C internal/provider test -vet=off . -run '^TestGenerated' -update
sed -i '0,/^### Added$/s//&\n\n- `Annotations` of `logmonitor.NewConfig`./' CHANGELOG.md

# They agree.
go -C tests test -vet=off -count=1 ./api
git status --short

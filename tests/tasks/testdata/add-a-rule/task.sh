# Adds the rule MK545, "a working directory that is a UNC path", to a fresh clone of the repository: four files, and a
# line on the page about its subject, which no test demands. A test names each other step that is not done yet.
set -eu
beside=$(cd "$(dirname "$0")" && pwd)

# next runs tests, which fail, and shows what they name.
next() {
	if go test "$@" >output; then
		echo "no test names the next step" >&2
		exit 1
	fi
	grep -o -e '^--- FAIL: [A-Za-z]*' -e 'MK545.*' output
	rm output
}

# CONTRIBUTING.md, "Add a rule", step 3: the next free ID. Nothing may have it, nor have had it: IDs are never reused.
if git grep -n MK545 -- core machines components internal docs; then
	echo "the ID is taken" >&2
	exit 1
fi

# ARCHITECTURE.md, "Add a rule": the rule with its check.
git apply "$beside/rule.patch"
next ./core/preflight -run TestEachRuleIsListed

# The list at the top of the file.
sed -i 's/^\t\(stopSignalUnknown, podWithoutContainers,\)/\tworkingDirOnShare, \1/' \
	core/preflight/internal/rules/fields/containers.go
next ./core/preflight -run TestEachRuleRunsAlone
next ./internal/core/preflight/examples -run TestEachRuleHasAnExample

# The examples.
git apply "$beside/examples.patch"
next ./core/preflight -run TestEachRuleHasATest

# The test.
git apply "$beside/test.patch"
(cd tests && next ./rulepages -run TestGeneratedIndex)

# What `make generate` writes for a rule, and a line on the page about the subject.
go -C tests test ./rulepages -run '^TestGeneratedIndex$' -update
go -C tests test ./rulepages ./schemas -run '^TestGenerated' -update
row='| a `workingDir` that is a UNC path | `cmd` does not support it as its current directory |'
sed -i "/^| exec probes with PowerShell |/a $row [MK545](rules/commands.md#mk545) |" docs/differences.md

# CONTRIBUTING.md, "Add a rule", step 6: read what it says. README.md, "Check the manifests that you have".
go run . explain MK545
go run . check internal/core/preflight/examples/MK545/bad.yaml
go run . check internal/core/preflight/examples/MK545/good.yaml

# The tests that the table names.
go test ./core/preflight ./internal/core/preflight/examples ./internal/core/rule/rulepages
go -C tests test ./rulepages ./schemas -run 'TestGenerated|TestEachURLLeadsToItsRule'
git status --short

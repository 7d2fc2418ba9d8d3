# Adds the rule MK545, "a working directory that is a UNC path", to a fresh clone of the repository.
set -eu
beside=$(cd "$(dirname "$0")" && pwd)

# CONTRIBUTING.md, "Add a rule", step 3: the next free ID. Nothing may have it, nor have had it: IDs are never reused.
if git grep -n MK545 -- components internal docs; then
	echo "the ID is taken" >&2
	exit 1
fi

# ARCHITECTURE.md, "Add a rule": the rule with its check and the test, the list, the examples, the page.
git apply "$beside/rule.patch"
sed -i 's/^\tc\.volumes(p)$/&\n\tc.workingDirs(p)/' core/preflight/check_onwindows.go
sed -i 's/^.* hostAccountIncomplete,$/&\n\tworkingDirOnShare,/' core/preflight/rules.go
sed -i 's/MK533-MK534"/MK533-MK534 MK545"/' internal/core/rule/rulepages/pages.go

# ARCHITECTURE.md, "Add a rule", last rows: what `make generate` writes for a rule, the page about the subject, a line.
go -C tests test ./rulepages ./schemas -run '^TestGenerated' -update
row='| a `workingDir` that is a UNC path | `cmd` does not support it as its current directory |'
sed -i "/^| exec probes with PowerShell |/a $row [MK545](rules/commands.md#mk545) |" docs/differences.md

# CONTRIBUTING.md, "Add a rule", step 6: read what it says. README.md, "Check the manifests that you have".
go run . explain MK545
go run . check internal/core/preflight/examples/MK545/bad.yaml
go run . check internal/core/preflight/examples/MK545/good.yaml

# The tests that the table names.
go test ./core/preflight ./internal/core/preflight/examples ./internal/core/rule/rulepages
go -C tests test ./rulepages ./schemas -run 'TestGenerated|TestEachRuleIsOnOnePage'
git status --short

# Changes the sentence of the rule MK131 in a fresh clone of the repository: three files and one command.
set -eu
before='Windows supports only SIGKILL and SIGTERM'
after='containers of Windows stop with SIGKILL or SIGTERM only'

# ARCHITECTURE.md, "Change the sentence of a rule": the test of the rule, the rule, and the page have it.
git grep -l "$before" -- . ':!tests/tasks' ':!tests/pins'

# The rule. Two tests show the sentence.
sed -i "s/$before/$after/" core/preflight/internal/rules/fields/containers.go
! go test -vet=off ./core/preflight >output
grep -o -e '^--- FAIL: [A-Za-z]*' output
! go -C tests test -vet=off -count=1 ./rulepages >output
grep -o -e '^--- FAIL: [A-Za-z]*' output
rm output

# The test, and the page.
sed -i "s/$before/$after/" core/preflight/check_api_test.go
go -C tests test -vet=off -count=1 ./rulepages -run '^TestGeneratedPages$' -update

# They agree.
go test -vet=off ./core/preflight -run TestStopSignal
go -C tests test -vet=off -count=1 ./rulepages
git status --short

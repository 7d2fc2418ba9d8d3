# Changes the sentences of three rules in a fresh clone of the repository, one about manifests, one about AKS and one
# about kubeadm: three files and one command for each.
set -eu

# has shows the files that have a sentence. ARCHITECTURE.md, "Change the sentence of a rule": the test of the rule, the
# rule, and the page have it.
has() { git grep -l "$1" -- . ':!tests/tasks' ':!tests/pins'; }

# fails runs the tests of a module that name what was forgotten.
fails() {
	if go "$@" >output; then
		echo "no test names the next step" >&2
		exit 1
	fi
	grep -o -e '^--- FAIL: [A-Za-z]*' output
	rm output
}

# Rules about manifests: the sentence is in a test as a string.
before='Windows supports only SIGKILL and SIGTERM'
after='containers of Windows stop with SIGKILL or SIGTERM only'
has "$before"
sed -i "s/$before/$after/" core/preflight/internal/rules/fields/containers.go
fails test -vet=off ./core/preflight
fails -C tests test -vet=off -count=1 ./rulepages
sed -i "s/$before/$after/" core/preflight/check_api_test.go

# Rules about AKS and kubeadm: the tests beside them write the sentences.
before='Azure does not stop system pools'
has "$before"
sed -i "s/$before/system pools cannot be stopped in Azure/" core/aks/plan/poolkind.go
fails test -vet=off ./core/aks/plan
before="the control plane's subnet is its first eighth"
has "$before"
sed -i "s/$before/its first eighth is the subnet of the control plane/" machines/kubeadm/plan/network.go
fails test -vet=off ./machines/kubeadm/plan

# The command: what `make generate` runs for rules.
go test -vet=off ./core/aks/plan ./machines/kubeadm/plan -run '^TestGenerated' -update
go -C tests test -vet=off -count=1 ./rulepages -run '^TestGeneratedPages$' -update

# They agree.
go test -vet=off ./core/preflight -run TestStopSignal
go -C tests test -vet=off -count=1 ./rulepages
git status --short

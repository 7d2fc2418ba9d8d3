package plan

import (
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// DrainFailure is AKS' answer that pods did not leave a node that it upgrades, replaces or removes
// (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure).
type DrainFailure struct {
	Node string
	Pods []string
	// Budget is the PodDisruptionBudget that AKS names. It names none if pods are too slow, and if it deletes a pool.
	Budget string
}

// The texts of the answers: an upgrade whose evictions a budget refuses, and any other drain. Azure's client and az
// write them in different envelopes.
var (
	drainRefused = regexp.MustCompile(`Drain node (\S+) failed when evicting pod (\S+) failed`)
	drainTooSlow = regexp.MustCompile(`Node '([^']+)' failed to be drained with error: 'Drain did not complete pods ` +
		`\[([^\]]+)\]`)
	blockingBudget = regexp.MustCompile(`blocked by pdb (\S+)`)
)

// ReadDrainFailure reads the newest error of an operation, which is the first. It returns false for any other error.
func ReadDrainFailure(errors ...string) (DrainFailure, bool) {
	text := ""
	if len(errors) > 0 {
		text = errors[0]
	}
	match := drainRefused.FindStringSubmatch(text)
	if match == nil {
		match = drainTooSlow.FindStringSubmatch(text)
	}
	if match == nil {
		return DrainFailure{}, false
	}
	f := DrainFailure{Node: match[1], Pods: strings.Fields(strings.ReplaceAll(match[2], ",", " "))}
	if budget := blockingBudget.FindStringSubmatch(text); budget != nil {
		f.Budget = budget[1]
	}
	return f, true
}

// String says what users can do. Another update sends the request again, and AKS continues
// (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
func (f DrainFailure) String() string {
	budget := "the PodDisruptionBudget " + f.Budget
	if f.Budget == "" {
		budget = "their PodDisruptionBudget if they have one (kubectl get pdb --all-namespaces)"
	}
	return fielderrors.Count(len(f.Pods), "pod") + " did not leave the node " + f.Node + ": " +
		strings.Join(f.Pods, ", ") + ". Relax " + budget + ", or let them end, and run pulumi up again, which continues"
}

// RefreshFirst says what users can do about a pool that changes in place. Azure has the new value as soon as the change
// begins, and the state has the old one.
const RefreshFirst = "run pulumi refresh before another change of the pool, which would send the old value again"

var staleProperty = regexp.MustCompile(`Changing property 'properties\.(` + vmSize + `|` + osSKU + `|` + enableFIPS +
	`)' is not allowed`)

// ReadStaleProperty reads the newest error of an operation, which is the first. It returns the property that changes in
// place, and that an update has sent with the value in the state, which is older than Azure's.
func ReadStaleProperty(errors ...string) (property string, ok bool) {
	if len(errors) == 0 {
		return "", false
	}
	match := staleProperty.FindStringSubmatch(errors[0])
	if match == nil {
		return "", false
	}
	return match[1], true
}

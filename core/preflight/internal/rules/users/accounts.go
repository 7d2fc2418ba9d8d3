package users

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// accountRules are about pods that have the identity of a Group Managed Service Account on the network.
var accountRules = []engine.Rule{accountOfOtherUser, accountWithOneHostname}

var windowsPodsWithAccount = &engine.Scope[*subject.Pods]{
	Within: podsWithCredentials, Name: "Windows pods with a Group Managed Service Account",
	Has: func(p *subject.Pods) bool {
		return p.OS() == platform.WindowsOS && !p.HostProcess() && !p.HostProcessUnknown()
	},
}

var accountOfOtherUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK807", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "a Group Managed Service Account in a container that runs as ContainerUser",
		Reason: "Only programs that run as Network Service or Local System have the identity of the account on the " +
			"network. ContainerUser is a user of the container alone: access to shares and databases fails. Nano " +
			"Server runs as ContainerUser by default. Services of the image, such as the application pools of IIS, " +
			"run as users of their own.",
		Fix: `set it to NT AUTHORITY\NETWORK SERVICE`,
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/" +
			"manage-serviceaccounts; https://github.com/microsoft/Windows-Containers/issues/537",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithAccount, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			user, known := p.UserOf(ctr)
			if !known || !hasAccount(p.Windows) && !hasAccount(ctr.Windows) {
				continue
			}
			if subject.IsContainerUser(user) {
				from := ctr
				if ctr.Windows["runAsUserName"] == nil {
					from = nil // it is the user of the pod
				}
				found = append(found, rule.Problem{
					Path: p.OptionPath(from, "runAsUserName"), Value: user,
					Detail: "has no identity on the network, although there is a Group Managed Service Account",
				})
			} else if user == nil && isPlainNanoServer(p, i) {
				found = append(found, rule.Problem{
					Path: p.OptionPath(ctr, "runAsUserName"),
					Detail: "the image runs as ContainerUser, which has no identity on the network, although there " +
						"is a Group Managed Service Account",
				})
			}
		}
		return onceEach(found)
	})},
}

// onceEach returns problems without those at the path of an earlier one: the user of the pod is the user of several
// containers.
func onceEach(all []rule.Problem) []rule.Problem {
	var found []rule.Problem
	for _, problem := range all {
		if !slices.ContainsFunc(found, func(other rule.Problem) bool { return other.Path == problem.Path }) {
			found = append(found, problem)
		}
	}
	return found
}

// isPlainNanoServer reports whether an image is one of Microsoft's with Nano Server, and its configuration is not known
// to name another user.
func isPlainNanoServer(p *subject.Pods, container int) bool {
	return p.ImageName(container).Microsoft != "" && p.BaseOf(container) == subject.NanoServer &&
		!namesUser(p.Target.Images[container].Facts)
}

var accountWithOneHostname = engine.Rule{
	Rule: rule.Rule{
		ID: "MK808", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "several pods with one hostname and a Group Managed Service Account",
		Reason: "If two containers with the same account and the same hostname talk to a domain controller, one ends " +
			"the connection of the other: authentication fails at times, and nltest /sc_verify reports a failed " +
			"trust. Without spec.hostname the name of the pod is its hostname, which is unique. The rule checks " +
			"workloads with several pods; a StatefulSet sets the hostname of each pod.",
		Fix: "remove it",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/gmsa-troubleshooting" +
			"; https://github.com/microsoft/Windows-Containers/issues/405",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithAccount, func(p *subject.Pods) []rule.Problem {
		v := p.Spec["hostname"]
		if name, _ := tree.Text(v); name == "" || !createsSeveral(p) {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("hostname"), Value: v,
			Detail: "is the hostname of several pods with one Group Managed Service Account",
		}}
	})},
}

// counts are the fields with the number of pods of a workload, in its spec.
var counts = map[string]string{
	"Deployment": "replicas", "ReplicaSet": "replicas", "ReplicationController": "replicas", pods.Rollout: "replicas",
	"Job": "parallelism",
}

// createsSeveral reports whether a workload is known to run several pods at the same time.
func createsSeveral(p *subject.Pods) bool {
	field, counted := counts[p.Kind]
	n, _ := tree.Int(tree.At(p.Object["spec"], field))
	return p.Kind == "DaemonSet" || counted && n > 1
}

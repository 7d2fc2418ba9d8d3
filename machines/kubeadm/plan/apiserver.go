package plan

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	argumentRefused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK663", Severity: rule.Error, Title: "an argument of the API server that undoes what protects it",
			Page: rulepages.Kubeadm,
			Reason: "kubeadm and this library set arguments of the API server. If a configured argument replaced one " +
				"of them, the API server would not start, or it would allow anyone to do anything. Some of these " +
				"arguments have an option.",
			Source:    "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(servers, func(s server) []rule.Problem { return refusedOptions(s, true) })},
	}
	optionRefused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK664", Severity: rule.Error, Title: "an option that the API server does not start with",
			Page: rulepages.Kubeadm,
			Reason: "The audit policy, the provider of identities, the Pod Security Standard and the names of the " +
				"certificate are checked as the API server and kubeadm check them, but before any machine exists. An " +
				"audit policy that writes the bodies of Secrets or tokens into a file is refused as well.",
			Source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/, " +
				"https://kubernetes.io/docs/reference/access-authn-authz/authentication/, " +
				"https://kubernetes.io/docs/tasks/configure-pod-container/enforce-standards-admission-controller/",
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(servers, func(s server) []rule.Problem { return refusedOptions(s, false) })},
	}
)

// refusedOptions returns what is wrong with the options of the API servers: with its arguments, or with the others.
func refusedOptions(s server, arguments bool) []rule.Problem {
	var found []rule.Problem
	for _, err := range s.Validate(s.path) {
		if strings.HasPrefix(err.Field, s.path.Child("extraArgs").String()) == arguments {
			found = append(found, problemOf(err))
		}
	}
	return found
}

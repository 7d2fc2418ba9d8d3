package plan

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

var (
	argumentRefused = rule.Rule{
		ID: "MK663", Severity: rule.Error, Title: "an argument of the API server that undoes what protects it",
		Reason: "kubeadm and this library set arguments of the API server. If a configured argument replaced one of " +
			"them, the API server would not start, or it would allow anyone to do anything. Some of these arguments " +
			"have an option.",
		Source:    "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/",
		Mandatory: true,
	}
	optionRefused = rule.Rule{
		ID: "MK664", Severity: rule.Error, Title: "an option that the API server does not start with",
		Reason: "The audit policy, the provider of identities, the Pod Security Standard and the names of the " +
			"certificate are checked as the API server and kubeadm check them, but before any machine exists. An " +
			"audit policy that writes the bodies of Secrets or tokens into a file is refused as well.",
		Source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/, " +
			"https://kubernetes.io/docs/reference/access-authn-authz/authentication/, " +
			"https://kubernetes.io/docs/tasks/configure-pod-container/enforce-standards-admission-controller/",
		Mandatory: true,
	}
)

// apiServer reports what is wrong with the options of the API servers.
func (c *check) apiServer(o bootstrap.APIServerOptions, path *field.Path) {
	for _, err := range o.Validate(path) {
		refused := optionRefused
		if strings.HasPrefix(err.Field, path.Child("extraArgs").String()) {
			refused = argumentRefused
		}
		c.Report(refused, problemOf(err))
	}
}

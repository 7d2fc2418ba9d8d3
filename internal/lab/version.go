package lab

import (
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// checkVersion compares the Kubernetes version of a stack with the version of the lab's
// control plane. It accepts every version of a cluster in Azure, because the lab's
// control plane simulates all of them.
func (l *Lab) checkVersion(config stackconfig.Config) error {
	if config.AKS != nil {
		return nil
	}
	pinned, err := l.tools.Pinned("kube-apiserver")
	if err != nil {
		return err
	}
	want := config.Topology.KubernetesVersion
	if want == "" || semver.MajorMinor("v"+strings.TrimPrefix(want, "v")) == semver.MajorMinor(pinned) {
		return nil
	}
	minor := strings.TrimPrefix(semver.MajorMinor(pinned), "v")
	return fielderrors.Join("stack configuration", field.ErrorList{field.Invalid(
		field.NewPath(stackconfig.Project+":cluster", "kubernetesVersion"), want,
		fmt.Sprintf("the lab's control plane is Kubernetes %s: use %q", pinned, minor))})
}

package lab

import (
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// checkVersion compares the control plane that a stack wants with the one that the
// lab has. What Azure calls the version of its clusters is Azure's affair: the lab's
// control plane plays them all.
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

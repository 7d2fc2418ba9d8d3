package lab

import (
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

// checkVersion compares the control plane that a topology wants with the one
// that the lab has.
func (l *Lab) checkVersion(t topology.Topology) error {
	pinned, err := l.tools.Pinned("kube-apiserver")
	if err != nil {
		return err
	}
	want := t.KubernetesVersion
	if want == "" || semver.MajorMinor("v"+strings.TrimPrefix(want, "v")) == semver.MajorMinor(pinned) {
		return nil
	}
	minor := strings.TrimPrefix(semver.MajorMinor(pinned), "v")
	return fielderrors.Join("stack configuration", field.ErrorList{field.Invalid(
		field.NewPath(stackconfig.Project+":cluster", "kubernetesVersion"), want,
		fmt.Sprintf("the lab's control plane is Kubernetes %s: use %q", pinned, minor))})
}

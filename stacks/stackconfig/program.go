package stackconfig

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Program is one of the programs that deploy the stacks of this repository: the directory of
// its source, relative to the repository's root, with slashes. The programs share the
// name of the Pulumi project and the directory of the configuration files.
type Program string

const (
	// Main deploys into an existing cluster, or into a cluster that it creates on AKS.
	Main Program = "stacks"
	// OnMachines deploys into a self-managed cluster that it creates on virtual machines. It
	// is a separate program because it needs the packages network and compute of
	// azure-native, which take long to compile.
	OnMachines Program = "stacks/kubeadm"
)

// Dir returns the directory of the program's Pulumi.yaml, relative to the repository's root.
func (p Program) Dir() string {
	if p == Main {
		return "."
	}
	return string(p)
}

// Program returns the program that deploys the stack.
func (c Config) Program() Program {
	if c.Kubeadm != nil {
		return OnMachines
	}
	return Main
}

// Decode is [Decode] for the configuration of a stack that the program deploys. If
// another program deploys it, the error says only where to run that program.
func (p Program) Decode(values map[string]any) (Config, error) {
	if err := p.check(values); err != nil {
		return Config{}, fielderrors.Join("stack configuration", field.ErrorList{err})
	}
	return Decode(values)
}

const inRoot = "run pulumi in the root of the repository"

// check reports configurations of another program. [Decode] reports those with both ways to create a cluster.
func (p Program) check(values map[string]any) *field.Error {
	_, onAKS := values[KeyAKS]
	_, onMachines := values[KeyKubeadm]
	switch {
	case p == Main && onMachines && !onAKS:
		return field.Forbidden(field.NewPath(KeyKubeadm),
			"this program does not create clusters on virtual machines: run pulumi in the directory "+
				OnMachines.Dir())
	case p == OnMachines && onAKS && !onMachines:
		return field.Forbidden(field.NewPath(KeyAKS), "this program creates clusters on virtual machines only: "+inRoot)
	case p == OnMachines && !onMachines:
		return field.Required(field.NewPath(KeyKubeadm),
			"this program creates clusters on virtual machines only: describe how to create this one, or "+inRoot+
				" for an existing cluster")
	default:
		return nil
	}
}

package kubeadm

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// check returns the findings that do not stop the program, or an error with all that do.
func (s clusterSpec) check() ([]rule.Finding, error) {
	found := s.azure.Validate()
	found = append(found, s.known().Validate()...)
	found = append(found, s.LinuxAdmin.known().Validate()...)
	if slices.ContainsFunc(s.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() }) {
		found = append(found, s.WindowsAdmin.known().Validate()...)
	}
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, found, nil)
}

// subject is what errors are about.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// known is what is known of what the keys are made from.
func (s clusterSpec) known() plan.Keys {
	return plan.Keys{
		Secret:      input.Tree(s.Secret),
		Certificate: input.Tree(s.CertificateAuthority.Certificate),
		PrivateKey:  input.Tree(s.CertificateAuthority.PrivateKey),
	}
}

// check returns the findings that do not stop the program, or an error with all that do.
func (s joiningSpec) check() ([]rule.Finding, error) {
	found := s.azure.Validate()
	if s.azure.Pool.Platform.IsWindows() {
		found = append(found, s.WindowsAdmin.known().Validate()...)
	} else {
		found = append(found, s.LinuxAdmin.known().Validate()...)
	}
	return refusal.Sift(s.subject(), plan.Rules(), s.Ignore, found, nil)
}

func (s joiningSpec) subject() string { return fmt.Sprintf("%s %q", nodePoolToken, s.name) }

func (a LinuxAdmin) known() plan.LinuxAdmin {
	return plan.LinuxAdmin{Username: a.Username, SSHPublicKey: input.Tree(a.SSHPublicKey)}
}

func (a WindowsAdmin) known() plan.WindowsAdmin {
	return plan.WindowsAdmin{Username: a.Username, Password: input.Tree(a.Password), LicenseType: a.LicenseType}
}

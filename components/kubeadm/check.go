package kubeadm

import (
	"context"
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azurevm"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/refusal"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// check returns the findings that do not stop the program, or an error with all that do.
func (s clusterSpec) check(ctx *pulumi.Context) ([]rule.Finding, error) {
	found := s.azure.Validate()
	found = append(found, s.keys(ctx.Context()).Validate()...)
	found = append(found, s.LinuxAdmin.known(ctx.Context()).Validate()...)
	if slices.ContainsFunc(s.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() }) {
		found = append(found, s.WindowsAdmin.known(ctx.Context()).Validate()...)
	}
	return refusal.Sift(fmt.Sprintf("%s %q", clusterToken, s.name), azurevm.Rules(), s.Ignore, found, nil)
}

// keys is what is known of what the keys are made from.
func (s clusterSpec) keys(ctx context.Context) azurevm.Keys {
	return azurevm.Keys{
		Secret:      settled(ctx, s.Secret),
		Certificate: settled(ctx, s.CertificateAuthority.Certificate),
		PrivateKey:  settled(ctx, s.CertificateAuthority.PrivateKey),
	}
}

// check returns the findings that do not stop the program, or an error with all that do.
func (s joiningSpec) check(ctx *pulumi.Context, name string) ([]rule.Finding, error) {
	found := s.azure.Validate()
	if s.azure.Pool.Platform.IsWindows() {
		found = append(found, s.WindowsAdmin.known(ctx.Context()).Validate()...)
	} else {
		found = append(found, s.LinuxAdmin.known(ctx.Context()).Validate()...)
	}
	return refusal.Sift(fmt.Sprintf("%s %q", nodePoolToken, name), azurevm.Rules(), s.Ignore, found, nil)
}

func (a LinuxAdmin) known(ctx context.Context) azurevm.LinuxAdmin {
	return azurevm.LinuxAdmin{Username: a.Username, SSHPublicKey: settled(ctx, a.SSHPublicKey)}
}

func (a WindowsAdmin) known(ctx context.Context) azurevm.WindowsAdmin {
	return azurevm.WindowsAdmin{Username: a.Username, Password: settled(ctx, a.Password), LicenseType: a.LicenseType}
}

// settled is the value of an input if it is there already, nil if none is given.
func settled(ctx context.Context, in pulumi.StringInput) any {
	if in == nil {
		return nil
	}
	if value, known := input.Settled(ctx, in); known {
		return value
	}
	return tree.Unknown{}
}

package kubeadm

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azure"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/input"
	"github.com/mixedkube/mixedkube/internal/pki"
)

// check returns an error with all that is wrong.
func (s clusterSpec) check(ctx *pulumi.Context) error {
	errs := s.azure.Validate()
	if s.Secret == nil {
		errs = append(errs, field.Required(field.NewPath("secret"), "the keys of the cluster are made from it: give 32 random bytes in base64, from `openssl rand -base64 32`, as a secret"))
	} else if text, known := input.Settled(ctx.Context(), s.Secret); known {
		if _, err := pki.ParseSecret(text); err != nil {
			errs = append(errs, hidden(field.NewPath("secret"), err.Error()))
		}
	}
	errs = append(errs, s.CertificateAuthority.check(ctx.Context(), field.NewPath("certificateAuthority"))...)
	errs = append(errs, s.LinuxAdmin.check(ctx.Context(), field.NewPath("linuxAdmin"))...)
	if slices.ContainsFunc(s.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() }) {
		errs = append(errs, s.WindowsAdmin.check(ctx.Context(), field.NewPath("windowsAdmin"))...)
	}
	return fielderrors.Join(fmt.Sprintf("%s %q", clusterToken, s.name), errs)
}

func (a CertificateAuthority) check(ctx context.Context, path *field.Path) field.ErrorList {
	if (a.Certificate == nil) != (a.PrivateKey == nil) {
		return field.ErrorList{field.Required(path, "give the certificate and its private key, or neither")}
	}
	if a.Certificate == nil {
		return nil
	}
	certificate, known := input.Settled(ctx, a.Certificate)
	key, keyKnown := input.Settled(ctx, a.PrivateKey)
	if !known || !keyKnown {
		return nil
	}
	return bootstrap.KeyPair{Certificate: certificate, PrivateKey: key}.ValidateCA(path)
}

// publicKey is one that Azure takes
// (https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys#supported-ssh-key-formats).
var publicKey = regexp.MustCompile(`^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( .*)?\s*$`)

func (a LinuxAdmin) check(ctx context.Context, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if a.SSHPublicKey == nil {
		errs = append(errs, field.Required(path.Child("sshPublicKey"), "Azure makes no Linux machine without a key of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub"))
	} else if key, known := input.Settled(ctx, a.SSHPublicKey); known && !publicKey.MatchString(key) {
		// It may be the private one.
		errs = append(errs, hidden(path.Child("sshPublicKey"), "must be a public key of the kind ssh-ed25519 or ssh-rsa, the content of a file like ~/.ssh/id_ed25519.pub"))
	}
	return append(errs, checkUsername(a.Username, path.Child("username"))...)
}

func (a WindowsAdmin) check(ctx context.Context, path *field.Path) field.ErrorList {
	errs := checkUsername(a.Username, path.Child("username"))
	if a.Password == nil {
		errs = append(errs, field.Required(path.Child("password"), "Azure makes no Windows machine without one: give it as a secret"))
	} else if password, known := input.Settled(ctx, a.Password); known {
		if detail := azure.MachinePassword(password); detail != "" {
			errs = append(errs, hidden(path.Child("password"), detail))
		}
	}
	if l := a.LicenseType; l != "" && l != "Windows_Server" {
		errs = append(errs, field.Invalid(path.Child("licenseType"), l, `must be "Windows_Server", or empty`))
	}
	return errs
}

func checkUsername(name string, path *field.Path) field.ErrorList {
	if detail := azure.MachineUsername(name); name != "" && detail != "" {
		return field.ErrorList{field.Invalid(path, name, detail)}
	}
	return nil
}

// hidden is an error about a secret, which it does not show.
func hidden(path *field.Path, detail string) *field.Error {
	return field.Invalid(path, field.OmitValueType{}, detail)
}

package kubeadm

import (
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
func (s clusterSpec) check() error {
	errs := s.azure.Validate()
	if s.Secret == nil {
		errs = append(errs, field.Required(secretPath, "the keys of the cluster are made from it: give 32 random bytes in base64, from `openssl rand -base64 32`, as a secret"))
	} else if text, ok := input.Plain[string](s.Secret); ok {
		errs = append(errs, checkSecret(text)...)
	}
	errs = append(errs, s.CertificateAuthority.check()...)
	errs = append(errs, s.LinuxAdmin.check()...)
	if slices.ContainsFunc(s.azure.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() }) {
		errs = append(errs, s.WindowsAdmin.check()...)
	}
	return fielderrors.Join(s.subject(), errs)
}

// subject is what errors are about.
func (s clusterSpec) subject() string { return fmt.Sprintf("%s %q", clusterToken, s.name) }

// The paths of what may be known only after the other arguments were checked.
var (
	secretPath    = field.NewPath("secret")
	authorityPath = field.NewPath("certificateAuthority")
	publicKeyPath = field.NewPath("linuxAdmin", "sshPublicKey")
	passwordPath  = field.NewPath("windowsAdmin", "password")
)

func checkSecret(text string) field.ErrorList {
	if _, err := pki.ParseSecret(text); err != nil {
		return field.ErrorList{hidden(secretPath, err.Error())}
	}
	return nil
}

func (a CertificateAuthority) check() field.ErrorList {
	if (a.Certificate == nil) != (a.PrivateKey == nil) {
		return field.ErrorList{field.Required(authorityPath, "give the certificate and its private key, or neither")}
	}
	certificate, plain := input.Plain[string](a.Certificate)
	key, keyPlain := input.Plain[string](a.PrivateKey)
	if !plain || !keyPlain {
		return nil
	}
	return bootstrap.KeyPair{Certificate: certificate, PrivateKey: key}.ValidateCA(authorityPath)
}

// publicKey is one that Azure takes
// (https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys#supported-ssh-key-formats).
var publicKey = regexp.MustCompile(`^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( .*)?\s*$`)

func (a LinuxAdmin) check() field.ErrorList {
	errs := checkUsername(a.Username, field.NewPath("linuxAdmin", "username"))
	if a.SSHPublicKey == nil {
		errs = append(errs, field.Required(publicKeyPath, "Azure makes no Linux machine without a key of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub"))
	} else if text, ok := input.Plain[string](a.SSHPublicKey); ok {
		errs = append(errs, checkPublicKey(text)...)
	}
	return errs
}

func checkPublicKey(text string) field.ErrorList {
	if publicKey.MatchString(text) {
		return nil
	}
	// It may be the private one.
	return field.ErrorList{hidden(publicKeyPath, "must be a public key of the kind ssh-ed25519 or ssh-rsa, the content of a file like ~/.ssh/id_ed25519.pub")}
}

func (a WindowsAdmin) check() field.ErrorList {
	errs := checkUsername(a.Username, field.NewPath("windowsAdmin", "username"))
	if a.Password == nil {
		errs = append(errs, field.Required(passwordPath, "Azure makes no Windows machine without one: give it as a secret"))
	} else if text, ok := input.Plain[string](a.Password); ok {
		errs = append(errs, checkPassword(text)...)
	}
	if l := a.LicenseType; l != "" && l != "Windows_Server" {
		errs = append(errs, field.Invalid(field.NewPath("windowsAdmin", "licenseType"), l, `must be "Windows_Server", or empty`))
	}
	return errs
}

func checkPassword(text string) field.ErrorList {
	if detail := azure.MachinePassword(text); detail != "" {
		return field.ErrorList{hidden(passwordPath, detail)}
	}
	return nil
}

// checked is a text that is an error of subject where the check finds something when the
// text is known.
func checked(subject string, text pulumi.StringInput, check func(string) field.ErrorList) pulumi.StringOutput {
	return input.Checked(text, func(text string) error { return fielderrors.Join(subject, check(text)) })
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

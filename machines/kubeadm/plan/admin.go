package plan

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// LinuxAdmin is the administrator of the Linux machines.
type LinuxAdmin struct {
	// Username is the default name if it is empty.
	Username string
	// SSHPublicKey is a string, [value.Unknown] or nil.
	SSHPublicKey any
}

// WindowsAdmin is the administrator of the Windows machines.
type WindowsAdmin struct {
	// Username is the default name if it is empty.
	Username string `json:"username"`
	// Password is a string, [value.Unknown] or nil. Findings do not show it, and a file must not
	// contain it.
	Password    any    `json:"-"`
	LicenseType string `json:"licenseType"`
}

var sshKeyRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK655", Severity: rule.Error, Title: "no public key for the administrator of the Linux machines",
		Page: rulepages.Kubeadm,
		Reason: "Azure takes keys of the kinds ssh-rsa and ssh-ed25519, and does not create a Linux machine without " +
			"one. A text that is not a public key may be the private one.",
		Source:    azurePages + "virtual-machines/linux/mac-create-ssh-keys#supported-ssh-key-formats",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(linux, func(a LinuxAdmin) []rule.Problem {
		key, known := a.SSHPublicKey.(string)
		switch {
		case a.SSHPublicKey == nil:
			return []rule.Problem{required(publicKeyPath,
				"Azure does not create a Linux machine without a key of its administrator: give the content of a file "+
					"like ~/.ssh/id_ed25519.pub")}
		case known && !publicKey.MatchString(key):
			return []rule.Problem{hidden(publicKeyPath,
				"must be a public key of the kind ssh-ed25519 or ssh-rsa, the content of a file like "+
					"~/.ssh/id_ed25519.pub", "")}
		}
		return nil
	})},
}

var publicKey = regexp.MustCompile(`^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( .*)?\s*$`)

var publicKeyPath = field.NewPath("linuxAdmin", "sshPublicKey")

var (
	windowsPasswordMissing = engine.Rule{
		Rule: rule.Rule{
			ID: "MK657", Severity: rule.Error, Title: "no password for the administrator of the Windows machines",
			Page:      rulepages.Kubeadm,
			Reason:    "Azure does not create a Windows machine without one.",
			Source:    machineAPI,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(windows, func(a WindowsAdmin) []rule.Problem {
			if a.Password != nil {
				return nil
			}
			return []rule.Problem{required(passwordPath,
				"Azure does not create a Windows machine without one: give it as a secret")}
		})},
	}
	windowsPasswordRefused = engine.Rule{
		Rule: rule.Rule{
			ID: "MK658", Severity: rule.Error, Title: "a password that Azure refuses", Page: rulepages.Kubeadm,
			Reason: "The password must have 8 to 123 characters of at least three kinds: lower-case letters, " +
				"upper-case letters, digits, special characters. Azure refuses passwords that are easy to guess.",
			Source:    machineAPI,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(windows, func(a WindowsAdmin) []rule.Problem {
			password, known := a.Password.(string)
			if detail := vm.CheckPassword(password); known && detail != "" {
				return []rule.Problem{hidden(passwordPath, detail, "")}
			}
			return nil
		})},
	}
	licenseUnknown = engine.Rule{
		Rule: rule.Rule{
			ID: "MK659", Severity: rule.Error, Title: "a license type that is not one of Windows Server",
			Page: rulepages.Kubeadm,
			Reason: "Windows_Server means that your own licenses cover the machine. Without a type you pay for the " +
				"license with the machine.",
			Source: machineAPI,
		},
		Checks: []engine.Check{engine.On(windows, func(a WindowsAdmin) []rule.Problem {
			if a.LicenseType == "" || a.LicenseType == "Windows_Server" {
				return nil
			}
			return []rule.Problem{invalid(field.NewPath("windowsAdmin", "licenseType"), a.LicenseType,
				`must be "Windows_Server", or empty`, "")}
		})},
	}
)

var passwordPath = field.NewPath("windowsAdmin", "password")

var usernameRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK656", Severity: rule.Error, Title: "a name that Azure refuses for an administrator",
		Page: rulepages.Kubeadm,
		Reason: "The name must have 1 to 20 characters, none of which Windows reserves. Azure refuses names that are " +
			"easy to guess.",
		Source: azurePages + "virtual-machines/windows/faq#what-are-the-username-requirements-when-creating-a-vm-",
	},
	Checks: []engine.Check{engine.On(usernames, func(u username) []rule.Problem {
		if detail := vm.CheckUsername(u.name); u.name != "" && detail != "" {
			return []rule.Problem{invalid(u.path, u.name, detail, "")}
		}
		return nil
	})},
}

// hidden returns a problem with a secret, which it does not show.
func hidden(path *field.Path, detail, fix string) rule.Problem {
	return invalid(path, field.OmitValueType{}, detail, fix)
}

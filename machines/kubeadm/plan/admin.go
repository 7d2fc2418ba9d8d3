package plan

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
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

var sshKeyRefused = rule.Rule{
	ID: "MK655", Severity: rule.Error, Title: "no public key for the administrator of the Linux machines",
	Reason: "Azure takes keys of the kinds ssh-rsa and ssh-ed25519, and does not create a Linux machine without one. " +
		"A text that is not a public key may be the private one.",
	Source:    azurePages + "virtual-machines/linux/mac-create-ssh-keys#supported-ssh-key-formats",
	Mandatory: true,
}

var publicKey = regexp.MustCompile(`^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( .*)?\s*$`)

// Validate returns what is wrong with the administrator, sorted by path.
func (a LinuxAdmin) Validate() []rule.Finding {
	run := &check{}
	if a.SSHPublicKey == nil {
		run.Report(sshKeyRefused, required(publicKeyPath,
			"Azure does not create a Linux machine without a key of its administrator: give the content of a file "+
				"like ~/.ssh/id_ed25519.pub"))
	} else if key, known := a.SSHPublicKey.(string); known {
		run.Findings = append(run.Findings, CheckPublicKey(key)...)
	}
	run.username(a.Username, field.NewPath("linuxAdmin", "username"))
	return run.result()
}

var publicKeyPath = field.NewPath("linuxAdmin", "sshPublicKey")

// CheckPublicKey returns what is wrong with the key of the administrator of the Linux machines,
// which may become known only after the other arguments were checked.
func CheckPublicKey(key string) []rule.Finding {
	run := &check{}
	if !publicKey.MatchString(key) {
		run.Report(sshKeyRefused, hidden(publicKeyPath,
			"must be a public key of the kind ssh-ed25519 or ssh-rsa, the content of a file like ~/.ssh/id_ed25519.pub",
			""))
	}
	return run.result()
}

var (
	windowsPasswordMissing = rule.Rule{
		ID: "MK657", Severity: rule.Error, Title: "no password for the administrator of the Windows machines",
		Reason:    "Azure does not create a Windows machine without one.",
		Source:    machineAPI,
		Mandatory: true,
	}
	windowsPasswordRefused = rule.Rule{
		ID: "MK658", Severity: rule.Error, Title: "a password that Azure refuses",
		Reason: "The password must have 8 to 123 characters of at least three kinds: lower-case letters, upper-case " +
			"letters, digits, special characters. Azure refuses passwords that are easy to guess.",
		Source:    machineAPI,
		Mandatory: true,
	}
	licenseUnknown = rule.Rule{
		ID: "MK659", Severity: rule.Error, Title: "a license type that is not one of Windows Server",
		Reason: "Windows_Server means that your own licenses cover the machine. Without a type you pay for the " +
			"license with the machine.",
		Source: machineAPI,
	}
)

// Validate returns what is wrong with the administrator, sorted by path. No finding shows the
// password.
func (a WindowsAdmin) Validate() []rule.Finding {
	run := &check{}
	path := field.NewPath("windowsAdmin")
	run.username(a.Username, path.Child("username"))
	if a.Password == nil {
		run.Report(windowsPasswordMissing, required(passwordPath,
			"Azure does not create a Windows machine without one: give it as a secret"))
	} else if password, known := a.Password.(string); known {
		run.Findings = append(run.Findings, CheckPassword(password)...)
	}
	if l := a.LicenseType; l != "" && l != "Windows_Server" {
		run.Report(licenseUnknown, invalid(path.Child("licenseType"), l, `must be "Windows_Server", or empty`, ""))
	}
	return run.result()
}

var passwordPath = field.NewPath("windowsAdmin", "password")

// CheckPassword is [CheckPublicKey] for the password of the administrator of the Windows
// machines.
func CheckPassword(password string) []rule.Finding {
	run := &check{}
	if detail := vm.CheckPassword(password); detail != "" {
		run.Report(windowsPasswordRefused, hidden(passwordPath, detail, ""))
	}
	return run.result()
}

var usernameRefused = rule.Rule{
	ID: "MK656", Severity: rule.Error, Title: "a name that Azure refuses for an administrator",
	Reason: "The name must have 1 to 20 characters, none of which Windows reserves. Azure refuses names that are " +
		"easy to guess.",
	Source: azurePages + "virtual-machines/windows/faq#what-are-the-username-requirements-when-creating-a-vm-",
}

func (c *check) username(name string, path *field.Path) {
	if detail := vm.CheckUsername(name); name != "" && detail != "" {
		c.Report(usernameRefused, invalid(path, name, detail, ""))
	}
}

// hidden is a problem with a secret, which it does not show.
func hidden(path *field.Path, detail, fix string) rule.Problem {
	return invalid(path, field.OmitValueType{}, detail, fix)
}

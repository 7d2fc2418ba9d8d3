package preflight

import (
	"cmp"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	administrator = "ContainerAdministrator"
	asContainer   = "set windowsOptions.runAsUserName to ContainerUser"
	nameUser      = "remove it, and name a user in windowsOptions.runAsUserName if the image's default user is not " +
		"the right one"
)

var linuxFieldIgnored = rule.Rule{
	ID: "MK507", Severity: rule.Warning, Title: "a field that has an effect on Linux only",
	Reason: "If os.name is not set, the API server accepts the field, and the node ignores it: the containers run " +
		"without what it requests. Fields that only remove what Windows containers do not have, such as " +
		"seccompProfile or dropped capabilities, are not reported: the restricted Pod Security Standard demands them " +
		"of pods without os.name.",
	Source: windowsFields,
}

// linuxFieldsMissed checks pods without os.name. For pods with it, the API server itself refuses these fields.
func (c *check) linuxFieldsMissed(p *judged) {
	if pods.IsSet(p.Spec, "os") {
		return
	}
	missed := func(path string, v any, fix string) {
		if tree.Map(v) != nil || tree.List(v) != nil {
			v = nil // maps and lists are not shown
		}
		c.report(linuxFieldIgnored,
			rule.Problem{Path: path, Value: v, Detail: "has no effect on Windows", Fix: cmp.Or(fix, "remove it")})
	}
	p.eachLinuxField(func(f *linuxField, v any, path func() string) {
		if f.missed != nil && f.missed(v) {
			missed(path(), v, f.fix)
		}
	})
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if add := tree.Map(ctr.Security["capabilities"])["add"]; len(tree.List(add)) > 0 {
			missed(p.In(ctr, "securityContext", "capabilities", "add"), add, "")
		}
	}
}

var credentialSpecOfInitContainer = rule.Rule{
	ID: "MK517", Severity: rule.Warning, Title: "a gMSA credential spec for an init container only",
	Reason: "The gMSA webhook sets the credential spec of the pod and of its containers, not of init containers.",
	Source: "https://github.com/kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
}

// users checks the users of Windows containers.
func (c *check) users(p *judged) {
	hostProcess := p.HostProcess()
	if hostProcess {
		c.hostProcessUser(p)
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if hostProcess {
			c.hostProcessNonRoot(p, ctr)
		}
		c.nonRoot(p, i, hostProcess)
		if ctr.List == "initContainers" && pods.IsSet(ctr.Windows, "gmsaCredentialSpecName") &&
			!pods.IsSet(ctr.Windows, "gmsaCredentialSpec") {
			c.report(credentialSpecOfInitContainer, rule.Problem{
				Path:   p.In(ctr, "securityContext", "windowsOptions", "gmsaCredentialSpecName"),
				Value:  ctr.Windows["gmsaCredentialSpecName"],
				Detail: "the gMSA webhook does not look at init containers", Fix: "set it on the pod",
			})
		}
	}
	if on, _ := tree.Bool(p.Security["runAsNonRoot"]); on && hostProcess {
		c.hostProcessNonRootAt(p.Path("securityContext", "runAsNonRoot"))
	}
}

// userOf returns the effective runAsUserName of a container. It returns false, false if it may be set but is unknown.
func (p *judged) userOf(ctr *pods.Container) (v any, known bool) {
	if tree.IsUnknown(ctr.Spec["securityContext"]) || tree.IsUnknown(ctr.Security["windowsOptions"]) {
		return nil, false
	}
	if v := ctr.Windows["runAsUserName"]; v != nil {
		return v, !tree.IsUnknown(v)
	}
	if tree.IsUnknown(p.Spec["securityContext"]) || tree.IsUnknown(p.Security["windowsOptions"]) {
		return nil, false
	}
	v = p.Windows["runAsUserName"]
	return v, !tree.IsUnknown(v)
}

var hostProcessWithoutUser = rule.Rule{
	ID: "MK515", Severity: rule.Warning, Title: "a host-process container without a user",
	Reason: "The user determines what a host-process container may do on the node. It is documented as required, but " +
		"not enforced.",
	Source: hostProcessGuide + "#choosing-a-user-account",
}

func (c *check) hostProcessUser(p *judged) {
	c.hostAccount(p, nil, p.Windows["runAsUserName"])
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if v, known := p.userOf(ctr); known && v == nil {
			c.report(hostProcessWithoutUser, rule.Problem{
				Path:   p.In(ctr, "securityContext", "windowsOptions", "runAsUserName"),
				Detail: "a host-process container should name the user of the node that it runs as",
				Fix:    `set it to NT AUTHORITY\SYSTEM, to a lesser account, or to the name of a local group`,
			})
		}
		c.hostAccount(p, ctr, ctr.Windows["runAsUserName"])
	}
}

var hostProcessUnknownUser = rule.Rule{
	ID: "MK532", Severity: rule.Error, Title: "a host-process container with a user that it cannot run as",
	Reason: "A host-process container is a process of the node. ContainerAdministrator and ContainerUser are " +
		"accounts inside of Windows containers, which the node does not have, and for other accounts with a domain " +
		"the runtime has no password: it fails to log on, and the container does not start. Valid users are the " +
		"service accounts, and the names of local groups of the node.",
	Source: hostProcessGuide + "#choosing-a-user-account; internal/jobcontainers/logon.go of hcsshim, processToken",
}

// hostAccount checks the user of the pod, or of a container.
func (c *check) hostAccount(p *judged, ctr *pods.Container, v any) {
	name, _ := tree.Text(v)
	problem, fix := pods.HostAccountProblem(name)
	if _, secret := v.(Secret); secret && problem != "" {
		problem, fix = "is not a user that the runtime can log on", "use a service account, or the name of a local "+
			"group"
	}
	if problem != "" {
		c.report(hostProcessUnknownUser, rule.Problem{
			Path: p.windowsOption(ctr, "runAsUserName"), Value: v, Detail: problem, Fix: fix,
		})
	}
}

func (c *check) hostProcessNonRoot(p *judged, ctr *pods.Container) {
	if on, _ := tree.Bool(ctr.Security["runAsNonRoot"]); on {
		c.hostProcessNonRootAt(p.In(ctr, "securityContext", "runAsNonRoot"))
	}
}

var hostProcessNonRoot = rule.Rule{
	ID: "MK516", Severity: rule.Warning, Title: "a host-process container with runAsNonRoot",
	Reason: "According to the documentation it must not be set, or be false. This is not enforced, and the field has " +
		"no effect on the user on the node.",
	Source: hostProcessGuide,
}

func (c *check) hostProcessNonRootAt(path string) {
	c.report(hostProcessNonRoot,
		rule.Problem{Path: path, Value: true, Detail: "must not be set for host-process containers", Fix: "remove it"})
}

var (
	nonRootWithAdministrator = rule.Rule{
		ID: "MK407", Severity: rule.Error, Title: "runAsNonRoot with ContainerAdministrator",
		Reason: "ContainerAdministrator counts as root on Windows, in upper or lower case: the kubelet refuses to " +
			"start the container.",
		Source: "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	}
	nonRootWithAdministratorImage = rule.Rule{
		ID: "MK408", Severity: rule.Warning, Title: "runAsNonRoot with an image that runs as ContainerAdministrator",
		Reason: "Microsoft's images with Server Core run as ContainerAdministrator by default. The kubelet refuses " +
			"the container if the image states this user, and runs it as an administrator if it does not.",
		Source: "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	}
)

// nonRoot compares runAsNonRoot with the user in the same way as the kubelet: user names are case-insensitive on
// Windows.
func (c *check) nonRoot(p *judged, i int, hostProcess bool) {
	ctr := &p.Containers[i]
	if !p.nonRoot(i) {
		return
	}
	user, known := p.userOf(ctr)
	if !known {
		return
	}
	if name, ok := tree.Text(user); ok {
		if strings.EqualFold(name, administrator) {
			path := p.Path("securityContext", "windowsOptions", "runAsUserName")
			if ctr.Windows["runAsUserName"] != nil {
				path = p.In(ctr, "securityContext", "windowsOptions", "runAsUserName")
			}
			c.report(nonRootWithAdministrator, rule.Problem{
				Path: path, Value: user,
				Detail: "counts as root, and runAsNonRoot is true: the kubelet refuses to start the container",
				Fix:    asContainer + ", or remove runAsNonRoot",
			})
		}
		return
	}
	if hostProcess || p.HostProcessUnknown() || c.administratorByFacts(p, i) {
		return
	}
	if p.target.Images[i].OS == platform.WindowsOS && runsAsAdministrator(ctr) &&
		!namesUser(p.target.Images[i].Facts) {
		c.report(nonRootWithAdministratorImage, rule.Problem{
			Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
			Detail: "runs as " + administrator + " by default, and runAsNonRoot is true", Fix: asContainer,
		})
	}
}

// runsAsAdministrator recognizes Microsoft's images with Server Core and with the full API. The images of Nano Server
// run as ContainerUser.
func runsAsAdministrator(ctr *pods.Container) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	_, repository, ok := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{"windows/servercore", "windows/server:", "windows:", "dotnet/framework/"} {
		if strings.HasPrefix(repository, prefix) {
			return true
		}
	}
	return strings.HasPrefix(repository, "dotnet/") && strings.Contains(repository, "windowsservercore")
}

package preflight

import (
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

const (
	administrator = "ContainerAdministrator"
	asContainer   = "set windowsOptions.runAsUserName to ContainerUser"
	nameUser      = "remove it, and name a user in windowsOptions.runAsUserName if the image's default user is not the right one"
)

// ignoredSpec, ignoredSecurity and ignoredContainer are fields that a Windows node
// ignores. Where only true means something, false is no promise that is broken.
var (
	ignoredSpec     = [...]string{"hostPID", "hostIPC", "shareProcessNamespace"}
	ignoredSecurity = [...]string{"fsGroup", "runAsGroup", "runAsUser", "seLinuxOptions"}
	ignoredOnlyTrue = [...]string{"privileged", "readOnlyRootFilesystem"}
	ignoredIfSet    = [...]string{"capabilities", "procMount", "runAsGroup", "runAsUser", "seLinuxOptions"}
)

// linuxFieldsIgnored is about pods without os.name: of the others the API server
// itself refuses these fields.
func (c *check) linuxFieldsIgnored(p *pods) {
	if isSet(p.spec, "os") {
		return
	}
	for _, name := range ignoredSpec {
		if isTrue(p.spec[name]) {
			c.ignoredField(p.path(name), p.spec[name])
		}
	}
	for _, name := range ignoredSecurity {
		if v := p.security[name]; v != nil {
			c.ignoredOr(p, name, p.path("securityContext", name), v)
		}
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		if len(ctr.security) == 0 {
			continue
		}
		for _, name := range ignoredOnlyTrue {
			if isTrue(ctr.security[name]) {
				c.ignoredField(p.in(ctr, "securityContext", name), ctr.security[name])
			}
		}
		for _, name := range ignoredIfSet {
			if v := ctr.security[name]; v != nil {
				c.ignoredOr(p, name, p.in(ctr, "securityContext", name), v)
			}
		}
	}
}

// ignoredField reports a field that does nothing. A value with parts is not shown.
func (c *check) ignoredField(path string, v any) {
	c.report("MK507", ignoredProblem(path, v))
}

func ignoredProblem(path string, v any) problem {
	if tree.Map(v) != nil {
		v = nil
	}
	return problem{path: path, value: v, detail: "has no effect on Windows", fix: "remove it"}
}

// ignoredOr tells the fields that are not only ignored from the others.
func (c *check) ignoredOr(p *pods, name, path string, v any) {
	found := ignoredProblem(path, v)
	switch {
	case name == "capabilities":
		// As long as os.name is not set a restricted namespace demands it.
		found.fix = p.asWindows()
	case name != "runAsUser" || !p.runAs(v):
	case p.projectsToken():
		found.detail, found.fix = "the kubelet on Windows cannot give the files of the projected volume to this user", nameUser
		c.report("MK508", found)
		return
	case p.mayMountToken():
		found.detail = "does not change the user on Windows, and the pod can stay in ContainerCreating: the kubelet there cannot give the service account's token to this user"
		found.fix = nameUser
	}
	c.report("MK507", found)
}

// runAs says whether all containers run as this user, by its number: the kubelet
// gives the files of tokens and certificates to that user. A runAsUser of the pod
// that all containers override is not the one.
func (p *pods) runAs(user any) bool {
	wanted, ok := tree.Int(user)
	ok = ok && len(p.containers) > 0
	for i := range p.containers {
		v := tree.At(p.containers[i].spec, "securityContext", "runAsUser")
		if v == nil {
			v = p.security["runAsUser"]
		}
		own, known := tree.Int(v)
		ok = ok && known && own == wanted
	}
	return ok
}

// mayMountToken says whether the API server may add a volume with the token of the
// service account, which can decline it as well as the pod.
func (p *pods) mayMountToken() bool {
	mount, known := tree.Bool(p.spec["automountServiceAccountToken"])
	return mount || !known
}

// projectsToken says whether a volume holds what the kubelet gives to the user.
func (p *pods) projectsToken() bool {
	for _, v := range tree.List(p.spec["volumes"]) {
		for _, s := range tree.List(tree.Map(tree.Map(v)["projected"])["sources"]) {
			source := tree.Map(s)
			if isSet(source, "serviceAccountToken") || isSet(source, "clusterTrustBundle") || isSet(source, "podCertificate") {
				return true
			}
		}
	}
	return false
}

// users checks under which user Windows containers run.
func (c *check) users(p *pods) {
	hostProcess := p.hostProcess()
	if hostProcess {
		c.hostProcessUser(p)
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		if hostProcess {
			c.hostProcessNonRoot(p, ctr)
		}
		c.nonRoot(p, i, hostProcess)
		if ctr.list == "initContainers" && isSet(ctr.windows, "gmsaCredentialSpecName") && !isSet(ctr.windows, "gmsaCredentialSpec") {
			c.report("MK517", problem{
				path: p.in(ctr, "securityContext", "windowsOptions", "gmsaCredentialSpecName"), value: ctr.windows["gmsaCredentialSpecName"],
				detail: "the gMSA webhook does not look at init containers", fix: "set it on the pod",
			})
		}
	}
	if on, _ := tree.Bool(p.security["runAsNonRoot"]); on && hostProcess {
		c.hostProcessNonRootAt(p.path("securityContext", "runAsNonRoot"))
	}
}

// userOf is the effective runAsUserName of a container; false, false when it may
// be set but is not known.
func (p *pods) userOf(ctr *container) (v any, known bool) {
	if tree.IsUnknown(ctr.spec["securityContext"]) || tree.IsUnknown(ctr.security["windowsOptions"]) {
		return nil, false
	}
	if v := ctr.windows["runAsUserName"]; v != nil {
		return v, !tree.IsUnknown(v)
	}
	if tree.IsUnknown(p.spec["securityContext"]) || tree.IsUnknown(p.security["windowsOptions"]) {
		return nil, false
	}
	v = p.windows["runAsUserName"]
	return v, !tree.IsUnknown(v)
}

func (c *check) hostProcessUser(p *pods) {
	for i := range p.containers {
		ctr := &p.containers[i]
		if v, known := p.userOf(ctr); known && v == nil {
			c.report("MK515", problem{
				path:   p.in(ctr, "securityContext", "windowsOptions", "runAsUserName"),
				detail: "a host-process container should say which user of the node it is", fix: `set it to NT AUTHORITY\SYSTEM, to a lesser account, or to the name of a local group`,
			})
		}
	}
}

func (c *check) hostProcessNonRoot(p *pods, ctr *container) {
	if on, _ := tree.Bool(ctr.security["runAsNonRoot"]); on {
		c.hostProcessNonRootAt(p.in(ctr, "securityContext", "runAsNonRoot"))
	}
}

func (c *check) hostProcessNonRootAt(path string) {
	c.report("MK516", problem{path: path, value: true, detail: "must not be set for host-process containers", fix: "remove it"})
}

// nonRoot compares runAsNonRoot with the user, as the kubelet does: users have no
// upper and lower case on Windows.
func (c *check) nonRoot(p *pods, i int, hostProcess bool) {
	ctr := &p.containers[i]
	v := ctr.security["runAsNonRoot"]
	if v == nil {
		v = p.security["runAsNonRoot"]
	}
	if on, _ := tree.Bool(v); !on {
		return
	}
	user, known := p.userOf(ctr)
	if !known {
		return
	}
	if name, ok := tree.Text(user); ok {
		if strings.EqualFold(name, administrator) {
			path := p.path("securityContext", "windowsOptions", "runAsUserName")
			if ctr.windows["runAsUserName"] != nil {
				path = p.in(ctr, "securityContext", "windowsOptions", "runAsUserName")
			}
			c.report("MK407", problem{
				path: path, value: user,
				detail: "counts as root, and runAsNonRoot is true: the kubelet refuses to start the container", fix: asContainer + ", or remove runAsNonRoot",
			})
		}
		return
	}
	if !hostProcess && !p.hostProcessUnknown() && p.target.images[i].OS == platform.WindowsOS && runsAsAdministrator(ctr) {
		c.report("MK408", problem{
			path: p.in(ctr, "image"), value: ctr.spec["image"],
			detail: "runs as " + administrator + " by default, and runAsNonRoot is true", fix: asContainer,
		})
	}
}

// runsAsAdministrator knows Microsoft's images with Server Core and with the full
// API; those of Nano Server run as ContainerUser.
func runsAsAdministrator(ctr *container) bool {
	ref, _ := tree.Text(ctr.spec["image"])
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

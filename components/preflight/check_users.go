package preflight

import (
	"cmp"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

const (
	administrator = "ContainerAdministrator"
	asContainer   = "set windowsOptions.runAsUserName to ContainerUser"
	nameUser      = "remove it, and name a user in windowsOptions.runAsUserName if the image's default user is not the right one"
)

// linuxFieldsMissed is about pods without os.name: of the others the API server itself
// refuses these fields.
func (c *check) linuxFieldsMissed(p *pods) {
	if isSet(p.spec, "os") {
		return
	}
	missed := func(path string, v any, fix string) {
		if tree.Map(v) != nil || tree.List(v) != nil {
			v = nil // what has parts is not shown
		}
		c.report("MK507", problem{path: path, value: v, detail: "has no effect on Windows", fix: cmp.Or(fix, "remove it")})
	}
	p.eachLinuxField(func(f *linuxField, v any, path func() string) {
		if f.missed != nil && f.missed(v) {
			missed(path(), v, f.fix)
		}
	})
	for i := range p.containers {
		ctr := &p.containers[i]
		if add := tree.Map(ctr.security["capabilities"])["add"]; len(tree.List(add)) > 0 {
			missed(p.in(ctr, "securityContext", "capabilities", "add"), add, "")
		}
	}
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

package preflight

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	nonRootWithRootImage = rule.Rule{
		ID: "MK216", Severity: rule.Error, Title: "runAsNonRoot with an image that runs as root",
		Reason: "The user in the image's configuration is 0 or not set, which means root on Linux: the kubelet does " +
			"not start the container (CreateContainerConfigError). The rule checks images in the lock file.",
		Source: "pkg/kubelet/kuberuntime/security_context_others.go of Kubernetes 1.36.3, verifyRunAsNonRoot; " +
			"helpers.go, getImageUser",
	}
	nonRootWithNamedUser = rule.Rule{
		ID: "MK217", Severity: rule.Error, Title: "runAsNonRoot with an image whose user is a name",
		Reason: "The kubelet does not look up names in the image's /etc/passwd. It cannot verify that the user is " +
			"not root, and does not start the container (CreateContainerConfigError). The rule checks images in the " +
			"lock file.",
		Source: "pkg/kubelet/kuberuntime/security_context_others.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	}
)

// imageUsers compares runAsNonRoot of Linux containers with the users in the configurations of their images, like the
// kubelet.
func (c *check) imageUsers(p *judged) {
	if p.target.OS() != platform.LinuxOS {
		return
	}
	for i := range p.Containers {
		c.linuxUser(p, i)
	}
}

func (c *check) linuxUser(p *judged, i int) {
	ctr := &p.Containers[i]
	if !p.nonRoot(i) || ctr.Security["runAsUser"] != nil || p.Security["runAsUser"] != nil ||
		tree.IsUnknown(ctr.Spec["securityContext"]) || tree.IsUnknown(p.Spec["securityContext"]) {
		return
	}
	var users []string
	for _, v := range p.target.Images[i].Facts.For(platform.LinuxOS) {
		if !v.Read() {
			continue // for a rare architecture, and built like the others
		}
		user, _, _ := strings.Cut(v.User, ":")
		if !refused(user) {
			return
		}
		users = append(users, user)
	}
	if len(users) == 0 {
		return
	}
	found := rule.Problem{
		Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
		Detail: "runs as root according to its configuration, and runAsNonRoot is true: the kubelet does not start " +
			"the container",
		Fix: "set runAsUser to the number of another user, or use an image with one",
	}
	name := slices.IndexFunc(users, func(user string) bool { return user != "" && !isID(user) })
	if name < 0 {
		c.report(nonRootWithRootImage, found)
		return
	}
	found.Detail = "runs as " + users[name] + " according to its configuration, which the kubelet cannot verify to " +
		"be a user other than root, and runAsNonRoot is true: it does not start the container"
	if users[name] != "root" {
		found.Fix = "set runAsUser to the number of that user"
	}
	c.report(nonRootWithNamedUser, found)
}

// nonRoot returns the effective runAsNonRoot of a container.
func (p *judged) nonRoot(i int) bool {
	v := p.Containers[i].Security["runAsNonRoot"]
	if v == nil {
		v = p.Security["runAsNonRoot"]
	}
	on, _ := tree.Bool(v)
	return on
}

// refused reports whether the kubelet refuses the user of an image configuration with runAsNonRoot.
func refused(user string) bool {
	id, err := strconv.ParseInt(user, 10, 64)
	return err != nil || id == 0
}

func isID(user string) bool {
	_, err := strconv.ParseInt(user, 10, 64)
	return err == nil
}

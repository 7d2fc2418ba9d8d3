package images

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var userRules = []engine.Rule{nonRootWithRootImage, nonRootWithNamedUser}

var nonRootWithRootImage = engine.Rule{
	Rule: rule.Rule{
		ID: "MK216", Severity: rule.Error, Title: "runAsNonRoot with an image that runs as root",
		Page: rulepages.Registries,
		Reason: "The user in the image's configuration is 0 or not set, which means root on Linux: the kubelet does " +
			"not start the container (CreateContainerConfigError). The rule checks images in the lock file.",
		Fix: otherUser,
		Source: "pkg/kubelet/kuberuntime/security_context_others.go of Kubernetes 1.36.3, verifyRunAsNonRoot; " +
			"helpers.go, getImageUser",
	},
	Checks: []engine.Check{engine.On(lockedLinuxImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			users := refusedUsers(p, i)
			if len(users) > 0 && !slices.ContainsFunc(users, isName) {
				found = append(found, problem(p, i, "runs as root according to its configuration, and runAsNonRoot "+
					"is true: the kubelet does not start the container"))
			}
		}
		return found
	})},
}

const otherUser = "set runAsUser to the number of another user, or use an image with one"

var nonRootWithNamedUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK217", Severity: rule.Error, Title: "runAsNonRoot with an image whose user is a name",
		Page: rulepages.Registries,
		Reason: "The kubelet does not look up names in the image's /etc/passwd. It cannot verify that the user is " +
			"not root, and does not start the container (CreateContainerConfigError). The rule checks images in the " +
			"lock file.",
		Source: "pkg/kubelet/kuberuntime/security_context_others.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
	},
	Checks: []engine.Check{engine.On(lockedLinuxImages, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			users := refusedUsers(p, i)
			name := slices.IndexFunc(users, isName)
			if name < 0 {
				continue
			}
			named := problem(p, i, "runs as "+users[name]+" according to its configuration, which the kubelet cannot "+
				"verify to be a user other than root, and runAsNonRoot is true: it does not start the container")
			named.Fix = otherUser
			if users[name] != "root" {
				named.Fix = "set runAsUser to the number of that user"
			}
			found = append(found, named)
		}
		return found
	})},
}

// refusedUsers returns the users in the configurations of the image of a Linux container, if runAsNonRoot is true and
// the kubelet refuses all of them.
func refusedUsers(p *subject.Pods, container int) []string {
	ctr := &p.Containers[container]
	if !p.NonRoot(container) || ctr.Security["runAsUser"] != nil || p.Security["runAsUser"] != nil ||
		tree.IsUnknown(ctr.Spec["securityContext"]) || tree.IsUnknown(p.Spec["securityContext"]) {
		return nil
	}
	var users []string
	for _, v := range p.Target.Images[container].Facts.For(platform.LinuxOS) {
		if !v.Read() {
			continue // for a rare architecture, and built like the others
		}
		user, _, _ := strings.Cut(v.User, ":")
		if !refused(user) {
			return nil
		}
		users = append(users, user)
	}
	return users
}

// refused reports whether the kubelet refuses the user of an image configuration with runAsNonRoot.
func refused(user string) bool {
	id, err := strconv.ParseInt(user, 10, 64)
	return err != nil || id == 0
}

// isName reports whether the user of an image configuration is neither a number nor missing.
func isName(user string) bool {
	_, err := strconv.ParseInt(user, 10, 64)
	return user != "" && err != nil
}

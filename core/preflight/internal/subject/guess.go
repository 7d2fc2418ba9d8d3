package subject

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Unsure reports whether the target of the pods is only a guess, or assumes something about their volumes.
func (p *Pods) Unsure() bool { return p.Target.Guessed || p.Target.Volumes.Assumed }

// Certain returns the pods without what is only guessed or assumed about them.
func (p *Pods) Certain() *Pods { return p.For(p.Cluster.Certain(p.Pods, &p.Target)) }

// Why explains, for a finding at a path, why it is not certain. It returns "" for the name of a RuntimeClass.
func (p *Pods) Why(path string) string {
	if p.Target.Volumes.Assumed && !p.Target.Guessed {
		return ", unless a volume that the pods claim is on other nodes only"
	}
	return p.ByTagAlone(path)
}

// ByTagAlone explains, for a finding at a path, that only a word of a tag shows what the pods are for. It returns "" if
// there is other evidence.
func (p *Pods) ByTagAlone(path string) string {
	if len(p.Target.Claims) == 0 || p.Target.Claims[0].Source != pods.ByImages {
		return ""
	}
	i := slices.IndexFunc(p.Target.Images, pods.ByTag)
	if i < 0 {
		return ""
	}
	whose := "the tag of " + p.In(&p.Containers[i], "image")
	if path == p.In(&p.Containers[i], "image") {
		whose = "its tag"
	}
	return "; only " + whose + " says " + p.OS().DisplayName()
}

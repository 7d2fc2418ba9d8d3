package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Volume is a persistent volume that a pod mounts, to the extent that it decides where the pod can run.
type Volume struct {
	// Name is the name of the PersistentVolume, for the texts.
	Name string
	// Required is spec.nodeAffinity.required; nil if there is none.
	Required *corev1.NodeSelector
}

// preparedVolume is a volume whose affinity has been parsed.
type preparedVolume struct {
	name     string
	affinity []term
}

func prepareVolumes(volumes []Volume) []preparedVolume {
	var prepared []preparedVolume
	for _, v := range volumes {
		if v.Required != nil {
			prepared = append(prepared, preparedVolume{v.Name, parseAffinity(v.Required)})
		}
	}
	return prepared
}

// checkVolumes is the scheduler's plug-in VolumeBinding, for claims that are bound (checkBoundClaims in
// pkg/scheduler/framework/plugins/volumebinding/binder.go of Kubernetes 1.36). The DaemonSet controller does not check
// volumes.
func (c *check) checkVolumes() {
	if c.pod.unknown(PartVolumes) {
		c.admitted.unsure = true
	}
	for i := range c.pod.volumes {
		v := &c.pod.volumes[i]
		switch c.anyOf(v.affinity) {
		case platform.No:
			c.refuse(&c.admitted, KindVolume, func() (string, string) { return c.explainVolume(v) })
		case platform.Unknown:
			c.admitted.unsure = true
		case platform.Yes:
		}
	}
}

// anyOf returns the answer for terms, which are alternatives.
func (c *check) anyOf(terms []term) platform.Answer {
	answer := platform.No
	for _, t := range terms {
		switch matches, _ := c.matches(t); matches {
		case platform.Yes:
			return platform.Yes
		case platform.Unknown:
			answer = platform.Unknown
		case platform.No:
		}
	}
	return answer
}

func (c *check) explainVolume(v *preparedVolume) (text, fix string) {
	of := "the PersistentVolume " + v.name
	required, _ := c.explainTerms(v.affinity, words{requires: "requires "})
	if required == "" {
		required = "has a node affinity without expressions, which matches no node"
	}
	return of + " " + required, "use a volume that these nodes can reach"
}

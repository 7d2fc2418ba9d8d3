package preflight

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// target is what pods are for, as far as the object says.
type target struct {
	// declared is spec.os.name where it is one of the two that exist. The API
	// server goes by it alone.
	declared platform.OS
	// claims are all places that say what the pods are for, the strongest first.
	claims []claim
}

// claim is one place that says what pods are for.
type claim struct {
	os      platform.OS
	release platform.Platform // "" when the place says nothing about the release
	path    string            // "" for what the caller said
	says    string            // what is written there, for people
}

// os is the operating system that the strongest claim names, "" when there is none.
func (t target) os() platform.OS {
	if len(t.claims) == 0 {
		return ""
	}
	return t.claims[0].os
}

// release is the release of the first claim that names one.
func (t target) release() (claim, bool) {
	for _, c := range t.claims {
		if c.release != "" {
			return c, true
		}
	}
	return claim{}, false
}

// Labels of nodes that tell the operating system. The older one is deprecated, and
// still there.
const labelBetaOS = "beta.kubernetes.io/os"

// targetOf collects the claims. Images come last: they are what a target is
// compared with.
func (c *check) targetOf(p *pods) target {
	t := target{claims: make([]claim, 0, 4)}
	if given := c.options.Platform; given.Valid() {
		t.claims = append(t.claims, claim{given.OS(), releaseOf(given), "", "the workload's platform " + given.String()})
	}
	if name, ok := tree.Text(tree.Map(p.spec["os"])["name"]); ok {
		switch os := platform.OS(name); os {
		case platform.WindowsOS, platform.LinuxOS:
			t.declared = os
			t.claims = append(t.claims, claim{os, "", p.path("os", "name"), "os.name " + name})
		}
	}
	selector := tree.Map(p.spec["nodeSelector"])
	var build platform.Platform
	if text, ok := tree.Text(selector[topology.LabelWindowsBuild]); ok {
		build, _ = platform.ByBuild(text)
	}
	for _, label := range [...]string{corev1.LabelOSStable, labelBetaOS} {
		if name, ok := tree.Text(selector[label]); ok {
			if os := platform.OS(name); os == platform.LinuxOS {
				t.claims = append(t.claims, claim{os, "", p.path("nodeSelector", key(label)), "the node selector " + label + "=" + name})
			} else if os == platform.WindowsOS {
				t.claims = append(t.claims, claim{os, build, p.path("nodeSelector", key(label)), "the node selector " + label + "=" + name})
			}
		}
	}
	if build != "" {
		t.claims = append(t.claims, claim{platform.WindowsOS, build, p.path("nodeSelector", key(topology.LabelWindowsBuild)),
			"the node selector " + topology.LabelWindowsBuild + "=" + build.Build()})
	}
	if os := requiredOS(p.spec); os != "" {
		t.claims = append(t.claims, claim{os, "", p.path("affinity", "nodeAffinity"), "the node affinity"})
	}
	if name, ok := tree.Text(p.spec["runtimeClassName"]); ok {
		if class := platform.Platform(name); class.IsWindows() && class.Valid() {
			t.claims = append(t.claims, claim{platform.WindowsOS, class, p.path("runtimeClassName"), "the RuntimeClass " + name})
		}
	}
	if p.hostProcess() {
		t.claims = append(t.claims, claim{platform.WindowsOS, "", p.path("securityContext", "windowsOptions", "hostProcess"), "host process"})
	}
	if len(t.claims) == 0 {
		if os := c.imagesOS(p); os != "" {
			t.claims = append(t.claims, claim{os, "", "", "the images"})
		}
	}
	return t
}

func releaseOf(p platform.Platform) platform.Platform {
	if p.IsWindows() {
		return p
	}
	return ""
}

// hostProcess says whether any container of the pod is a host-process one.
func (p *pods) hostProcess() bool {
	if on, _ := tree.Bool(p.windows["hostProcess"]); on {
		return true
	}
	for i := range p.containers {
		if on, _ := tree.Bool(p.containers[i].windows["hostProcess"]); on {
			return true
		}
	}
	return false
}

// imagesOS is the operating system of the images, where all that are known agree.
func (c *check) imagesOS(p *pods) platform.OS {
	var found platform.OS
	for i := range p.containers {
		ref, ok := tree.Text(p.containers[i].spec["image"])
		if !ok {
			continue
		}
		switch os := platform.FromImage(ref).OS; {
		case os == "":
		case found == "":
			found = os
		case found != os:
			return ""
		}
	}
	return found
}

// requiredOS is the operating system that the required node affinity asks for in
// each of its terms, "" when it does not.
func requiredOS(spec map[string]any) platform.OS {
	required := tree.At(spec["affinity"], "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	var found platform.OS
	for _, term := range tree.List(tree.Map(required)["nodeSelectorTerms"]) {
		os := termOS(tree.Map(term))
		if os == "" || found != "" && found != os {
			return ""
		}
		found = os
	}
	return found
}

func termOS(term map[string]any) platform.OS {
	for _, e := range tree.List(term["matchExpressions"]) {
		expression := tree.Map(e)
		label, _ := tree.Text(expression["key"])
		operator, _ := tree.Text(expression["operator"])
		values := tree.List(expression["values"])
		if label != corev1.LabelOSStable && label != labelBetaOS || operator != string(corev1.NodeSelectorOpIn) || len(values) != 1 {
			continue
		}
		name, _ := tree.Text(values[0])
		if os := platform.OS(name); os == platform.LinuxOS || os == platform.WindowsOS {
			return os
		}
	}
	return ""
}

package preflight

import (
	"cmp"
	"fmt"
	"slices"

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
	// images is what is known of the image of each container, in the order of
	// pods.containers. An image that is not known counts as one of which nothing
	// is known.
	images []platform.Image
	// class is the RuntimeClass object that the pods name, nil where it is not
	// known.
	class *class
	// byName says that the name of the RuntimeClass counts: it is that of a platform,
	// whose class has process isolation.
	byName bool
	// guessed says that something here may be wrong: nobody told that the platform is
	// there that the RuntimeClass is called by, and a class of this name may be anything;
	// or an image is known by a word of its tag alone.
	guessed bool
}

// claim is one place that says what pods are for.
type claim struct {
	os      platform.OS
	release platform.Platform // "" when the place says nothing about the release
	source  claimSource
	label   string // of the node selector
}

// claimSource is a kind of place that makes a claim, the strongest first.
type claimSource int

const (
	byCaller claimSource = iota
	byOSName
	bySelector
	byAffinity
	byClass
	byHostProcess
	byImages
)

// path is where the claim is written, "" for what the caller said.
func (c claim) path(p *pods) string {
	switch c.source {
	case byOSName:
		return p.path("os", "name")
	case bySelector:
		return p.path("nodeSelector", key(c.label))
	case byAffinity:
		return p.path("affinity", "nodeAffinity")
	case byClass:
		return p.path("runtimeClassName")
	case byHostProcess:
		if isSet(p.windows, "hostProcess") {
			return p.path("securityContext", "windowsOptions", "hostProcess")
		}
		for i := range p.containers {
			if ctr := &p.containers[i]; isSet(ctr.windows, "hostProcess") {
				return p.in(ctr, "securityContext", "windowsOptions", "hostProcess")
			}
		}
	case byCaller, byImages:
	}
	return ""
}

// says is what is written there, for people: a secret as its mark.
func (c claim) says(p *pods) string {
	switch c.source {
	case byCaller:
		if c.release != "" {
			return "the platform " + c.release.String()
		}
		return "the platform " + string(c.os)
	case byOSName:
		return "os.name " + string(c.os)
	case bySelector:
		return "the node selector " + c.label + "=" + fmt.Sprint(tree.Map(p.spec["nodeSelector"])[c.label])
	case byAffinity:
		return "the node affinity"
	case byClass:
		return "the RuntimeClass " + fmt.Sprint(p.spec["runtimeClassName"])
	case byHostProcess:
		return "host process"
	case byImages:
		return "the images"
	}
	return ""
}

// os is the operating system that the strongest claim names, "" when there is none.
func (t *target) os() platform.OS {
	if len(t.claims) == 0 {
		return ""
	}
	return t.claims[0].os
}

// release is the first claim that names a release.
func (t *target) release() (claim, bool) {
	for _, c := range t.claims {
		if c.release != "" {
			return c, true
		}
	}
	return claim{}, false
}

// likelyRelease is the release that a claim names, or else an image.
func (t *target) likelyRelease() platform.Platform {
	claim, _ := t.release()
	release := claim.release
	for _, image := range t.images {
		release = cmp.Or(release, image.Release)
	}
	return release
}

// contradicts returns the first claim that cannot be true together with the
// strongest one; false when there is none. That host-process containers are on
// Windows is not counted: elsewhere the option has no effect.
func (t *target) contradicts() (claim, bool) {
	release, hasRelease := t.release()
	for _, c := range t.claims {
		if c.source == byHostProcess {
			continue
		}
		if c.os != t.claims[0].os || hasRelease && c.release != "" && c.release != release.release {
			return c, true
		}
	}
	return claim{}, false
}

// labelBetaOS tells the operating system of nodes as well. It is deprecated, and
// still there.
const labelBetaOS = "beta.kubernetes.io/os"

// targetOf is what the object alone says. A guess is part of it, see [check.guarded].
func (c *check) targetOf(p *pods) target { return c.targetBy(p, nil, true) }

// targetWith is what the object says together with its RuntimeClass, nil where that
// is not known.
func (c *check) targetWith(p *pods, named *class) target { return c.targetBy(p, named, true) }

// targetBy collects the claims. Images come last: they are what a target is compared
// with.
func (c *check) targetBy(p *pods, named *class, guess bool) target {
	t := target{claims: make([]claim, 0, 4), images: make([]platform.Image, len(p.containers)), class: named}
	if given := c.options.Platform; given.Valid() {
		t.claims = append(t.claims, claim{os: given.OS(), release: releaseOf(given), source: byCaller})
	}
	if name, ok := tree.Text(tree.Map(p.spec["os"])["name"]); ok {
		switch os := platform.OS(name); os {
		case platform.WindowsOS, platform.LinuxOS:
			t.declared = os
			t.claims = append(t.claims, claim{os: os, source: byOSName})
		}
	}
	t.claims = selectorClaims(t.claims, tree.Map(p.spec["nodeSelector"]), bySelector)
	if os := requiredOS(p.spec); os != "" {
		t.claims = append(t.claims, claim{os: os, source: byAffinity})
	}
	if named != nil {
		t.claims = selectorClaims(t.claims, named.selector, byClass)
	} else if name, ok := tree.Text(p.spec["runtimeClassName"]); ok {
		release := platform.Platform(name)
		if known := c.knowsClass(release); release.IsWindows() && (known || guess) {
			t.byName, t.guessed = true, !known
			t.claims = append(t.claims, claim{os: platform.WindowsOS, release: release, source: byClass})
		}
	}
	if p.hostProcess() {
		t.claims = append(t.claims, claim{os: platform.WindowsOS, source: byHostProcess})
	}
	for i := range p.containers {
		if ref, ok := tree.Text(p.containers[i].spec["image"]); ok {
			t.images[i] = platform.FromImage(ref)
		}
	}
	if certain := t.certainImages(); !slices.Equal(certain, t.images) {
		t.guessed = true
		if !guess {
			t.images = certain
		}
	}
	if len(t.claims) == 0 {
		if os := imagesOS(t.images); os != "" {
			t.claims = append(t.claims, claim{os: os, source: byImages})
		}
	}
	return t
}

// knowsClass says whether the caller told that a platform is there, whose name its
// RuntimeClass has.
func (c *check) knowsClass(p platform.Platform) bool {
	return c.classes[p] != nil || c.options.Platform == p
}

// certainImages are the images without what a word of a tag alone tells: something
// else that says what the pods are for may agree with it, or another image.
func (t *target) certainImages() []platform.Image {
	if !slices.ContainsFunc(t.images, isByTag) {
		return t.images
	}
	keep := func(os platform.OS) []platform.Image {
		kept := slices.Clone(t.images)
		for i := range kept {
			kept[i] = kept[i].Certain(os)
		}
		return kept
	}
	if len(t.claims) > 0 && t.claims[0].source != byImages {
		return keep(t.os())
	}
	return keep(imagesOS(keep("")))
}

func isByTag(image platform.Image) bool { return image.ByTag }

// guarded runs checks. What is wrong only because of a guess is a warning.
func (c *check) guarded(p *pods, run func(*check, *pods)) {
	if !p.target.guessed {
		run(c, p)
		return
	}
	guess := check{Checker: c.Checker, object: c.object}
	run(&guess, p)
	sure := check{Checker: c.Checker, object: c.object}
	without := *p
	without.target = sure.targetBy(&without, p.target.class, false)
	run(&sure, &without)
	for _, f := range guess.findings {
		if f.Severity == Error && !slices.ContainsFunc(sure.findings, f.SameAs) {
			f.Severity = Warning
			f.Detail += p.byTagAlone(f.Path)
		}
		c.findings = append(c.findings, f)
	}
	for _, f := range sure.findings {
		if f.Severity == Error && !slices.ContainsFunc(guess.findings, f.SameAs) {
			c.findings = append(c.findings, f)
		}
	}
}

// byTagAlone says, of a finding at a path, that only a word of a tag tells what the
// pods are for; "" where something else does.
func (p *pods) byTagAlone(path string) string {
	if len(p.target.claims) == 0 || p.target.claims[0].source != byImages {
		return ""
	}
	i := slices.IndexFunc(p.target.images, isByTag)
	if i < 0 {
		return ""
	}
	whose := "the tag of " + p.in(&p.containers[i], "image")
	if path == p.in(&p.containers[i], "image") {
		whose = "its tag"
	}
	return "; only " + whose + " says " + describe(p.target.os())
}

// osLabels are the labels of nodes that tell the operating system.
var osLabels = [...]string{corev1.LabelOSStable, labelBetaOS}

// selectorClaims adds what a node selector says. The build comes after the labels
// of the operating system, which say less and are said to more people.
func selectorClaims(claims []claim, selector map[string]any, source claimSource) []claim {
	if len(selector) == 0 {
		return claims
	}
	for _, label := range osLabels {
		if name, ok := tree.Text(selector[label]); ok {
			if os := platform.OS(name); os == platform.LinuxOS || os == platform.WindowsOS {
				claims = append(claims, claim{os: os, source: source, label: label})
			}
		}
	}
	if text, ok := tree.Text(selector[topology.LabelWindowsBuild]); ok {
		if build, ok := exactBuild(text); ok {
			claims = append(claims, claim{os: platform.WindowsOS, release: build, source: source, label: topology.LabelWindowsBuild})
		}
	}
	return claims
}

// exactBuild is the release of a build as the label has it: without a revision.
func exactBuild(text string) (platform.Platform, bool) {
	p, ok := platform.ByBuild(text)
	return p, ok && p.Build() == text
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

// hostProcessUnknown says whether somewhere it is not known yet whether the pod is
// a host-process one.
func (p *pods) hostProcessUnknown() bool {
	unknown := func(owner, security, windows map[string]any) bool {
		return tree.IsUnknown(owner["securityContext"]) || tree.IsUnknown(security["windowsOptions"]) || tree.IsUnknown(windows["hostProcess"])
	}
	if unknown(p.spec, p.security, p.windows) {
		return true
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		if unknown(ctr.spec, ctr.security, ctr.windows) {
			return true
		}
	}
	return false
}

// imagesOS is the operating system of images, where all that are known agree.
func imagesOS(images []platform.Image) platform.OS {
	var found platform.OS
	for i := range images {
		switch os := images[i].OS; {
		case os == "":
		case found == "":
			found = os
		case found != os:
			return ""
		}
	}
	return found
}

// requiredTerms are the terms of the required node affinity: alternatives.
func requiredTerms(spec map[string]any) []any {
	affinity := tree.Map(tree.Map(spec["affinity"])["nodeAffinity"])
	return tree.List(tree.Map(affinity["requiredDuringSchedulingIgnoredDuringExecution"])["nodeSelectorTerms"])
}

// requiredOS is the operating system that the required node affinity asks for in
// each of its terms, "" when it does not.
func requiredOS(spec map[string]any) platform.OS {
	names := requiredOSes(spec)
	if len(names) != 1 {
		return ""
	}
	if os := platform.OS(names[0]); os == platform.LinuxOS || os == platform.WindowsOS {
		return os
	}
	return ""
}

// requiredOSes are the operating systems that the terms of the required node affinity
// name together, each once; none when a term names none.
func requiredOSes(spec map[string]any) []string {
	var all []string
	for _, term := range requiredTerms(spec) {
		names := termOSes(tree.Map(term))
		if len(names) == 0 {
			return nil
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// termOSes are the operating systems that a term names: those of its narrowest
// expression, as all expressions hold.
func termOSes(term map[string]any) []string {
	var narrowest []string
	for _, e := range tree.List(term["matchExpressions"]) {
		expression := tree.Map(e)
		label, _ := tree.Text(expression["key"])
		operator, _ := tree.Text(expression["operator"])
		if !slices.Contains(osLabels[:], label) || operator != string(corev1.NodeSelectorOpIn) {
			continue
		}
		var names []string
		for _, value := range tree.List(expression["values"]) {
			name, known := tree.Text(value)
			if !known {
				names = nil
				break
			}
			names = append(names, name)
		}
		if len(names) > 0 && (narrowest == nil || len(names) < len(narrowest)) {
			narrowest = names
		}
	}
	return narrowest
}

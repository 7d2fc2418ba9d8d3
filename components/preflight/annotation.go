package preflight

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// PlatformAnnotation is the annotation of a workload, or of the template of its
// pods, that says what they run on where nothing else in the manifest does: a
// platform, as [platform.Parse] reads it ("linux", "windows-2022"), or "windows"
// for any release. Package manifest completes the pods for it.
const PlatformAnnotation = "mixedkube.dev/platform"

// Annotated is what [PlatformAnnotation] says about the pods of an object: their
// operating system, and the release where it names one; "" where there is no such
// annotation. It is false for one that rules MK902 and MK903 report.
func Annotated(object map[string]any) (os platform.OS, release platform.Platform, valid bool) {
	run := check{Checker: &Checker{}, object: object}
	p, ok := run.pods(kindOf(object))
	if !ok {
		return "", "", true
	}
	said := run.annotated(p)
	if len(run.findings) > 0 {
		return "", "", false
	}
	return said.os, said.release, true
}

var platformAnnotationContradicts = rule.Rule{
	ID: "MK903", Severity: rule.Error, Title: "the annotation of the platform contradicts the pods",
	Reason: "The annotation " + PlatformAnnotation + " says what the pods run on where nothing else does. Where something else says another thing, one of the two is wrong.",
	Source: "this library",
}

// annotated checks the annotation, on the object and on the template of its pods,
// and returns what it says.
func (c *check) annotated(p *pods) claim {
	var said claim
	paths := []string{"metadata"}
	if p.prefix != "" {
		paths = append(paths, p.prefix+"metadata")
	}
	for i, path := range paths {
		metadata := p.metadata
		if i == 0 {
			metadata = tree.Map(c.object["metadata"])
		}
		value := tree.Map(metadata["annotations"])[PlatformAnnotation]
		text, ok := tree.Text(value)
		if !ok {
			continue
		}
		path += ".annotations[" + PlatformAnnotation + "]"
		one, ok := c.readAnnotation(path, text, value)
		switch {
		case !ok:
		case said.os != "" && (one.os != said.os || one.release != "" && said.release != "" && one.release != said.release):
			c.report(platformAnnotationContradicts, rule.Problem{Path: path, Value: value, Detail: "contradicts the annotation of the object itself", Fix: "remove one of the two"})
		default:
			c.againstPods(p, one, path, value)
			if one.release == "" {
				one.release = said.release
			}
			said = one
		}
	}
	return said
}

var platformAnnotationUnknown = rule.Rule{
	ID: "MK902", Severity: rule.Error, Title: "the annotation does not name a platform",
	Reason: "The annotation " + PlatformAnnotation + " says what the pods run on. Pods are not completed for a platform that does not exist.",
	Source: "this library",
}

func (c *check) readAnnotation(path, text string, value any) (claim, bool) {
	if strings.EqualFold(text, string(platform.WindowsOS)) {
		return claim{os: platform.WindowsOS}, true
	}
	found, err := platform.Parse(text)
	if err != nil {
		fix := `write linux, windows-2022 or another release, or windows for any`
		if _, secret := value.(Secret); !secret {
			if unknown, ok := errors.AsType[*platform.UnknownError](err); ok && unknown.Nearest != "" {
				fix = "did you mean " + unknown.Nearest.String() + "?"
			}
		}
		c.report(platformAnnotationUnknown, rule.Problem{Path: path, Value: value, Detail: "is not a platform", Fix: fix})
		return claim{}, false
	}
	return claim{os: found.OS(), release: releaseOf(found)}, true
}

// againstPods compares the annotation with what the pods name themselves. Images
// are compared with the target, as everywhere.
func (c *check) againstPods(p *pods, said claim, path string, value any) {
	for _, other := range p.target.claims {
		if other.source == byImages || other.source == byCaller {
			continue
		}
		if other.os != said.os || other.release != "" && said.release != "" && other.release != said.release {
			c.report(platformAnnotationContradicts, rule.Problem{Path: path, Value: value, Detail: "contradicts " + other.says(p), Fix: "remove one of the two"})
			return
		}
	}
}

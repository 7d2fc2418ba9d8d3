package pods

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// PlatformAnnotation sets the platform of pods if nothing else in a manifest does.
const PlatformAnnotation = "mixedkube.dev/platform"

// Annotation is the [PlatformAnnotation] of pods.
type Annotation struct {
	// Claim has no OS if there is no such annotation, or if one is wrong.
	Claim Claim
	// Value is the value of the annotation.
	Value any
	// Wrong has the annotations that are wrong.
	Wrong []WrongAnnotation
}

// WrongAnnotation is an annotation that does not name a platform, or that contradicts something.
type WrongAnnotation struct {
	Path  string
	Value any
	// Nearest is a suggestion, if Against is empty; "" if there is none.
	Nearest platform.Platform
	// Against is what the annotation contradicts, in words; "" if it does not name a platform.
	Against string
}

// Annotation reads the annotations of the object and of its pod template. It compares them with
// each other and with the claims of the pods themselves. Images are compared with the target of
// the pods, like everywhere.
func (t *Target) Annotation(p *Pods) Annotation {
	var a Annotation
	paths := []string{"metadata"}
	if p.Prefix != "" {
		paths = append(paths, p.Prefix+"metadata")
	}
	for i, path := range paths {
		metadata := p.Metadata
		if i == 0 {
			metadata = tree.Map(p.Object["metadata"])
		}
		value := tree.Map(metadata["annotations"])[PlatformAnnotation]
		text, ok := tree.Text(value)
		if !ok {
			continue
		}
		path += ".annotations[" + PlatformAnnotation + "]"
		claim, nearest, ok := readAnnotation(text, value)
		claim.Label = path
		switch {
		case !ok:
			a.Wrong = append(a.Wrong, WrongAnnotation{Path: path, Value: value, Nearest: nearest})
		case a.Claim.OS != "" && claim.Contradicts(a.Claim, t.Matching):
			a.Wrong = append(a.Wrong,
				WrongAnnotation{Path: path, Value: value, Against: "the annotation of the object itself"})
		default:
			if other, against := t.against(claim); against {
				a.Wrong = append(a.Wrong, WrongAnnotation{Path: path, Value: value, Against: other.Text(p)})
			}
			if claim.Release == "" {
				claim.Release = a.Claim.Release
			}
			a.Claim, a.Value = claim, value
		}
	}
	if len(a.Wrong) > 0 {
		a.Claim, a.Value = Claim{}, nil
	}
	return a
}

// against returns a claim of the pods themselves that contradicts a claim.
func (t *Target) against(claim Claim) (Claim, bool) {
	for _, other := range t.Claims {
		if other.Source != ByImages && other.Source != ByCaller && other.Contradicts(claim, t.Matching) {
			return other, true
		}
	}
	return Claim{}, false
}

// readAnnotation reads the text of an annotation. If it does not name a platform, nearest is a
// suggestion, unless the text is secret.
func readAnnotation(text string, value any) (claim Claim, nearest platform.Platform, ok bool) {
	if strings.EqualFold(text, string(platform.WindowsOS)) {
		return Claim{OS: platform.WindowsOS, Source: ByAnnotation}, "", true
	}
	found, err := platform.Parse(text)
	if err == nil {
		return Claim{OS: found.OS(), Release: releaseOf(found), Source: ByAnnotation}, "", true
	}
	unknown, isUnknown := errors.AsType[*platform.UnknownError](err)
	if _, secret := value.(tree.Secret); isUnknown && !secret {
		nearest = unknown.Nearest
	}
	return Claim{}, nearest, false
}

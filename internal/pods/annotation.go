package pods

import (
	"errors"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// PlatformAnnotation says what pods run on where nothing else in a manifest does.
const PlatformAnnotation = "mixedkube.dev/platform"

// Annotation is what [PlatformAnnotation] says about pods.
type Annotation struct {
	// Claim has no OS if there is no such annotation, or if something is wrong with one.
	Claim Claim
	// Value is what is written there.
	Value any
	// Wrong is what is wrong with the annotations.
	Wrong []WrongAnnotation
}

// WrongAnnotation is an annotation that names no platform, or that contradicts something.
type WrongAnnotation struct {
	Path  string
	Value any
	// Nearest is the platform that is meant perhaps, where Against is empty.
	Nearest platform.Platform
	// Against is what the annotation contradicts, in words; "" if it names no platform.
	Against string
}

// Annotation reads the annotation of the object, and that of the template of its pods. They
// are compared with each other and with the claims of the pods themselves; images are
// compared with the pods' target, as everywhere.
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
		case a.Claim.OS != "" && claim.Contradicts(a.Claim):
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

// against is what the pods name themselves and a claim contradicts.
func (t *Target) against(claim Claim) (Claim, bool) {
	for _, other := range t.Claims {
		if other.Source != ByImages && other.Source != ByCaller && other.Contradicts(claim) {
			return other, true
		}
	}
	return Claim{}, false
}

// readAnnotation reads the text of an annotation. If it names no platform, it may be near
// to one; nothing is said about a secret text.
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

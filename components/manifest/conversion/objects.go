package conversion

import (
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// lack is a key that each Kubernetes object has, and that a document has not.
type lack struct{ key, why, fix string }

// lacking is what a document lacks to be a Kubernetes object: others, such as the
// values of a Helm chart or a workflow, have no kind or no apiVersion.
func lacking(m map[string]any) []lack {
	var lacks []lack
	for _, l := range []lack{
		{key: "apiVersion", fix: "write which version of the API the object is of, apps/v1 for example"},
		{key: "kind", fix: "write what the object is, Deployment for example"},
	} {
		switch text, ok := tree.Text(m[l.key]); {
		case ok && text != "":
			continue
		case ok || m[l.key] == nil:
			l.why = "no " + l.key
		default:
			l.why = l.key + " is not a string"
		}
		lacks = append(lacks, l)
	}
	return lacks
}

// noObject refuses a document.
func noObject(file string, doc manifests.Document, lacks []lack) error {
	if len(lacks) == 1 {
		return &manifests.Error{File: file, Line: doc.Line(lacks[0].key), Detail: lacks[0].why + ": " + lacks[0].fix}
	}
	whys := []string{lacks[0].why, lacks[1].why}
	return &manifests.Error{
		File: file, Line: doc.Line(""),
		Detail: strings.Join(whys, ", ") + ": this is not a Kubernetes object: write both, or leave it out",
	}
}

// HalfObject warns of a document that has only one of apiVersion and kind, and so may be meant as a
// Kubernetes object; false for others.
func HalfObject(file string, line int, document map[string]any) (Finding, bool) {
	lacks := lacking(document)
	if len(lacks) != 1 {
		return Finding{}, false
	}
	f := Finding{
		Finding: preflight.Finding{
			Severity: preflight.Warning, Detail: lacks[0].why,
			Fix: "it is left alone: if it is a Kubernetes object, " + lacks[0].fix,
		},
		File: file, Line: line,
	}
	f.Kind, f.Namespace, f.Name = Names(document)
	return f, true
}

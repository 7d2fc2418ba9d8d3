package conversion

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// absence is a key that each Kubernetes object has, and that a document does not have.
type absence struct{ key, why, fix string }

// absent returns the keys that a document needs to be a Kubernetes object: other documents, such as the values of a
// Helm chart or a workflow, have no kind or no apiVersion.
func absent(m map[string]any) []absence {
	var keys []absence
	for _, l := range []absence{
		{key: "apiVersion", fix: "write the version of the object's API, for example apps/v1"},
		{key: "kind", fix: "write what the object is, for example Deployment"},
	} {
		switch text, ok := tree.Text(m[l.key]); {
		case ok && text != "":
			continue
		case ok || m[l.key] == nil:
			l.why = "no " + l.key
		default:
			l.why = l.key + " is not a string"
		}
		keys = append(keys, l)
	}
	return keys
}

// noObject refuses a document.
func noObject(file string, doc manifests.Document, keys []absence) error {
	if len(keys) == 1 {
		return &manifests.Error{File: file, Line: doc.Line(keys[0].key), Detail: keys[0].why + ": " + keys[0].fix}
	}
	whys := []string{keys[0].why, keys[1].why}
	return &manifests.Error{
		File: file, Line: doc.Line(""),
		Detail: strings.Join(whys, ", ") + ": this is not a Kubernetes object: write both, or leave it out",
	}
}

// PartialObject returns a warning about a document that has only one of apiVersion and kind, and metadata or a spec, and
// so may be intended as a Kubernetes object. It returns false for other documents: many formats have a kind.
func PartialObject(file string, line int, document map[string]any) (Finding, bool) {
	keys := absent(document)
	if len(keys) != 1 || tree.Map(document["metadata"]) == nil && tree.Map(document["spec"]) == nil {
		return Finding{}, false
	}
	f := Finding{
		Finding: preflight.Finding{
			Severity: preflight.Warning, Detail: keys[0].why,
			Fix: "it is left alone: if it is a Kubernetes object, " + keys[0].fix,
		},
		File: file, Line: line,
	}
	f.Kind, f.Namespace, f.Name = Names(document)
	return f, true
}

// Package layouts writes workloads for Windows as people lay out their manifests: in block and in flow style, as JSON,
// with comments, anchors and several documents. Tests compare what the command writes with them, byte for byte.
package layouts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// Workload is what all layouts can write.
type Workload struct {
	// Kind is one of [Kinds].
	Kind string
	// Name is the name of the object, and the value of its label app.
	Name string
	// Image is the image of its container.
	Image string
}

// Layout is a way to write a workload.
type Layout struct {
	// Name tells what is particular.
	Name string
	// Extension is the extension of a file: yaml or json. Empty means yaml.
	Extension string

	parts func(w Workload) parts
	write func(w Workload, object string) (string, error)
}

// All returns all layouts.
func All() []Layout {
	return []Layout{
		{Name: "block", parts: block, write: unchanged},
		{Name: "comments", parts: comments, write: commented},
		{Name: "indented", parts: indented, write: unchanged},
		{Name: "flow-spec", parts: flowSpec, write: unchanged},
		{Name: "flow-containers", parts: flowContainers, write: unchanged},
		{Name: "json", Extension: "json", parts: block, write: inJSON("  ")},
		{Name: "json-line", Extension: "json", parts: block, write: inJSON("")},
		{Name: "documents", parts: block, write: betweenDocuments},
		{Name: "list", parts: indented, write: inList},
		{Name: "anchors", parts: anchors, write: anchored},
		{Name: "selector", parts: selectsWindows, write: unchanged},
		{Name: "tolerations", parts: ownTolerations, write: unchanged},
		{Name: "scalars", parts: scalars, write: unchanged},
		{Name: "quoted", parts: quoted, write: withoutLineEnd},
		{Name: "empty", parts: empty, write: unchanged},
		{Name: "empty-flow", parts: emptyFlow, write: unchanged},
		{Name: "empty-json", Extension: "json", parts: empty, write: inJSON("  ")},
		{Name: "empty-lines", parts: emptyLines, write: unchanged},
		{Name: "null", parts: null, write: unchanged},
		{Name: "empty-affinity", parts: emptyAffinity, write: unchanged},
		{Name: "empty-terms", parts: emptyTerms, write: unchanged},
		{Name: "empty-expressions", parts: emptyExpressions, write: unchanged},
		{Name: "own-build", parts: ownBuild, write: unchanged},
		OwnLabel(),
	}
}

// OwnLabel returns a layout in which the pods select a label that only people know.
func OwnLabel() Layout { return Layout{Name: "label", parts: ownLabel, write: unchanged} }

// Write returns the text of a workload, with "\n" at the end of each line.
func (l Layout) Write(w Workload) (string, error) {
	p := l.parts(w)
	object, err := skeleton(w, p)
	if err != nil {
		return "", err
	}
	text, err := l.write(w, object)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", l.Name, w.Kind, err)
	}
	return text, nil
}

// File returns the name of a file for a workload.
func (l Layout) File(w Workload) string {
	extension := l.Extension
	if extension == "" {
		extension = "yaml"
	}
	return w.Name + "-" + l.Name + "." + extension
}

func unchanged(_ Workload, object string) (string, error) { return object, nil }

// commented has comments around the object: a removal must leave those of its neighbors.
func commented(_ Workload, object string) (string, error) {
	return "# The shop, from the days of the first cluster.\n\n" + object + "# The end of the shop.\n", nil
}

func inJSON(indent string) func(Workload, string) (string, error) {
	return func(_ Workload, object string) (string, error) {
		text, err := yaml.YAMLToJSON([]byte(object))
		if err != nil || indent == "" {
			return string(text) + "\n", err
		}
		var out bytes.Buffer
		if err := json.Indent(&out, text, "", indent); err != nil {
			return "", err
		}
		return out.String() + "\n", nil
	}
}

// betweenDocuments has other objects before and after it: only the workload is completed.
func betweenDocuments(w Workload, object string) (string, error) {
	return fmt.Sprintf(`# Settings that the pods read.
apiVersion: v1
kind: ConfigMap
metadata:
  name: %[1]s
data:
  color: blue # and no other
---
%[2]s---
apiVersion: v1
kind: Service
metadata: {name: %[1]s}
spec:
  selector: {app: %[1]s}
  ports:
  - port: 80
---
# An empty document.
`, w.Name, object), nil
}

func inList(_ Workload, object string) (string, error) {
	return "apiVersion: v1\nkind: List\nitems:\n- " + indent(object, "  ")[2:], nil
}

// anchored names the first labels and refers to them in the other places.
func anchored(w Workload, object string) (string, error) {
	labels := "{app: " + w.Name + "}"
	first, rest, found := strings.Cut(object, labels)
	if !found {
		return "", fmt.Errorf("there is no %s in:\n%s", labels, object)
	}
	return first + "&labels " + labels + strings.ReplaceAll(rest, labels, "*labels"), nil
}

func withoutLineEnd(_ Workload, object string) (string, error) {
	return strings.TrimSuffix(object, "\n"), nil
}

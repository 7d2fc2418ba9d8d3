package repository

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Kind is what a document is, in the words of those who keep it. Other kinds than [Manifest] are left alone.
type Kind string

// The kinds of documents.
const (
	// Manifest is an object as the API server receives it.
	Manifest Kind = ""
	// Kustomization lists what kustomize builds.
	Kustomization Kind = "kustomization"
	// Patch is a part of an object that kustomize merges into another one.
	Patch Kind = "kustomize patch"
	// JSONPatch is a list of operations on an object.
	JSONPatch Kind = "JSON patch"
	// Input is what kustomize reads to generate or to transform objects.
	Input Kind = "input of kustomize"
	// Encrypted is a file whose values SOPS has encrypted. Something decrypts it before the API server receives it.
	Encrypted Kind = "file encrypted by SOPS"
	// Values are the values of a Helm chart.
	Values Kind = "Helm values file"
	// Compose is a file of Docker Compose.
	Compose Kind = "compose file"
	// Workflow is a file of GitHub Actions, GitLab CI, Azure Pipelines or another CI system.
	Workflow Kind = "workflow"
	// Other is any other document without kind or apiVersion.
	Other Kind = "document of another kind"
)

// words are the plural of each kind, and the reason why it is left alone.
var words = map[Kind]struct{ plural, why string }{
	Kustomization: {"kustomizations", "built by kustomize: pipe kubectl kustomize DIR into the command"},
	Patch:         {"kustomize patches", "merged into objects by kustomize"},
	JSONPatch:     {"JSON patches", "applied to objects by kustomize or kubectl"},
	Input:         {"inputs of kustomize", "read by kustomize to generate or transform objects"},
	Encrypted:     {"files encrypted by SOPS", "decrypted on the way to the cluster"},
	Values:        {"Helm values files", "used to render a chart: name the chart, and the file with --values"},
	Compose:       {"compose files", "not read by Kubernetes"},
	Workflow:      {"workflows", "not read by Kubernetes"},
	Other:         {"documents of another kind", "without apiVersion or kind"},
}

// Count returns a number of documents of a kind in words.
func (k Kind) Count(n int) string {
	if n == 1 {
		return "1 " + string(k)
	}
	return strconv.Itoa(n) + " " + words[k].plural
}

// Why returns why documents of a kind are left alone.
func (k Kind) Why() string { return words[k].why }

// of returns what a document is, from its own content and the name of its file.
func of(file string, value any) Kind {
	document := tree.Map(value)
	switch {
	case isJSONPatch(value):
		return JSONPatch
	case isKustomization(file, document):
		return Kustomization
	case isEncrypted(document):
		return Encrypted
	case !isObject(document):
		return notAnObject(file, document)
	case strings.HasSuffix(group(document), "kustomize.config.k8s.io"):
		return Input // a Component is a kustomization, and everything else configures a plugin
	case isFragment(document):
		return Patch
	}
	return Manifest
}

// isObject reports whether a document has the fields that each Kubernetes object has.
func isObject(document map[string]any) bool {
	kind, _ := tree.Text(document["kind"])
	version, _ := tree.Text(document["apiVersion"])
	return kind != "" && version != ""
}

// group returns the group of the document's API.
func group(document map[string]any) string {
	version, _ := tree.Text(document["apiVersion"])
	group, _, grouped := strings.Cut(version, "/")
	if !grouped {
		return ""
	}
	return group
}

// FileNames are the names that kustomize looks for in a directory.
var FileNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// IsKustomization reports whether kustomize reads a file by its name.
func IsKustomization(file string) bool { return slices.Contains(FileNames, path.Base(file)) }

func isKustomization(file string, document map[string]any) bool {
	switch kind, _ := tree.Text(document["kind"]); kind {
	case "":
		return IsKustomization(file)
	case "Kustomization", "Component":
		of := group(document)
		return of == "kustomize.config.k8s.io" || of == "" && IsKustomization(file)
	}
	return false
}

// isEncrypted reports whether SOPS has encrypted the document: it adds its own key, with the code that authenticates the
// others. Source: https://github.com/getsops/sops, stores.Metadata.
func isEncrypted(document map[string]any) bool {
	sops := tree.Map(document["sops"])
	return sops["mac"] != nil && sops["lastmodified"] != nil
}

// isJSONPatch reports whether a document is a list of operations (RFC 6902).
func isJSONPatch(value any) bool {
	operations := tree.List(value)
	return len(operations) > 0 && !slices.ContainsFunc(operations, func(v any) bool {
		operation := tree.Map(v)
		return operation["op"] == nil || operation["path"] == nil
	})
}

// notAnObject names a document that has no kind or no apiVersion.
func notAnObject(file string, document map[string]any) Kind {
	is := func(key string) bool { return tree.Map(document[key]) != nil }
	list := func(key string) bool { return tree.List(document[key]) != nil }
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	switch {
	case is("services"):
		return Compose
	// on is a boolean of YAML 1.1
	case is("jobs") && (document["on"] != nil || document["true"] != nil), name == ".gitlab-ci",
		list("stages") && (document["trigger"] != nil || document["pool"] != nil), list("steps") && document["trigger"] != nil:
		return Workflow
	case name == "values", strings.HasPrefix(name, "values-"), strings.HasPrefix(name, "values."),
		strings.HasSuffix(name, "-values"), strings.HasSuffix(name, ".values"), strings.HasSuffix(name, "_values"):
		return Values
	}
	return Other
}

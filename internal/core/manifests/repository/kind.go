package repository

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Kind is what a document is, in the words of those who keep it. Kinds that are not objects, see [Kind.IsObject], are left
// alone.
type Kind string

// The kinds of documents.
const (
	// Manifest is an object as the API server receives it.
	Manifest Kind = ""
	// Definition defines a kind of custom resources.
	Definition Kind = "CustomResourceDefinition"
	// Custom is an object of a kind that Kubernetes does not have.
	Custom Kind = "custom resource"
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
	// Sealed is a Secret that only its controller can decrypt.
	Sealed Kind = "sealed secret"
	// GitOps says what Flux or Argo CD deploys.
	GitOps Kind = "object of a GitOps tool"
	// Policy says what other objects must look like.
	Policy Kind = "policy"
	// Assertion is a part of an object that a test of KUTTL or Chainsaw compares with the cluster.
	Assertion Kind = "assertion of a test"
	// Local is an object that stays with those who write it: no cluster receives it.
	Local Kind = "local configuration"
	// Configuration is read by a program: kubeadm, the kubelet, kind, eksctl, kubectl and others.
	Configuration Kind = "configuration of a program"
	// Template is the input of a program that writes manifests.
	Template Kind = "template of another program"
	// Chart is a Helm chart.
	Chart Kind = "Helm chart"
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
	Definition:    {"CustomResourceDefinitions", "fields are checked"},
	Custom:        {"custom resources", "only fields that a rule is about are checked"},
	Kustomization: {"kustomizations", "built by kustomize: name the directory to check what it builds"},
	Patch:         {"kustomize patches", "merged into objects by kustomize"},
	JSONPatch:     {"JSON patches", "applied to objects by kustomize or kubectl"},
	Input:         {"inputs of kustomize", "read by kustomize to generate or transform objects"},
	Encrypted:     {"files encrypted by SOPS", "decrypted on the way to the cluster"},
	Sealed:        {"sealed secrets", "decrypted in the cluster"},
	GitOps:        {"objects of GitOps tools", "not judged, because they say only where objects are"},
	Policy:        {"policies", "not judged, because patterns are not pods"},
	Assertion:     {"assertions of tests", "KUTTL and Chainsaw compare them with objects in the cluster"},
	Local:         {"local configurations", "kustomize and kpt do not send them to the cluster"},
	Configuration: {"configurations of programs", "not sent to the API server"},
	Template:      {"templates of other programs", "render first, and check the result"},
	Chart:         {"Helm charts", "name the path of a chart to render it"},
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

// IsObject reports whether documents of a kind are objects that the rules judge.
func (k Kind) IsObject() bool { return k == Manifest || k == Definition || k == Custom }

// assertions are the names of the files that KUTTL does not create.
//
// Source: https://github.com/kudobuilder/kuttl/blob/main/docs/testing/asserts-errors.md.
var assertions = regexp.MustCompile(`^\d+-(?:assert|errors)(?:-[^.]*)?\.yaml$`)

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
	case isTemplate(document):
		return Template
	case assertions.MatchString(path.Base(file)), hasKey(document, isExpression):
		return Assertion
	case isLocal(document):
		return Local
	case isFragment(document):
		return Patch
	}
	return ofObject(document)
}

// ofObject returns what an object is, by its kind.
//
// Sources: https://kyverno.io/docs/policy-types/, https://open-policy-agent.github.io/gatekeeper/website/docs/api/,
// https://github.com/open-cluster-management-io/governance-policy-propagator, https://docs.kubewarden.io,
// https://github.com/bitnami-labs/sealed-secrets.
func ofObject(object map[string]any) Kind {
	kind, _ := tree.Text(object["kind"])
	group := group(object)
	isIn := func(domain string) bool { return group == domain || strings.HasSuffix(group, "."+domain) }
	switch {
	case isGitOps(kind, group):
		return GitOps
	case slices.ContainsFunc(configurations, isIn) && !slices.Contains(ownGroups, group),
		kind == "Config" && object["apiVersion"] == "v1":
		return Configuration
	case isIn("chainsaw.kyverno.io"):
		return Custom
	case isIn("kyverno.io"), isIn("gatekeeper.sh"), isIn("policy.open-cluster-management.io"), isIn("kubewarden.io"):
		return Policy
	case kind == "SealedSecret" && group == "bitnami.com":
		return Sealed
	case kind == "CustomResourceDefinition":
		return Definition
	case strings.Contains(group, ".") && !slices.Contains(ownGroups, group):
		return Custom
	}
	return Manifest
}

// configurations are the API groups, and their parents, of what programs read from files. kubectl's own has no group.
//
// Sources: https://kubernetes.io/docs/reference/config-api/, https://kind.sigs.k8s.io/docs/user/configuration/,
// https://docs.aws.amazon.com/eks/latest/eksctl/schema.html, https://k3d.io/stable/usage/configfile/,
// https://skaffold.dev/docs/references/yaml/, https://carvel.dev/kapp/docs/v0.60.x/config/, https://docs.garden.io.
var configurations = []string{
	"kubeadm.k8s.io", "config.k8s.io", "apiserver.k8s.io", "audit.k8s.io", "kind.x-k8s.io", "eksctl.io", "k3d.io",
	"skaffold", "kapp.k14s.io", "garden.io",
}

// ownGroups are the groups of Kubernetes' own kinds whose names have a period. Source: api/openapi-spec/swagger.json of
// Kubernetes 1.37.2.
var ownGroups = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
	"authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
	"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "lifecycle.k8s.io", "networking.k8s.io", "node.k8s.io",
	"rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// isLocal reports whether kustomize and kpt leave an object out of what they build.
//
// Source: sigs.k8s.io/kustomize/kyaml v0.21, kio/filters.LocalConfigAnnotation.
func isLocal(object map[string]any) bool {
	local, _ := tree.Text(tree.At(object["metadata"], "annotations", "config.kubernetes.io/local-config"))
	return local == "true"
}

// isExpression reports whether a key is an expression of Chainsaw, such as (length(items)).
//
// Source: https://kyverno.github.io/chainsaw/latest/quick-start/assertion-trees/.
func isExpression(key string) bool { return strings.HasPrefix(key, "(") && strings.HasSuffix(key, ")") }

// isTemplate reports whether another program decides on the kind of the object.
func isTemplate(object map[string]any) bool {
	kind, _ := tree.Text(object["kind"])
	version, _ := tree.Text(object["apiVersion"])
	return placeholder.In(kind) || placeholder.In(version)
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
	case is("jobs") && (document["on"] != nil || document["true"] != nil),
		name == ".gitlab-ci", strings.HasPrefix(name, "azure-pipelines"),
		list("stages") && (document["trigger"] != nil || document["pool"] != nil),
		list("steps") && document["trigger"] != nil:
		return Workflow
	case name == "values", strings.HasPrefix(name, "values-"), strings.HasPrefix(name, "values."),
		strings.HasSuffix(name, "-values"), strings.HasSuffix(name, ".values"), strings.HasSuffix(name, "_values"):
		return Values
	}
	return Other
}

package objects

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight/internal/structure"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// versionRules are about the version and the kind of an object. They do not judge custom resources.
var versionRules = []engine.Rule{versionNotServed, kindUnknown, versionNotServedByDefault}

var (
	objectsOfKubernetes = &engine.Scope[*subject.Object]{
		Name: "objects of Kubernetes' own kinds",
		Has:  func(o *subject.Object) bool { return o.Structure().Kind != nil },
	}
	objectsOfOtherVersions = &engine.Scope[*subject.Object]{
		Name: "objects of versions that are not served",
		Has:  func(o *subject.Object) bool { return o.Structure().NotServed != nil },
	}
)

var versionNotServed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK104", Severity: rule.Error, Title: "an API version that is not served", Page: rulepages.Structure,
		Reason: "The API server refuses an object in a version that it does not serve. The beta versions of " +
			"RuntimeClass and CronJob were removed in Kubernetes 1.25, those of the workloads in 1.16. A version " +
			"that no known version of Kubernetes serves is a warning for a later one.",
		Source: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
	},
	Checks: []engine.Check{
		engine.On(objectsOfKubernetes, inSomeVersions), engine.On(objectsOfOtherVersions, inNoVersion),
	},
}

// inSomeVersions finds a kind that only some versions of Kubernetes have.
func inSomeVersions(o *subject.Object) []rule.Problem {
	kind, minor := o.Structure().Kind, o.Cluster.Minor
	which, lacks := kind.Versions(minor)
	if !lacks && (which == "" || minor != 0) {
		return nil
	}
	found := rule.Problem{
		Path: "apiVersion", Value: o.Tree["apiVersion"],
		Detail: fmt.Sprintf("is a version that API servers serve for %s only %s",
			structure.WithArticle(kind.Name), which),
		Fix: fmt.Sprintf("write a version that Kubernetes 1.%d serves", minor),
	}
	if !lacks {
		found.Severity, found.Fix = rule.Warning, "write a version that the API server serves"
	}
	if stable := stableVersion(o, kind); stable != "" {
		found.Fix = "write " + stable
	}
	return []rule.Problem{found}
}

// stableVersion returns the newest version of a kind if the API server certainly serves it by default, or else "".
func stableVersion(o *subject.Object, kind *structure.Kind) string {
	newest := kind.Newest()
	which, lacks := newest.Versions(o.Cluster.Minor)
	if !newest.ServedByDefault() || lacks || which != "" && o.Cluster.Minor == 0 {
		return ""
	}
	return newest.GroupVersion
}

// inNoVersion finds a version that no API server of a known version of Kubernetes serves. A later one may serve it,
// unless it was removed.
func inNoVersion(o *subject.Object) []rule.Problem {
	answer, minor := o.Structure().NotServed, o.Cluster.Minor
	first, _ := structure.Range()
	if answer.Suggestion != "" || minor != 0 && minor < first && (answer.RemovedIn == 0 || minor < answer.RemovedIn) {
		return nil // the kind is misspelled, or an older API server may serve it
	}
	kind, _ := tree.Text(o.Tree["kind"])
	detail := "is not a version that the API server serves for " + structure.WithArticle(kind)
	severity := rule.Error
	switch {
	case answer.RemovedIn == 0 && !structure.Known(minor):
		severity = rule.Warning
		detail += structure.InKnown()
	case answer.RemovedIn != 0 && !secretKind(o):
		detail += fmt.Sprintf(" since Kubernetes 1.%d", answer.RemovedIn)
	}
	fix := "remove the object: no version serves the kind"
	if answer.Replacement != "" {
		fix = "write " + answer.Replacement
	}
	return []rule.Problem{{
		Path: "apiVersion", Value: o.Tree["apiVersion"], Detail: detail, Fix: fix, Severity: severity,
	}}
}

var kindUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK168", Severity: rule.Error, Title: "a misspelled kind", Page: rulepages.Structure,
		Reason: "The API server has no such kind in this version of its API, but one with a similar spelling. If the " +
			"version of Kubernetes is not a known one, this is a warning.",
		Source: openAPI,
	},
	Checks: []engine.Check{engine.On(objectsOfOtherVersions, func(o *subject.Object) []rule.Problem {
		nearest := o.Structure().NotServed.Suggestion
		if nearest == "" {
			return nil
		}
		version, _ := tree.Text(o.Tree["apiVersion"])
		detail, fix := "is not a kind of "+version, "did you mean "+nearest+"?"
		if secretKind(o) {
			detail, fix = "is not a kind of the API version", "check the spelling"
		}
		severity := rule.Error
		if !structure.Known(o.Cluster.Minor) {
			severity = rule.Warning
			detail += structure.InKnown()
		}
		return []rule.Problem{{Path: "kind", Value: o.Tree["kind"], Detail: detail, Fix: fix, Severity: severity}}
	})},
}

// secretKind reports whether the kind of the object is secret, and with it everything that follows from it.
func secretKind(o *subject.Object) bool {
	_, version := o.Tree["apiVersion"].(tree.Secret)
	_, kind := o.Tree["kind"].(tree.Secret)
	return version || kind
}

var versionNotServedByDefault = engine.Rule{
	Rule: rule.Rule{
		ID: "MK169", Severity: rule.Warning, Title: "an API version that is disabled by default",
		Page: rulepages.Structure,
		Reason: "API servers serve alpha versions, and beta versions since 1.24, only if --runtime-config enables " +
			"them. Managed clusters do not enable them.",
		Fix: "use it only if it is enabled in the API server's --runtime-config",
		Source: "https://kubernetes.io/docs/reference/using-api/#api-versioning; DefaultAPIResourceConfigSource in " +
			"pkg/controlplane/instance.go of Kubernetes 1.37.2",
	},
	Checks: []engine.Check{engine.On(objectsOfKubernetes, func(o *subject.Object) []rule.Problem {
		kind := o.Structure().Kind
		if kind.ServedByDefault() || o.Lacks(kind) {
			return nil
		}
		found := rule.Problem{
			Path: "apiVersion", Value: o.Tree["apiVersion"],
			Detail: "is a version that API servers serve only if configured to",
		}
		if stable := stableVersion(o, kind); stable != "" {
			found.Fix = "write " + stable
		}
		return []rule.Problem{found}
	})},
}

// Package helmchart finds Helm charts of a Pulumi program whose objects Pulumi does not see, and shows how to check
// them on the command line. The provider renders the charts: this package knows only their properties in the program,
// and whether a chart in a local directory has hooks.
package helmchart

import (
	"io/fs"
	"net/url"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// The types of Pulumi's resources.
const (
	// ReleaseType is a release: Helm, inside the provider, deploys the chart.
	ReleaseType = "kubernetes:helm.sh/v3:Release"
	// ChartType is a chart whose objects become resources of Pulumi, except its hooks.
	ChartType = "kubernetes:helm.sh/v4:Chart"
)

// IsChart reports whether a resource of a type is a Helm chart with objects that Pulumi does not see.
func IsChart(typ string) bool { return typ == ChartType || typ == ReleaseType }

// Rules returns all rules of the package, in the order of their IDs.
func Rules() rule.Set { return engine.Described(checked) }

var checked = []engine.Rule{hooksNotDeployed, releaseNotSeen}

// chart is a resource of a Helm chart.
type chart struct {
	resourceType, name string
	properties         map[string]any
	// open returns the directory of a chart.
	open func(dir string) fs.FS
}

var (
	charts = &engine.Scope[chart]{
		Name: "helm.v4.Chart resources", Has: func(c chart) bool { return c.resourceType == ChartType },
	}
	releases = &engine.Scope[chart]{
		Name: "helm.v3.Release resources", Has: func(c chart) bool { return c.resourceType == ReleaseType },
	}
	checkedCharts = engine.New[chart](checked...)
)

var hooksNotDeployed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK580", Severity: rule.Info, Title: "a helm.v4.Chart, which deploys no hooks",
		Page: rulepages.AddOns,
		Reason: "The provider renders such a chart with DisableHooks and registers the rest as resources. Jobs that " +
			"the chart runs before or after an installation, for example to create certificates or a database, are " +
			"neither deployed nor checked, and Pulumi does not report it. If a chart is a local directory, mixedkube " +
			"checks whether it has hooks; for other charts that is not known.",
		Source: "https://github.com/pulumi/pulumi-kubernetes/blob/v4.25.0/provider/pkg/provider/helm/v4/chart.go",
	},
	Checks: []engine.Check{engine.On(charts, func(c chart) []rule.Problem {
		if of, _ := tree.Text(c.properties["chart"]); withoutHooks(of, c.properties, c.open) {
			return nil
		}
		return []rule.Problem{{
			Detail: "the hooks of the chart, if it has any, are neither deployed nor checked",
			Fix:    "see what they are with `" + commandLine(c.name, c.properties) + "`",
		}}
	})},
}

var releaseNotSeen = engine.Rule{
	Rule: rule.Rule{
		ID: "MK581", Severity: rule.Warning, Title: "a helm.v3.Release, whose objects Pulumi does not see",
		Page: rulepages.AddOns,
		Reason: "Helm, inside the provider, deploys a release: its pods and its hooks are not resources of Pulumi, " +
			"so nothing in the program can check or complete them. A helm.v4.Chart shows its objects, but deploys no " +
			"hooks.",
		Source: "https://github.com/pulumi/pulumi-kubernetes/blob/v4.25.0/provider/pkg/provider/helm_release.go",
	},
	Checks: []engine.Check{engine.On(releases, func(c chart) []rule.Problem {
		return []rule.Problem{{
			Detail: "the objects that a Release deploys, including hooks, are not checked",
			Fix:    "check it with `" + commandLine(c.name, c.properties) + "`",
		}}
	})},
}

// Check returns findings about the unseen objects of a resource of that type, with its name and its properties as a
// plain tree; none for other types. If the chart is a directory, open returns it: a chart without hooks has no finding.
func Check(
	resourceType, name string, properties map[string]any, open func(dir string) fs.FS,
) rule.Findings {
	return checkedCharts.Find(chart{resourceType, name, properties, open}, 0)
}

// commandLine returns a command that checks the chart, with placeholders in capitals for unknown values. It never
// contains values of the chart, because they may be secret.
func commandLine(name string, properties map[string]any) string {
	chart := text(properties["chart"], "", "CHART")
	if chart == "" {
		chart = "CHART"
	}
	release := text(properties["name"], name, "RELEASE")
	var flags []string
	flag := func(name, value string) {
		if value != "" {
			flags = append(flags, name, quoted(value))
		}
	}
	flag("--namespace", text(properties["namespace"], "", "NAMESPACE"))
	if nonEmpty(properties["values"]) || nonEmpty(properties["valueYamlFiles"]) {
		flag("--values", "VALUES.yaml")
	}
	if isLocal(chart) {
		words := append([]string{"mixedkube check --topology CLUSTER.yaml --release-name", quoted(release)}, flags...)
		return strings.Join(append(words, quoted(chart)), " ")
	}
	flag("--repo", address(text(tree.Map(properties["repositoryOpts"])["repo"], "", "REPOSITORY")))
	flag("--version", text(properties["version"], "", "VERSION"))
	words := append([]string{"helm template", quoted(release), quoted(chart)}, flags...)
	return strings.Join(words, " ") + " | mixedkube check --topology CLUSTER.yaml -"
}

// text returns a text, missing if there is none, and placeholder if it is secret or unknown.
func text(v any, missing, placeholder string) string {
	if v == nil {
		return missing
	}
	if _, secret := v.(tree.Secret); secret {
		return placeholder
	}
	if s, ok := tree.Text(v); ok {
		return s
	}
	return placeholder
}

// nonEmpty reports whether a map or a list has elements, or a value is unknown.
func nonEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	default:
		return true
	}
}

// isLocal reports whether a chart is certainly a path, as helm and the provider read it.
func isLocal(chart string) bool {
	return strings.HasPrefix(chart, "./") || strings.HasPrefix(chart, "../") || strings.HasPrefix(chart, "/")
}

// address returns an address without user and password.
func address(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "REPOSITORY"
	}
	if u.User == nil {
		return text
	}
	u.User = nil
	return u.String()
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,~^-]+$`)

// quoted quotes a word of a command line.
func quoted(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

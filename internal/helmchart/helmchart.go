// Package helmchart says what Pulumi's resources for Helm charts keep out of sight, and how to look
// at it from the command line. A chart is rendered elsewhere, by the provider: here is only what the
// program says of it, and whether a chart beside the program has hooks at all.
package helmchart

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// The types of Pulumi's resources.
const (
	// ReleaseType is a release: Helm, inside the provider, deploys the chart.
	ReleaseType = "kubernetes:helm.sh/v3:Release"
	// ChartType is a chart whose objects become resources of Pulumi, except its hooks.
	ChartType = "kubernetes:helm.sh/v4:Chart"
)

// IsChart reports whether a resource of a type is a Helm chart of which something is not seen.
func IsChart(typ string) bool { return typ == ChartType || typ == ReleaseType }

// Rules returns all rules of the package, in the order of their IDs.
func Rules() rule.Set { return rule.NewSet(hooksNotDeployed, releaseNotSeen) }

var hooksNotDeployed = rule.Rule{
	ID: "MK580", Severity: rule.Info, Title: "a helm.v4.Chart, which deploys no hooks",
	Reason: "The provider renders such a chart with DisableHooks and registers the rest as resources. Jobs that the " +
		"chart runs before or after an installation, for example to create certificates or a database, are neither " +
		"deployed nor checked, and nothing says so. Of a chart that is a folder it is seen whether it has hooks; of " +
		"others it is not known.",
	Source: "https://github.com/pulumi/pulumi-kubernetes/blob/v4.25.0/provider/pkg/provider/helm/v4/chart.go",
}

var releaseNotSeen = rule.Rule{
	ID: "MK581", Severity: rule.Warning, Title: "a helm.v3.Release, whose objects Pulumi does not see",
	Reason: "Helm, inside the provider, deploys a release: its pods and its hooks are not resources of Pulumi, so " +
		"nothing in the program can check or complete them. A helm.v4.Chart shows its objects, but deploys no hooks.",
	Source: "https://github.com/pulumi/pulumi-kubernetes/blob/v4.25.0/provider/pkg/provider/helm_release.go",
}

// Check returns what is not seen of a resource of that type, with its name and its properties as a
// plain tree; nothing for other types. A chart that is a folder is looked into: one without hooks
// lacks nothing.
func Check(resourceType, name string, properties map[string]any) (found rule.Findings) {
	switch resourceType {
	case ChartType:
		if chart, _ := tree.Text(properties["chart"]); withoutHooks(chart, properties) {
			return nil
		}
		found.Report(hooksNotDeployed, rule.Problem{
			Detail: "the hooks of the chart, if it has any, are neither deployed nor checked",
			Fix:    "see what they are with `" + commandLine(name, properties) + "`",
		})
	case ReleaseType:
		found.Report(releaseNotSeen, rule.Problem{
			Detail: "what a Release deploys is not seen, hooks included",
			Fix:    "check it with `" + commandLine(name, properties) + "`",
		})
	}
	return found
}

// commandLine checks the chart, with placeholders in capitals for what is not known. Values are
// never in it: there may be secrets among them.
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
	if given(properties["values"]) || given(properties["valueYamlFiles"]) {
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

// text is a text, what is missing if there is none, and a placeholder if it is secret or not known.
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

// given reports whether there is something in a map or a list, or that is not known.
func given(v any) bool {
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

// address is one without user and password.
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

// quoted is a word of a command line.
func quoted(word string) string {
	if harmless.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

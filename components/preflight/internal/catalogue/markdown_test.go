package catalogue

import (
	"bytes"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/helmchart"
)

//go:embed introduction.md
var introduction string

// group is a part of the catalogue: the rules whose IDs have the same prefix.
type group struct{ prefix, title, about string }

var groups = []group{
	{
		"MK1", "What the API server refuses",
		"In the API server's own words: preflight reports these errors before anything is sent.",
	},
	{
		"MK2", "Images", "Where an image runs, according to its name, or to its registry in the lock file " +
			"mixedkube.images.yaml. An unknown image has no findings.",
	},
	{
		"MK3", "Placement", "Where pods can land: on the pools of the topology, or, without a topology, on the nodes " +
			"of any cluster.",
	},
	{
		"MK4", "RuntimeClasses and admission",
		"RuntimeClasses, the pods that name them, and other admission checks when a pod is created.",
	},
	{
		"MK5", "Accepted, and wrong on Windows",
		"Kubernetes accepts these fields, but Windows ignores them or does something else.",
	},
	{"MK6", "Services", "How Services behave on Windows nodes."},
	{
		"MK8", "What the cluster lacks",
		"Features that objects need and that the cluster does not have, according to `lacks` or `cloud` of the " +
			"topology.",
	},
	{"MK9", "The annotations", "Annotations that silence rules, and that state what pods run on."},
}

// charts are the rules about resources of a program. The folder of examples has none for them.
var charts = group{
	"MK58", "Helm charts in a Pulumi program",
	"The guard and `manifest.NewChart` report these for the resources of a program; preflight checks only Kubernetes " +
		"objects.",
}

// chartExamples are the types of resources that break the rules about charts.
var chartExamples = map[string]string{"MK580": helmchart.ChartType, "MK581": helmchart.ReleaseType}

// render returns the catalogue of the rules with the examples in a folder.
func render(rules []preflight.Rule, examples string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(
		"<!-- Written by `make generate`: edit check_*.go, testdata/rules and internal/catalogue instead. -->\n\n",
	)
	b.WriteString(strings.TrimSpace(introduction) + "\n\n## All rules\n")
	for _, g := range groups {
		summary(&b, g, in(g, rules))
	}
	summary(&b, charts, helmchart.Rules())
	written := 0
	for _, g := range groups {
		members := in(g, rules)
		if len(members) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", g.title, g.about)
		}
		for _, rule := range members {
			if err := section(&b, rule, filepath.Join(examples, rule.ID)); err != nil {
				return nil, err
			}
			written++
		}
	}
	if written != len(rules) {
		return nil, fmt.Errorf("%d rules belong to no group", len(rules)-written)
	}
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", charts.title, charts.about)
	for _, rule := range helmchart.Rules() {
		chartSection(&b, rule)
	}
	return b.Bytes(), nil
}

func in(g group, rules []preflight.Rule) []preflight.Rule {
	var members []preflight.Rule
	for _, rule := range rules {
		if strings.HasPrefix(rule.ID, g.prefix) {
			members = append(members, rule)
		}
	}
	return members
}

// summary writes a table of a group's rules, each with a link to its section.
func summary(b *bytes.Buffer, g group, rules []preflight.Rule) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(b, "\n**[%s](#%s)**\n\n| Rule | Severity | What is wrong |\n|---|---|---|\n", g.title, anchor(g.title))
	for _, rule := range rules {
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s |\n", rule.ID, anchor(heading(rule)), rule.Severity,
			strings.ReplaceAll(rule.Title, "|", `\|`))
	}
}

// section writes a rule in full.
func section(b *bytes.Buffer, rule preflight.Rule, dir string) error {
	e, err := readExample(dir)
	if err != nil {
		return err
	}
	findings, err := e.findings(e.bad)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "bad.yaml"), err)
	}
	fmt.Fprintf(b, "\n### %s\n\n**%s**%s. %s\n", heading(rule), title(string(rule.Severity)), versions(rule),
		rule.Reason)
	if e.topology != "" {
		fmt.Fprintf(b, "\nOn this cluster:\n\n```yaml\n%s```\n", e.topology)
	}
	if e.images != "" {
		fmt.Fprintf(b, "\nWith this in the lock file of images:\n\n```yaml\n%s```\n", e.images)
	}
	fmt.Fprintf(b, "\nWrong:\n\n```yaml\n%s```\n\n```text\n", abbreviate(e.bad))
	for _, f := range findings {
		if f.Rule == rule.ID {
			b.WriteString(abbreviate(fmt.Sprintf("%s: %s\n", f.Severity, f)))
		}
	}
	fmt.Fprintf(b, "```\n\nRight:\n\n```yaml\n%s```\n\nSource: %s.\n", e.good, rule.Source)
	return nil
}

// chartSection writes a rule about charts in full.
func chartSection(b *bytes.Buffer, rule preflight.Rule) {
	fmt.Fprintf(b, "\n### %s\n\n**%s**. %s\n\n```text\n", heading(rule), title(string(rule.Severity)), rule.Reason)
	properties := map[string]any{
		"chart": "shop", "namespace": "shop", "repositoryOpts": map[string]any{"repo": "https://charts.example.com"},
	}
	for _, f := range helmchart.Check(chartExamples[rule.ID], "shop", properties) {
		if f.Rule == rule.ID {
			fmt.Fprintf(b, "%s: %s\n", f.Severity, f)
		}
	}
	fmt.Fprintf(b, "```\n\nSource: %s.\n", rule.Source)
}

// longest is the maximum length of a line, in bytes. A longer line is abbreviated to its head and its tail: the tail
// contains the fix of a finding.
const (
	longest = 400
	head    = 100
	tail    = 200
)

// abbreviate shortens lines that are too long to read.
func abbreviate(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = fmt.Sprintf("%s … %d bytes … %s", strings.ToValidUTF8(line[:head], ""), len(line)-head-tail,
				strings.ToValidUTF8(line[len(line)-tail:], ""))
		}
	}
	return strings.Join(lines, "\n")
}

func heading(rule preflight.Rule) string { return rule.ID + ": " + rule.Title }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// versions returns the versions of Kubernetes to which a rule applies, or "" for all.
func versions(rule preflight.Rule) string {
	switch {
	case rule.Since != "" && rule.Until != "":
		return ", Kubernetes " + rule.Since + " to " + rule.Until
	case rule.Since != "":
		return ", Kubernetes " + rule.Since + " and later"
	case rule.Until != "":
		return ", Kubernetes " + rule.Until + " and earlier"
	default:
		return ""
	}
}

// anchor returns the link to a heading, in GitHub's format.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

package rulepages

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

//go:embed introduction.md
var introduction string

// generated begins each page.
const generated = "<!-- Written by `make generate`: edit the rules, their examples or internal/core/rule/rulepages. " +
	"-->\n\n"

// explained is a rule in the output of `mixedkube explain --format json`.
type explained struct {
	ID, Severity, Title, Since, Until, Why, URL string

	Mandatory bool
	Sources   []string
	Example   *struct {
		Topology, Plan, Images, Wrong, Right string

		Findings []string
	}
}

// explain runs the command for all rules.
func explain(t *testing.T) []explained {
	t.Helper()
	args := []string{"explain", "--format", "json"}
	for _, r := range cli.Rules() {
		args = append(args, r.ID)
	}
	var stdout, stderr strings.Builder
	if code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("mixedkube explain: exit %d: %s", code, stderr.String())
	}
	var all []explained
	if err := json.Unmarshal([]byte(stdout.String()), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// render writes all pages, by their files.
func render(all []explained) map[string]string {
	files := map[string]string{}
	var index strings.Builder
	index.WriteString(generated + strings.TrimSpace(introduction) + "\n\n## All rules\n")
	for _, p := range rulepages.Pages() {
		members := slices.DeleteFunc(slices.Clone(all), func(r explained) bool {
			of, _ := rulepages.Of(r.ID)
			return of.Name != p.Name
		})
		fmt.Fprintf(&index, "\n### [%s](%s)\n\n%s\n\n%s", p.Title, p.File(), p.About, table(members))
		files[p.File()] = page(p, members)
	}
	files[rulepages.Index] = index.String()
	return files
}

func page(p rulepages.Page, members []explained) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s\n\n%s [All rules](%s).\n\n%s", generated, p.Title, p.About, rulepages.Index, table(members))
	for _, r := range members {
		section(&b, r)
	}
	return b.String()
}

// table lists rules, each with a link to its section.
func table(rules []explained) string {
	var b strings.Builder
	b.WriteString("| Rule | Severity | What is wrong |\n|---|---|---|\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", r.ID, rulepages.Link(r.ID), r.Severity,
			strings.ReplaceAll(r.Title, "|", `\|`))
	}
	return b.String()
}

// anchor returns the target of links to a rule. GitHub and site generators leave it unchanged.
func anchor(id string) string { return `<a id="` + rulepages.Anchor(id) + `"></a>` }

func heading(r explained) string { return "## " + r.ID + ": " + r.Title }

// section writes the full description of a rule.
func section(b *strings.Builder, r explained) {
	fmt.Fprintf(b, "\n%s\n\n%s\n\n**%s**%s. %s", anchor(r.ID), heading(r),
		strings.ToUpper(r.Severity[:1])+r.Severity[1:], versions(r), r.Why)
	if r.Mandatory {
		b.WriteString(" You cannot ignore this rule, because the component relies on it.")
	}
	b.WriteString("\n")
	if x := r.Example; x != nil {
		block(b, "On this cluster", "yaml", x.Topology)
		block(b, "With this plan (`--to`)", "yaml", x.Plan)
		block(b, "With this in the lock file of images", "yaml", x.Images)
		block(b, "Wrong", "yaml", x.Wrong)
		block(b, "Finding", "text", strings.Join(x.Findings, "\n"))
		block(b, "Right", "yaml", x.Right)
	}
	if len(r.Sources) > 0 {
		sources := address.ReplaceAllString(strings.Join(r.Sources, ", "), "<$0>")
		fmt.Fprintf(b, "\nSource: %s.\n", sources)
	}
}

// block writes a code block under a title, unless the text is empty.
func block(b *strings.Builder, what, language, text string) {
	if text != "" {
		fmt.Fprintf(b, "\n%s:\n\n```%s\n%s\n```\n", what, language, strings.TrimSuffix(text, "\n"))
	}
}

// address matches an address in a source, without punctuation at its end.
var address = regexp.MustCompile(`https://[^\s,;()]*[^\s,;().]`)

// versions returns the versions of Kubernetes for which a rule holds, or "" if it holds for all.
func versions(r explained) string {
	switch {
	case r.Since != "" && r.Until != "":
		return ", Kubernetes " + r.Since + " to " + r.Until
	case r.Since != "":
		return ", Kubernetes " + r.Since + " and later"
	case r.Until != "":
		return ", Kubernetes " + r.Until + " and earlier"
	default:
		return ""
	}
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/preflight/examples"
)

// explaining are the values of the flag --format of explain.
var explaining = map[string]func(io.Writer, []explanation) error{
	"text": writeExplanations,
	"json": func(w io.Writer, all []explanation) error { return encodeJSON(w, all) },
}

func newExplain() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain [flags] RULE...",
		Short: "Explain rules: why they exist, and how to fix a finding",
		Long: `Explain rules: what is wrong, why it matters, how to fix it, the sources of the rule, and an example
that breaks it, with its fix. Each RULE is an ID, such as MK118, as shown in findings.

The exit code is 0, or 2 if a rule does not exist or the command line is wrong; then nothing is
written.`,
		Example: `  mixedkube explain MK118
  mixedkube explain --format json MK118 MK302`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			write := explaining[format]
			var errs []error
			if write == nil {
				errs = append(errs, fmt.Errorf("--format %s: %s", format,
					fielderrors.Unknown("format", format, slices.Sorted(maps.Keys(explaining)))))
			}
			if len(ids) == 0 {
				errs = append(errs, errors.New("nothing to explain: name at least one rule, for example MK118"))
			}
			all, err := explanations(ids)
			if err := errors.Join(append(errs, err)...); err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), all)
		},
		ValidArgsFunction: completeRules,
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `format`: text or json")
	completeFlag(cmd, "format", slices.Sorted(maps.Keys(explaining))...)
	return cmd
}

// completeRules completes the IDs of rules that are not on the command line yet, each with its title.
func completeRules(_ *cobra.Command, named []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	for _, r := range Rules() {
		if strings.HasPrefix(r.ID, strings.ToUpper(begun)) && !slices.Contains(named, r.ID) {
			found = append(found, cobra.CompletionWithDesc(r.ID, r.Title))
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// explanation is a rule as explain shows it. The keys of its JSON are stable: new ones may be added, none changes, and
// all are always present.
type explanation struct {
	ID       string        `json:"id"`
	Severity rule.Severity `json:"severity"`
	Title    string        `json:"title"`
	// Since and Until are the first and the last version of Kubernetes that the rule applies to, empty for no limit.
	Since string `json:"since"`
	Until string `json:"until"`
	// Mandatory is true if the rule cannot be ignored.
	Mandatory bool   `json:"mandatory"`
	Why       string `json:"why"`
	// URL is the address of the page that explains it.
	URL string `json:"url"`
	// Fix is the fix of the example's finding. It is empty if the rule has no example, or if the text of the finding
	// includes its fix.
	Fix string `json:"fix"`
	// Sources are the pages and files that the rule comes from.
	Sources []string          `json:"sources"`
	Example *examples.Example `json:"example"`
}

// explanations returns the rules with these IDs, in the same order.
func explanations(ids []string) ([]explanation, error) {
	rules := Rules()
	var errs []error
	all := []explanation{} // not null in JSON
	for _, id := range ids {
		r, found := rules.Find(strings.ToUpper(id))
		if !found {
			errs = append(errs, unknownRule(rules, id))
			continue
		}
		e := explanation{
			ID: r.ID, Severity: r.Severity, Title: r.Title, Since: r.Since, Until: r.Until, Mandatory: r.Mandatory,
			Why: r.Reason, URL: rule.URL(r.ID), Sources: sourcesOf(r),
		}
		shown, err := exampleOf(r.ID)
		if err != nil {
			errs = append(errs, err)
		}
		if shown != nil {
			e.Fix, e.Example = shown.Fix, shown
		}
		all = append(all, e)
	}
	return all, errors.Join(errs...)
}

// sourcesOf returns the sources of a rule, each once. The text after an address is a source of its own only if it is an
// address as well: the name of a function may follow a file.
func sourcesOf(r rule.Rule) []string {
	all := []string{} // not null in JSON
	for part := range strings.SplitSeq(r.Source, ", ") {
		switch {
		case part == "":
		case len(all) > 0 && !strings.HasPrefix(part, "https://"):
			all[len(all)-1] += ", " + part
		default:
			all = append(all, part)
		}
	}
	return all
}

// unknownRule suggests the nearest rule, unless the rule was removed. A list of all rules would not help.
func unknownRule(rules rule.Set, id string) error {
	if preflight.Withdrawn(strings.ToUpper(id)) {
		return fmt.Errorf("%s: this rule was removed: you can still ignore its ID, which no other rule gets", id)
	}
	if r, ok := rules.Find("MK" + id); ok {
		return fmt.Errorf("%s is not a rule: did you mean %s?", id, r.ID)
	}
	if near, ok := rules.Nearest(id); ok {
		return fmt.Errorf("%s is not a rule: did you mean %s?", id, near)
	}
	return fmt.Errorf("%s is not a rule: use an ID from %s", id, rule.URL(""))
}

func writeExplanations(w io.Writer, all []explanation) error {
	colors := colorsOf(w)
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = e.text(colors)
	}
	return printEscaped(w, strings.Join(texts, "\n"))
}

// width is the width of an explanation's text.
const width = 100

// text formats an explanation as text.
func (e explanation) text(c colors) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", c.bold(e.ID), c.severity(e.Severity, string(e.Severity)), e.Title)
	part := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n%s", c.bold(name+":"), indented(wrapped(text, width-2)))
		}
	}
	part("Why", e.Why)
	part("Versions of Kubernetes", e.versions())
	part("Fix", e.Fix)
	if e.Mandatory {
		part("Ignoring it", "not possible: the component relies on it")
	}
	part("Source", strings.Join(e.Sources, "\n"))
	part("Documentation", e.URL)
	if x := e.Example; x != nil {
		part("Wrong", x.Wrong)
		part("On this cluster", x.Topology)
		part("With this plan (--to)", x.Plan)
		part("With this in mixedkube.images.yaml", x.Images)
		fmt.Fprintf(&b, "\n%s\n%s", c.bold("Finding:"), indented(strings.Join(x.Findings, "\n")))
		part("Right", x.Right)
	}
	return b.String()
}

func (e explanation) versions() string {
	switch {
	case e.Since != "" && e.Until != "":
		return e.Since + " to " + e.Until
	case e.Since != "":
		return "from " + e.Since + " on"
	case e.Until != "":
		return "up to " + e.Until
	default:
		return ""
	}
}

// indented indents each line that is not empty.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if line != "" {
			b.WriteString("  " + line)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// wrapped breaks a text of one line at spaces. A text of several lines stays unchanged.
func wrapped(text string, width int) string {
	if strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		length := len([]rune(word))
		switch {
		case i == 0:
		case column+1+length > width:
			b.WriteString("\n")
			column = 0
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

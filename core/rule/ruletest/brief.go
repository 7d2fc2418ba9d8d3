package ruletest

import (
	"regexp"

	"github.com/mixedkube/mixedkube/core/rule"
)

// Brief returns a finding without its sentences: the path and the rule. Tests of what handles findings
// compare it, so that only the rule's own test and pages have its sentences. A finding without a rule stays whole.
func Brief(f rule.Finding) string {
	if f.Rule == "" {
		return f.String()
	}
	return f.Path + " (" + f.Rule + ")"
}

// sentences finds what a rule says in a line: all from the path, which follows the severity, a component, or the
// indentation and an object in a file, to the ID.
var sentences = regexp.MustCompile(`(?m)^((?:(?:.*?: |[ \t]*)(?:error|warning|info)(?: \([^)\n]*\))?: (?:ignored: )?` +
	`(?:\S+: \w+/\S+: )?|(?:.*: )?\w+:\w+:\w+ "[^"\n]*": |[ \t]+(?:\S+: \w+/\S+: )?)[^ "\n]+?:) .* (\(MK\d+\).*)$`)

// WithoutSentences removes the sentences of rules from a text of the command or of Pulumi: what is wrong, the value and
// the fix. The path and the ID stay.
func WithoutSentences(text string) string { return sentences.ReplaceAllString(text, "$1 … $2") }

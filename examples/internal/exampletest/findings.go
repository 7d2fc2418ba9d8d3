package exampletest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

var (
	// ruleOf matches the ID at the end of a finding.
	ruleOf = regexp.MustCompile(`\((MK\d+)\)$`)
	// reasons matches the comments with the reasons why rules are suppressed.
	reasons = regexp.MustCompile(`(?m)^\s*// (MK\d+): \S`)
)

// problems returns the findings in the log of the guard that the program does not ignore,
// the suppressed findings without a reason, and the reasons without a suppressed finding.
func problems(logs []mocktest.Log, program string) []string {
	explained := map[string]bool{}
	for _, comment := range reasons.FindAllStringSubmatch(program, -1) {
		explained[comment[1]] = false
	}
	var out []string
	for _, log := range logs {
		finding, suppressed := strings.CutPrefix(log.Message, "ignored: ")
		rule := ruleOf.FindStringSubmatch(finding)
		if rule == nil && log.Severity == "info" {
			continue // where the pods can land, for example
		}
		// A quickstart shows its readers that everyone can connect to the API server.
		if !suppressed && log.Severity == "info" && (rule[1] == "MK668" || rule[1] == "MK770") {
			continue
		}
		if !suppressed || rule == nil {
			out = append(out, fmt.Sprintf("%s: %s", log.Severity, log.Message))
			continue
		}
		if _, ok := explained[rule[1]]; !ok {
			out = append(out, fmt.Sprintf("%s is suppressed, but no comment in main.go begins with %q and a reason",
				rule[1], rule[1]+": "))
		}
		explained[rule[1]] = true
	}
	for rule, found := range explained {
		if !found {
			out = append(out, fmt.Sprintf("a comment in main.go explains why %s is suppressed, but nothing violates it",
				rule))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

package rule

import "github.com/mixedkube/mixedkube/internal/core/rule/rulepages"

// repository is where the pages of the rules are published.
const repository = "https://github.com/mixedkube/mixedkube/blob/main/"

// URL returns the address of the documentation of the rule of an ID: for "MK118",
// https://github.com/mixedkube/mixedkube/blob/main/docs/rules/security.md#mk118. If no rule has the ID, it is
// the address of the list of all rules.
func URL(id string) string { return repository + rulepages.Dir + "/" + rulepages.Link(id) }

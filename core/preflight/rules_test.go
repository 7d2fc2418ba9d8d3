package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", preflight.Rules())
}

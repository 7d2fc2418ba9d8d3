package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/rule/ruletest"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", preflight.Rules())
}

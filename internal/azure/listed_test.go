package azure_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/azure"
	"github.com/mixedkube/mixedkube/internal/ruletest"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", azure.Rules())
}

package bootstrap

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

// policy returns an audit policy with rules.
func policy(rules string) APIServerOptions {
	return APIServerOptions{Audit: Audit{Policy: "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n" + rules}}
}

func TestInvalidOptionsOfTheAPIServer(t *testing.T) {
	t.Parallel()
	for name, tt := range casetest.Cases[struct {
		Options APIServerOptions
		// Rules are the rules of an audit policy.
		Rules string
		Want  string
	}](t, "testdata/apiserver-options") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.Rules != "" {
				tt.Options.Audit.Policy = policy(tt.Rules).Audit.Policy
			}
			got := lines(tt.Options.Validate(field.NewPath("apiServer")))
			if diff := cmp.Diff(strings.TrimSpace(tt.Want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// lines are errors, sorted.
func lines(errs field.ErrorList) string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

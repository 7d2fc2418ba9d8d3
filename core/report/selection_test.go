package report_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/report"
)

// A map has another order in each run.
const runs = 50

func TestErrorsOfSelectionsHaveOneOrder(t *testing.T) {
	t.Parallel()
	selections := []report.Selection{
		{Namespaces: []string{"shop", ""}, Resources: []string{""}},
		{},
		{Namespaces: []string{"shop"}, Resources: []string{"**", ""}},
	}
	want := []string{
		"only[0].namespaces[1]: Required value: an empty pattern matches nothing",
		"only[0].resources[0]: Required value: an empty pattern matches nothing",
		"only[1]: Required value: set namespaces or resources",
		"only[2].resources[1]: Required value: an empty pattern matches nothing",
	}
	for range runs {
		var got []string
		for _, err := range report.ValidateSelections(field.NewPath("only"), selections) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

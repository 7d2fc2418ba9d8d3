package refusal_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

var (
	needed  = rule.Rule{ID: "MK640", Severity: rule.Error, Mandatory: true}
	unusual = rule.Rule{ID: "MK641", Severity: rule.Error}
	unwise  = rule.Rule{ID: "MK952", Severity: rule.Warning}
)

func TestSift(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ignored []string
		errs    field.ErrorList
		want    string
		rest    []string
	}{
		"nothing is ignored": {
			nil,
			field.ErrorList{field.Required(field.NewPath("group"), "say which")},
			"C \"c\":\n  count: 2: even (MK641)\n  group: Required value: say which\n  name: missing (MK640)",
			[]string{"false size: small (MK952)"},
		},
		"an error and a warning are": {
			[]string{"MK641", "MK952"},
			nil, "C \"c\": name: missing (MK640)",
			[]string{"true count: 2: even (MK641)", "true size: small (MK952)"},
		},
		"a rule that cannot be ignored": {
			[]string{"MK641", "MK640"},
			nil,
			`C "c": ignore[1]: Invalid value: "MK640": the component relies on this rule: remove it`,
			[]string{"true count: 2: even (MK641)", "true name: missing (MK640)", "false size: small (MK952)"},
		},
		"what is not a rule": {
			[]string{"MK651", "tree"},
			nil,
			"C \"c\":\n  count: 2: even (MK641)\n" +
				"  ignore[0]: Invalid value: \"MK651\": is not a rule: remove it, or did you mean MK641?\n" +
				"  ignore[1]: Invalid value: \"tree\": is not a rule: remove it\n  name: missing (MK640)",
			[]string{"false size: small (MK952)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found rule.Findings
			found.Report(unusual, rule.Problem{Path: "count", Value: 2, Detail: "even"})
			found.Report(needed, rule.Problem{Path: "name", Detail: "missing"})
			found.Report(unwise, rule.Problem{Path: "size", Detail: "small"})
			rest, err := refusal.Sift(`C "c"`, rule.NewSet(needed, unusual, unwise), tt.ignored, found, tt.errs)
			if err == nil || err.Error() != tt.want {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
			var got []string
			for _, f := range rest {
				got = append(got, fmt.Sprintf("%t %s", f.Suppressed, f))
			}
			if diff := cmp.Diff(tt.rest, got); diff != "" {
				t.Errorf("the rest (-want +got):\n%s", diff)
			}
			if _, ok := errors.AsType[*field.Error](err); !ok {
				t.Errorf("%v wraps no field error", err)
			}
		})
	}
	if _, err := refusal.Sift("c", rule.NewSet(unwise), []string{"MK952"}, nil, nil); err != nil {
		t.Error(err)
	}
}

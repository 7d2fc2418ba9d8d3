package refusal_test

import (
	"slices"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

func TestCheckedList(t *testing.T) {
	t.Parallel()
	office := func(texts []string) []rule.Finding {
		var found rule.Findings
		for _, text := range texts {
			if text == "office" {
				found.Report(unusual, rule.Problem{Path: "ranges", Value: text, Detail: "not a range"})
			}
		}
		return found
	}
	list := func(texts ...string) pulumi.StringArrayOutput {
		return pulumi.ToStringArray(texts).ToStringArrayOutput()
	}
	for name, tt := range map[string]struct {
		in      pulumi.StringArrayOutput
		ignored []string
		want    []string
		known   bool
		wrong   string
	}{
		"right":     {list("10.0.0.0/8"), nil, []string{"10.0.0.0/8"}, true, ""},
		"not known": {mocktest.Unknown[pulumi.StringArrayOutput](), nil, nil, false, ""},
		"wrong": {
			list("10.0.0.0/8", "office"), nil, nil, true, `C "c": ranges: "office": not a range (MK641)`,
		},
		"wrong, and it may be": {list("office"), []string{"MK641"}, []string{"office"}, true, ""},
		"empty": {
			list(), nil, nil, true,
			`C "c": ranges: Required value: turns out to be empty: leave it out if that is right`,
		},
		"a secret that is wrong": {
			pulumi.ToSecret(list("office")).(pulumi.StringArrayOutput), nil, nil, true,
			`C "c": ranges: is not valid; the values are secrets`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := refusal.CheckedList(`C "c"`, rule.NewSet(unusual), tt.ignored, field.NewPath("ranges"), tt.in,
				office)
			result, err := internals.UnsafeAwaitOutput(t.Context(), checked)
			if tt.wrong != "" {
				if err == nil || err.Error() != tt.wrong {
					t.Errorf("%v, want %s", err, tt.wrong)
				}
				return
			}
			got, _ := result.Value.([]string)
			if err != nil || result.Known != tt.known || !slices.Equal(got, tt.want) {
				t.Errorf("%q (known: %t), %v, want %q (known: %t)", got, result.Known, err, tt.want, tt.known)
			}
		})
	}
}

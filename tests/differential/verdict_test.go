package differential

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// verdict is one reason to refuse an object.
type verdict struct {
	Path   string          `json:"field"`
	Type   field.ErrorType `json:"type"`
	Detail string          `json:"detail"`
}

func (v verdict) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", v.Path, v.Type, v.Detail), ": ")
}

func compareVerdicts(a, b verdict) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail))
}

// difference lists the verdicts that only one of the two sides gives. A verdict that both sides give, but one of them
// more often, is listed for that side.
type difference struct {
	oracle, preflight []verdict
}

func compare(oracle, preflight []verdict) difference {
	var d difference
	left := slices.SortedFunc(slices.Values(oracle), compareVerdicts)
	right := slices.SortedFunc(slices.Values(preflight), compareVerdicts)
	for len(left) > 0 || len(right) > 0 {
		switch {
		case len(right) == 0 || len(left) > 0 && compareVerdicts(left[0], right[0]) < 0:
			d.oracle, left = append(d.oracle, left[0]), left[1:]
		case len(left) == 0 || compareVerdicts(left[0], right[0]) > 0:
			d.preflight, right = append(d.preflight, right[0]), right[1:]
		default:
			left, right = left[1:], right[1:]
		}
	}
	return d
}

func (d difference) empty() bool { return len(d.oracle) == 0 && len(d.preflight) == 0 }

// partOf reports whether whole has all verdicts of d on the same side. It ignores paths, because a path changes if an
// element before it is removed.
func (d difference) partOf(whole difference) bool {
	in := func(some, all []verdict) bool {
		return !slices.ContainsFunc(some, func(a verdict) bool {
			return !slices.ContainsFunc(all, func(b verdict) bool { return a.Type == b.Type && a.Detail == b.Detail })
		})
	}
	return in(d.oracle, whole.oracle) && in(d.preflight, whole.preflight)
}

func (d difference) String() string {
	var b strings.Builder
	for _, v := range d.oracle {
		fmt.Fprintf(&b, "\n  only the API server: %s", v)
	}
	for _, v := range d.preflight {
		fmt.Fprintf(&b, "\n  only preflight:      %s", v)
	}
	return b.String()
}

func TestVerdictsOfOnlyOneSideAreTheDifference(t *testing.T) {
	t.Parallel()
	a, b, c := verdict{"spec.a", field.ErrorTypeForbidden, "no"}, verdict{"spec.b", field.ErrorTypeForbidden, "no"},
		verdict{"spec.b", field.ErrorTypeInvalid, "no"}
	for _, test := range []struct {
		name              string
		oracle, preflight []verdict
		want              string
	}{
		{"nothing", nil, nil, ""},
		{"the same in another order", []verdict{a, b}, []verdict{b, a}, ""},
		{"one too few", []verdict{b, a}, []verdict{a}, "\n  only the API server: spec.b: Forbidden: no"},
		{"one too many", []verdict{a}, []verdict{b, a}, "\n  only preflight:      spec.b: Forbidden: no"},
		{"twice", []verdict{a}, []verdict{a, a}, "\n  only preflight:      spec.a: Forbidden: no"},
		{
			"another type",
			[]verdict{b},
			[]verdict{c},
			"\n  only the API server: spec.b: Forbidden: no\n  only preflight:      spec.b: Invalid value: no",
		},
	} {
		d := compare(test.oracle, test.preflight)
		if got := d.String(); got != test.want || d.empty() != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDifferencesMatchAtOtherPaths(t *testing.T) {
	t.Parallel()
	first, second := verdict{"spec.containers[0]", "t", "d"}, verdict{"spec.containers[1]", "t", "d"}
	other := verdict{"spec.containers[1]", "t", "other"}
	whole := difference{oracle: []verdict{second, other}}
	for _, test := range []struct {
		name string
		part difference
		want bool
	}{
		{"at another index", difference{oracle: []verdict{first}}, true},
		{"on the other side", difference{preflight: []verdict{second}}, false},
		{"with more", difference{oracle: []verdict{second, {"spec", "t", "more"}}}, false},
	} {
		if got := test.part.partOf(whole); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

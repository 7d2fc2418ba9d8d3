package components_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var reasonsOf = map[string]string{}

// reasons numbers the reasons that are used.
type reasons struct {
	numbers map[string]int
	used    map[string]bool
}

func newReasons() *reasons { return &reasons{map[string]int{}, map[string]bool{}} }

var inputType = reflect.TypeFor[pulumi.Input]()

// plain are the fields of arguments that cannot be outputs, each with the number of the reason.
func (r *reasons) plain(t *testing.T, args reflect.Type, path string) []string {
	t.Helper()
	var plain []string
	for field := range args.Fields() {
		at := path + field.Name
		switch {
		case !field.IsExported() || field.Type.Implements(inputType):
		case field.Anonymous:
			plain = append(plain, r.plain(t, field.Type, path)...)
		default:
			if reason, ok := r.reason(args, field); ok {
				plain = append(plain, fmt.Sprintf("`%s` (%d)", at, reason))
			} else if isOurs(field.Type) {
				plain = append(plain, r.plain(t, field.Type, at+".")...)
			} else {
				t.Errorf("%s.%s (%s) is no pulumi.Input, and reasonsOf does not say why", args, field.Name, field.Type)
			}
		}
	}
	return plain
}

// isOurs says whether a type is a struct of arguments of this library.
func isOurs(typ reflect.Type) bool {
	return typ.Kind() == reflect.Struct && strings.HasPrefix(typ.PkgPath(), "github.com/mixedkube/")
}

// reason is the number of the reason for a field: one of its own, one of its type, or one of all fields
// of its name.
func (r *reasons) reason(args reflect.Type, field reflect.StructField) (int, bool) {
	for _, key := range []string{args.String() + "." + field.Name, "type " + field.Type.String(), field.Name} {
		reason, ok := reasonsOf[key]
		if !ok {
			continue
		}
		r.used[key] = true
		if r.numbers[reason] == 0 {
			r.numbers[reason] = len(r.numbers) + 1
		}
		return r.numbers[reason], true
	}
	return 0, false
}

// list are the reasons by their numbers.
func (r *reasons) list(t *testing.T) string {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(reasonsOf)) {
		if !r.used[key] {
			t.Errorf("reasonsOf[%q] is about no plain input any more: remove it", key)
		}
	}
	byNumber := slices.SortedFunc(maps.Keys(r.numbers), func(a, b string) int { return r.numbers[a] - r.numbers[b] })
	var b strings.Builder
	for i, reason := range byNumber {
		fmt.Fprintf(&b, "%d. %s\n", i+1, reason)
	}
	return b.String()
}

package structure

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestTheTableHasTheTypesOfKubernetes compares the table of preflight's package structure with
// the Go types of the version of k8s.io/api that go.mod requires. If that version is newer, the
// table must be generated again.
func TestTheTableHasTheTypesOfKubernetes(t *testing.T) {
	t.Parallel()
	required, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	check(t, err)
	minor := regexp.MustCompile(`k8s\.io/api v0\.(\d+)\.`).FindSubmatch(required)
	kinds, listed := readTable(t)
	if minor == nil || listed["minors"]["newest"] != string(minor[1]) {
		t.Fatalf("the table ends with 1.%s, but go.mod requires %s: make generate", listed["minors"]["newest"], minor)
	}
	typed := described{}
	for kind, name := range kinds {
		version, name, _ := strings.Cut(kind+" "+name, " ")
		name, _, _ = strings.Cut(name, " ")
		parsed, err := schema.ParseGroupVersion(version)
		check(t, err)
		object, err := scheme.Scheme.New(parsed.WithKind(name))
		if runtime.IsNotRegisteredError(err) {
			if byHand[kind] == "" {
				t.Errorf("k8s.io/api has no %s", kind)
			}
			continue
		}
		check(t, err)
		typed.add(reflect.TypeOf(object).Elem())
	}
	if len(typed) < 500 {
		t.Errorf("compared only %d types", len(typed))
	}
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		if diff := cmp.Diff(typed[name], listed[name]); diff != "" {
			t.Errorf("%s differs (-k8s.io/api +table.txt):\n%s", name, diff)
		}
	}
}

// readTable reads the kinds of the table, with their types, and the fields of each type, except the
// kinds and fields that the newest version no longer has.
func readTable(tb testing.TB) (kinds map[string]string, types map[string]map[string]string) {
	tb.Helper()
	text, err := os.ReadFile(filepath.FromSlash(tableFile))
	if err != nil {
		tb.Fatal(err)
	}
	kinds, types = map[string]string{}, map[string]map[string]string{}
	var fields map[string]string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		removed := false
		if last := words[len(words)-1]; strings.Contains(last, "-") {
			removed = words[0] != "minors" && !strings.HasSuffix(last, "-")
		}
		switch {
		case fields == nil && words[0] == "minors":
			_, newest, _ := strings.Cut(words[1], "-")
			types["minors"] = map[string]string{"newest": newest}
		case fields == nil && words[0] == "kind":
			if !removed {
				kinds[words[1]+" "+words[2]] = words[3]
			}
		case words[0] == "type" && len(words) == 2 && strings.Contains(words[1], "."):
			fields = map[string]string{}
			types[words[1]] = fields
		case !removed:
			fields[words[0]] = words[1]
		}
	}
	return kinds, types
}

// described has the fields of Go types, by the names of the types in the table.
type described map[string]map[string]string

func (d described) add(t reflect.Type) {
	name := nameOf(t)
	if d[name] != nil {
		return
	}
	d[name] = map[string]string{}
	d.fields(d[name], t)
}

func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(parts[len(parts)-2:], ".") + "." + t.Name()
}

func (d described) fields(into map[string]string, t reflect.Type) {
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case strings.Contains(options, "inline") || field.Anonymous && name == "":
			d.fields(into, field.Type)
		default:
			into[name] = d.form(field.Type)
		}
	}
}

var leaves = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity](): "quantity", reflect.TypeFor[intstr.IntOrString](): "intOrString",
	reflect.TypeFor[metav1.Time](): "time", reflect.TypeFor[metav1.MicroTime](): "microTime",
	reflect.TypeFor[metav1.FieldsV1](): "any", reflect.TypeFor[runtime.RawExtension](): "any",
	reflect.TypeFor[[]byte](): "bytes",
}

func (d described) form(t reflect.Type) string {
	if leaf, ok := leaves[t]; ok {
		return leaf
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.form(t.Elem())
	case reflect.Slice:
		return "[]" + d.form(t.Elem())
	case reflect.Map:
		return "{}" + d.form(t.Elem())
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			return fmt.Sprintf("%s, which reads JSON itself", t)
		}
		d.add(t)
		return nameOf(t)
	default:
		return t.Kind().String()
	}
}

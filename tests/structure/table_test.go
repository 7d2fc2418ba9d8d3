package structure

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestTheTableHasTheTypesOfKubernetes compares the table of preflight's package structure with
// the Go types of the version of k8s.io/api that go.mod requires, which may be older than the newest one in the table.
func TestTheTableHasTheTypesOfKubernetes(t *testing.T) {
	t.Parallel()
	kinds, listed := readTable(t, required(t))
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
		if diff := gocmp.Diff(typed[name], listed[name]); diff != "" {
			t.Errorf("%s differs (-k8s.io/api +table.txt):\n%s", name, diff)
		}
	}
}

// required returns the minor version of k8s.io/api that go.mod requires.
func required(tb testing.TB) int {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		tb.Fatal(err)
	}
	match := regexp.MustCompile(`k8s\.io/api v0\.(\d+)\.`).FindSubmatch(text)
	if match == nil {
		tb.Fatal("go.mod does not require k8s.io/api")
	}
	minor, err := strconv.Atoi(string(match[1]))
	if err != nil {
		tb.Fatal(err)
	}
	return minor
}

// readTable reads the kinds that the table has for a minor version, with their types, and the fields of each type.
func readTable(tb testing.TB, minor int) (kinds map[string]string, types map[string]map[string]string) {
	tb.Helper()
	text, err := os.ReadFile(filepath.FromSlash(tableFile))
	if err != nil {
		tb.Fatal(err)
	}
	kinds, types = map[string]string{}, map[string]map[string]string{}
	var fields map[string]string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		first, last, ranged := strings.Cut(words[len(words)-1], "-")
		has := !ranged || within(tb, minor, first, last)
		switch {
		case fields == nil && words[0] == "minors":
			if !has {
				tb.Fatalf("the table has the versions %s, but go.mod requires 1.%d: make generate", words[1], minor)
			}
		case fields == nil && words[0] == "kind":
			if has {
				kinds[words[1]+" "+words[2]] = words[3]
			}
		case words[0] == "type" && len(words) == 2 && strings.Contains(words[1], "."):
			fields = map[string]string{}
			types[words[1]] = fields
		case has:
			fields[words[0]] = words[1]
		}
	}
	return kinds, types
}

// within reports whether a range of minor versions has one. An empty end is open.
func within(tb testing.TB, minor int, first, last string) bool {
	tb.Helper()
	number := func(digits string) int {
		n, err := strconv.Atoi(cmp.Or(digits, strconv.Itoa(minor)))
		if err != nil {
			tb.Fatal(err)
		}
		return n
	}
	return number(first) <= minor && minor <= number(last)
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

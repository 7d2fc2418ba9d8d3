package placeholder_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"${X}": true, "shop:${X}": true, "$X": true, "$(X)": true, "$": false, "US$5": false,
		"{{ .x }}": true, "{% x %}": true, "<%= x %>": true, "{{": false,
		"<x>": true, "<your name>": true, "a < b > c": false, "<1>": false,
		"<nil>": false, "a:<no value>": false, "<x>:<nil>": true,
		"%X%": true, "a%X%b": true, "100%": false, "%20%": false,
		"@X@": true, "a@b": false, "shop@sha256:12@": false,
		"#x#": true, "#": false, "~x~": true, "a~1~": false, "$[variables.x]": true, "__X__": true, "a__b": false,
		"[x]": true, "a/[your name]/b": true, "##vso[task.complete]a": false, "[::1]": false, "a[0]": false,
		"{a}/{b}": true, "{1}": false, `{"a": 1}`: false,
		"[[ .x ]]": true, "((x))": true, "(replicas > 0)": true, "a(b)": false, "%(x)s": true, "shop:%s": true,
		`%CONTAINER_SANDBOX_MOUNT_POINT%\a`: false,
		"":                                  false, "shop": false, "SHOP": false,
		"{{" + strings.Repeat("a", 996) + "}}": true,
		"{{" + strings.Repeat("a", 997) + "}}": false,
	} {
		if got := placeholder.In(text); got != want {
			t.Errorf("%.40q: %t, want %t", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"AUTOMATIC_REPLACE": true, "REPLACE_ME": true, "PLACEHOLDER_X": true, "YOUR-PORT-2": true, "A_1": true,
		"CHANGEME": true, "changeme": true, "change-me": true, "Fill_Me": true, "placeholder": true, "TODO": true,
		"XXX": true, "...": true, "??": true, "XX": false, "xxxy": false,
		"TRUE": false, "YES": false, "A_": false, "_A": false, "1_A": false, "-1": false, "Replace_It": false,
		"change-me-not": false, "HTTP": false, "replicas": false, "": false,
	} {
		if got := placeholder.Word(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestWordsInNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"backup-TIMESTAMP": true, "APP": true, "APP_NAME-web": true, "a.HOST.b": true, "changeme": true,
		"a-BC": false, "Shop": false, "shopAPP": false, "order_service": false, "": false,
	} {
		if got := placeholder.InName(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}

func TestPlaceholdersWithoutQuotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value any
		want  string
	}{
		{[]any{"your name"}, "[your name]"},
		{[]any{"x"}, ""},
		{[]any{"x", "y"}, ""},
		{[]any{int64(1)}, ""},
		{map[string]any{"x": nil}, "{x}"},
		{map[string]any{"x": "y"}, ""},
		{map[string]any{"x": nil, "y": nil}, ""},
		{"[x]", ""},
	} {
		text, is := placeholder.Unquoted(tt.value)
		if is != (tt.want != "") || is && text != tt.want {
			t.Errorf("%v: %q, %t, want %q", tt.value, text, is, tt.want)
		}
	}
}

func TestPlaceholdersAreUnknown(t *testing.T) {
	t.Parallel()
	pod := func(image any) map[string]any {
		return map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"annotations": map[string]any{"a": "<x>"}},
			"spec": map[string]any{"containers": []any{
				map[string]any{"image": "b", "args": []any{"<x>"}}, map[string]any{"image": image, "env": "${X}"},
			}},
		}
	}
	object := pod("shop:${X}")
	known, found := placeholder.Without(object)
	if diff := cmp.Diff(pod(tree.Unknown{}), known); diff != "" || !found {
		t.Errorf("found: %t (-want +got):\n%s", found, diff)
	}
	if diff := cmp.Diff(pod("shop:${X}"), object); diff != "" {
		t.Errorf("the object has changed (-want +got):\n%s", diff)
	}
	for _, object := range []map[string]any{
		pod("shop"),
		{"kind": "ConfigMap", "data": map[string]any{"a": "${X}"}},
		{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "spec": map[string]any{"a": "{{x}}"}},
	} {
		if same, found := placeholder.Without(object); found || !cmp.Equal(same, object) {
			t.Errorf("%v: found: %t", object, found)
		}
	}
	rollout := map[string]any{
		"apiVersion": "argoproj.io/v1alpha1",
		"kind":       "Rollout",
		"spec":       map[string]any{"a": "{{x}}"},
	}
	if _, found := placeholder.Without(rollout); !found {
		t.Error("nothing is found in a Rollout")
	}
}

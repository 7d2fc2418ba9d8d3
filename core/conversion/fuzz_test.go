package conversion_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// FuzzConvert checks properties that hold for every text: no panic, only additions, and no further additions when the
// result is converted again.
func FuzzConvert(f *testing.F) {
	inputs, err := filepath.Glob("testdata/*.input.yaml")
	if err != nil || len(inputs) == 0 {
		f.Fatalf("%d files, %v", len(inputs), err)
	}
	for _, name := range inputs {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
		f.Add(append([]byte("\uFEFF"), text...))
		for document := range strings.SplitSeq(string(text), "---") {
			f.Add([]byte(document))
		}
	}
	f.Add(
		[]byte(
			"kind: Pod\napiVersion: v1\nspec:\n  a: 'b\n\n    c'\n  \"tolerations\" : # x\n    - {}\n  os: {name: " +
				"windows}",
		),
	)
	for _, list := range commented {
		f.Add(windowsPod(list))
	}
	options := conversion.Options{
		Topology:    cluster(true, platform.WindowsServer2019, platform.WindowsServer2022),
		AssumeLinux: true,
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		result, errs := conversion.Convert([]conversion.File{{Name: "a.yaml", Text: text}}, options)
		if len(errs) > 0 {
			return
		}
		out := result.Files[0]
		if out.Changed() == bytes.Equal(out.Text, text) {
			t.Errorf("changed is %t:\n%s\n----\n%s", out.Changed(), text, out.Text)
		}
		if unchanged := unrelatedLines(string(text), string(out.Text)); !unchanged {
			t.Errorf("a line is lost or changed:\n%s\n----\n%s", text, out.Text)
		}
		if diff := cmp.Diff(comments(text), comments(out.Text)); diff != "" {
			t.Errorf("the comments (-before +after):\n%s\n%s\n----\n%s", diff, text, out.Text)
		}
		again, errs := conversion.Convert(result.Files, options)
		if len(errs) > 0 {
			t.Fatalf("converted again: %v\n%s", errs, out.Text)
		}
		if again.Files[0].Changed() {
			t.Errorf("converted again it is another text:\n%s\n----\n%s", out.Text, again.Files[0].Text)
		}
	})
}

// unrelatedLines reports whether all lines are unchanged and in their order, except for lines that got an addition in
// brackets, which still have all their words.
func unrelatedLines(before, after string) bool {
	rest := after
	for _, b := range []byte(strings.NewReplacer("null", "", "Null", "", "NULL", "", "~", "").Replace(before)) {
		i := strings.IndexByte(rest, b)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// comments returns the comments of a text, sorted: the rests of lines that begin with # and do not mean anything.
func comments(file []byte) []string {
	text, _ := manifests.Decode(file)
	if bytes.Count(text, []byte("#")) > 40 {
		return nil // it would take long
	}
	values := func(text []byte) (values []any) {
		docs, err := manifests.ReadYAML(bytes.NewReader(text), "a.yaml")
		if err != nil {
			return []any{err}
		}
		for _, doc := range docs {
			values = append(values, doc.Value)
		}
		return values
	}
	want := values(text)
	var all []string
	for at := 0; at < len(text); at++ {
		if text[at] != '#' {
			continue
		}
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		comment := strings.TrimSuffix(string(text[at:end]), "\r")
		another := slices.Concat(text[:at], []byte("#not "+comment), text[at+len(comment):])
		if reflect.DeepEqual(want, values(another)) {
			all = append(all, comment)
			at = end
		}
	}
	slices.Sort(all)
	return all
}

// commented are lists in brackets with comments.
var commented = []string{
	"[\n    {key: gpu, operator: Exists}, # gpu nodes\n  ]",
	"[\n    {key: gpu, operator: Exists} # gpu nodes\n  ]",
	"[\n    {key: gpu, operator: Exists},\n    # no more\n  ]",
	"[ # none yet\n  ]",
}

func windowsPod(tolerations string) []byte {
	return []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  os: {name: windows}\n  tolerations: " +
		tolerations + "\n  containers: []\n")
}

func TestCommentsInBracketsStay(t *testing.T) {
	t.Parallel()
	const added = "{effect: NoSchedule, key: os, operator: Equal, value: windows}"
	for i, want := range []string{
		"[\n    {key: gpu, operator: Exists}, # gpu nodes\n    " + added + ",\n  ]",
		"[\n    {key: gpu, operator: Exists}, # gpu nodes\n    " + added + "\n  ]",
		"[\n    {key: gpu, operator: Exists},\n    " + added + ",\n    # no more\n  ]",
		"[" + added + " # none yet\n  ]",
	} {
		result := convert(t, conversion.Options{Topology: cluster(true, platform.WindowsServer2022)},
			conversion.File{Name: "a.yaml", Text: windowsPod(commented[i])})
		want := strings.Replace(string(windowsPod(want)), "{name: a}\nspec:\n",
			`{annotations: {mixedkube.dev/placed: "release=windows-2022 nodeSelector=kubernetes.io/arch,`+
				`kubernetes.io/os,node.kubernetes.io/windows-build tolerations=os=windows:NoSchedule`+
				strings.Repeat(" empty=tolerations", i/3)+`"}, name: a}`+"\nspec:\n  nodeSelector:\n    "+
				"kubernetes.io/arch: amd64\n    kubernetes.io/os: windows\n    "+
				"node.kubernetes.io/windows-build: 10.0.20348\n", 1)
		if diff := cmp.Diff(want, string(result.Files[0].Text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", commented[i], diff)
		}
		if diff := cmp.Diff(comments(windowsPod(commented[i])), comments(result.Files[0].Text)); diff != "" {
			t.Errorf("the comments (-before +after):\n%s", diff)
		}
	}
}

func TestFuzzTestDetectsChangedComments(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"# [a, # b]", "#c"},
		comments([]byte("d: \"# e\" #c\r\nf: g#h\n# [a, # b]\n"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUTF16StaysUTF16(t *testing.T) {
	t.Parallel()
	encode := func(text string, big bool) []byte {
		out := []byte{0xFF, 0xFE}
		if big {
			out = []byte{0xFE, 0xFF}
		}
		for _, r := range text {
			if big {
				out = append(out, byte(r>>8), byte(r))
			} else {
				out = append(out, byte(r), byte(r>>8))
			}
		}
		return out
	}
	text := strings.ReplaceAll(deployment, "\n", "\r\n")
	want := strings.Replace(text, "    spec:\r\n",
		"    spec:\r\n      nodeSelector:\r\n        kubernetes.io/os: linux\r\n      os:\r\n        name: linux\r\n",
		1)
	for name, encode := range map[string]func(string) []byte{
		"little": func(s string) []byte { return encode(s, false) },
		"big":    func(s string) []byte { return encode(s, true) },
		"UTF-8":  func(s string) []byte { return []byte(s) },
		"marked": func(s string) []byte { return []byte("\uFEFF" + s) },
	} {
		result := convert(t, conversion.Options{Topology: cluster(true)},
			conversion.File{Name: "a.yaml", Text: encode(text)})
		if !bytes.Equal(result.Files[0].Text, encode(want)) {
			t.Errorf("%s: got %q", name, result.Files[0].Text)
		}
	}
}

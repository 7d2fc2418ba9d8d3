package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ages are the forms of values that become outdated. Each matches a whole string, except that a day can be in a sentence.
var ages = []struct {
	what string
	form *regexp.Regexp
}{
	{"an image", regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+/[^\s:@]+(:[\w.-]*\d|@sha256:)`)},
	{"a release", regexp.MustCompile(`^v?\d+\.\d+\.\d+([-+][\w.]+)?$`)},
	{"a day", regexp.MustCompile(`(^|[ (])20\d{2}-\d{2}-\d{2}($|[ .,:;)])`)},
	{"a hash", regexp.MustCompile(`^(.*sha256:)?[0-9a-f]{64}$`)},
}

// neverAges are strings of these forms that do not become outdated, and why.
var neverAges = map[string]string{
	"machines/bootstrap/network/cni.go 1.0.0": "the version of CNI's configuration that is written",
	"core/report/sarif.go 2.1.0":              "the version of SARIF that is written",
	"core/preflight/internal/rules/images/basetags.go Microsoft has published no tag latest for its base images " +
		"since 2019-04-16, because an image runs ": "the past",
	"internal/cli/policy.go 0.0.0": "the version of a policy pack that was built without one",
}

// isExamples reports whether a directory has examples of rules. Their values are inputs, as in tests.
func isExamples(name string) bool {
	return name == "internal/core/aks/examples" || name == "machines/kubeadm/examples"
}

// windowsBuild is the build of a release of Windows, which never changes.
var windowsBuild = regexp.MustCompile(`^10\.0\.\d{5}$`)

func TestAgingValuesAreInOnePlace(t *testing.T) {
	t.Parallel()
	watch(t)
	used := map[string]bool{}
	for _, dir := range slices.Concat(publicFloors, []string{"internal", "stacks", "."}) {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(root, path)
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (leftOut(dir, filepath.ToSlash(name)) || isExamples(filepath.ToSlash(name))):
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"),
				strings.HasPrefix(filepath.ToSlash(name), "internal/core/facts/"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, found := range aging(file) {
				key := filepath.ToSlash(name) + " " + found.text
				if used[key] = true; neverAges[key] == "" {
					t.Errorf("%s: %q is %s: declare it in internal/core/facts, with the day on which it was looked up",
						filepath.ToSlash(name), found.text, found.what)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range neverAges {
		if !used[key] {
			t.Errorf("%s no longer exists: remove it from neverAges", key)
		}
	}
}

// leftOut reports whether a directory has no defaults of the library: the nested modules, and the data
// of tests.
func leftOut(walked, name string) bool {
	switch name {
	case "internal/lab", "internal/azuresim", "internal/provider":
		return true
	}
	return filepath.Base(name) == "testdata" || walked == "." && name != "."
}

type agingText struct{ what, text string }

// aging returns the strings of a file that have one of the forms.
func aging(file *ast.File) []agingText {
	var found []agingText
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil || windowsBuild.MatchString(text) {
			return true
		}
		for _, age := range ages {
			if age.form.MatchString(text) {
				found = append(found, agingText{age.what, text})
				break
			}
		}
		return true
	})
	return found
}

func TestAging(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0a", 32)
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p

// The image ghcr.io/example/shop:1.2 is in a comment.
const (
	image    = "ghcr.io/example/shop:v1.2"
	digest   = "mcr.microsoft.com/oss/shop@sha256:`+hash+`"
	release  = "v1.36.1"
	plugin   = "1.9.1-flannel3"
	day      = "2029-10-09"
	sentence = "AKS supports it until 2029-10-09."
	time     = "write it as in RFC 3339, 2026-11-24T08:00:00Z for example"
	notes    = "https://example.com/releases/2026-06-19, and more"
	hash     = "`+hash+`"
	part     = ":v1.0.0@sha256:`+hash+`"
	build    = "10.0.26100"
	minor    = "1.36"
	message  = "must be a release, 2.3.6 for example"
	page     = "https://example.com/releases/v1"
	registry = "mcr.microsoft.com/windows/servercore"
	begin    = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-"
)
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []agingText{
		{"an image", "ghcr.io/example/shop:v1.2"},
		{"an image", "mcr.microsoft.com/oss/shop@sha256:" + hash},
		{"a release", "v1.36.1"},
		{"a release", "1.9.1-flannel3"},
		{"a day", "2029-10-09"},
		{"a day", "AKS supports it until 2029-10-09."},
		{"a hash", hash},
		{"a hash", ":v1.0.0@sha256:" + hash},
	}
	if diff := cmp.Diff(want, aging(file), cmp.AllowUnexported(agingText{})); diff != "" {
		t.Errorf("aging (-want +got):\n%s", diff)
	}
}

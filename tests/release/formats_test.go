package release

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/mixedkube/mixedkube/internal/cli"
)

// checked are manifests with all kinds of results: a violation of each rule, odd names, unreadable files,
// and files without findings.
var checked = map[string][]string{
	"each rule":     {"../../internal/core/preflight/examples"},
	"odd names":     {"../../internal/cli/testdata/check/control", "../../internal/cli/testdata/check/names"},
	"unreadable":    {"../../internal/cli/testdata/check/unreadable", "../../internal/cli/testdata/check/none.yaml"},
	"some are good": {"../../internal/cli/testdata/check/manifests"},
	"all are good":  {"../../internal/cli/testdata/check/manifests/classes"},
	"known": {
		"--baseline", "../../internal/cli/testdata/check/known.yaml", "../../internal/cli/testdata/check/manifests",
	},
}

// written returns the output of the command in a format.
func written(t *testing.T, format string, args []string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	command := []string{"check", "--topology", "../../internal/cli/testdata/topology.yaml", "--format", format}
	command = append(command, args...)
	if code := cli.Run(t.Context(), command, strings.NewReader(""), &out, &errs); out.Len() == 0 {
		t.Fatalf("%q: exit %d: %s", command, code, errs.String())
	}
	return out.Bytes()
}

// findings returns the findings of the command, from its output in JSON.
func findings(t *testing.T, args []string) []map[string]any {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal(written(t, "json", args), &list); err != nil {
		t.Fatal(err)
	}
	// An element without a rule says what a file is.
	return slices.DeleteFunc(list, func(f map[string]any) bool { return f["rule"] == "" })
}

// sarifSchema returns the schema of the standard, from the source of a module that includes it.
func sarifSchema(t *testing.T) string {
	t.Helper()
	const module = "github.com/owenrumney/go-sarif/v3"
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if one, err := strconv.Unquote(literal.Value); err == nil && len(one) > len(text) {
				text = one
			}
		}
		return true
	})
	const id = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	if !strings.Contains(text, `"id": "`+id+`"`) {
		t.Fatalf("%s: it has no schema with the id %s", name, id)
	}
	return text
}

// GitHub's code scanning accepts reports that match the schema of the standard. A module that reads SARIF
// finds one result for each finding.
func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.CompileString("sarif-schema-2.1.0.json", sarifSchema(t))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text []byte) error {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return err
		}
		return schema.Validate(value)
	}
	for name, args := range checked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := written(t, "sarif", args)
			if err := valid(text); err != nil {
				t.Errorf("%#v", err)
			}
			read, err := sarif.FromBytes(text)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := len(read.Runs[0].Results), len(findings(t, args)); got != want {
				t.Errorf("read %d results, want %d", got, want)
			}
		})
	}
	text := string(written(t, "sarif", checked["some are good"]))
	for replaced, by := range map[string]string{
		`"level": "error"`: `"level": "fatal"`, `"ruleId":`: `"rule":`, `"startLine": `: `"startLine": -`,
		`"message":`: `"notes":`, `"version": "2.1.0"`: `"version": "2.0.0"`, `"locations": [`: `"locations": [1, `,
	} {
		wrong := strings.Replace(text, replaced, by, 1)
		if err := valid([]byte(wrong)); wrong == text || !errors.As(err, new(*jsonschema.ValidationError)) {
			t.Errorf("%s instead of %s: want a validation error, got %v", by, replaced, err)
		}
	}
}

// GitLab's documentation lists the required properties of an issue, and the severities:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format. GitLab treats two issues with
// the same fingerprint as one, and shows only paths of the repository.
func TestCodeQualityHasTheFieldsThatGitLabRequires(t *testing.T) {
	t.Parallel()
	for name, args := range checked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var issues []map[string]any
			if err := json.Unmarshal(written(t, "gitlab", args), &issues); err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			unreadable := 0
			for i, issue := range issues {
				for _, wrong := range issueFindings(issue, seen) {
					t.Errorf("issue %d: %s", i, wrong)
				}
				if issue["check_name"] == "unreadable" {
					unreadable++
				}
			}
			loud := slices.DeleteFunc(findings(t, args), func(f map[string]any) bool { return f["suppressed"] == true })
			if got := len(issues) - unreadable; got != len(loud) {
				t.Errorf("%d issues are about findings, want %d", got, len(loud))
			}
		})
	}
	const good = `{"description": "a", "check_name": "b", "fingerprint": "c", "severity": "info",` +
		` "location": {"path": "p", "lines": {"begin": 1}}}`
	for wrong, replaced := range map[string]string{
		`"d": "a"`: `"description": "a"`, `"check_name": 1`: `"check_name": "b"`, `: ""`: `: "c"`,
		`"fingerprint": "seen"`: `"fingerprint": "c"`, `"error"`: `"info"`, `"/p"`: `"p"`, `"./p"`: `"p"`, `""`: `"p"`,
		`"lines": {}`: `"lines": {"begin": 1}`, `"begin": 0`: `"begin": 1`,
	} {
		text := strings.Replace(good, replaced, wrong, 1)
		var one map[string]any
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			t.Fatal(err)
		}
		if found := issueFindings(one, map[string]bool{"seen": true}); len(found) != 1 {
			t.Errorf("%s has the problems %q, want one", text, found)
		}
	}
}

// issueFindings returns the reasons why GitLab would not accept an issue.
func issueFindings(issue map[string]any, seen map[string]bool) []string {
	var wrong []string
	for _, key := range []string{"description", "check_name", "fingerprint", "severity"} {
		if text, _ := issue[key].(string); text == "" {
			wrong = append(wrong, key+" is missing")
		}
	}
	severity, _ := issue["severity"].(string)
	if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, severity) {
		wrong = append(wrong, severity+" is not a valid severity")
	}
	fingerprint, _ := issue["fingerprint"].(string)
	if seen[fingerprint] {
		wrong = append(wrong, "another issue has the same fingerprint: "+fingerprint)
	}
	seen[fingerprint] = true
	location, _ := issue["location"].(map[string]any)
	name, _ := location["path"].(string)
	if name == "" || path.IsAbs(name) || path.Clean(name) != name {
		wrong = append(wrong, "its path is "+strconv.Quote(name))
	}
	lines, _ := location["lines"].(map[string]any)
	if begin, ok := lines["begin"].(float64); !ok || begin < 1 {
		wrong = append(wrong, "it has no line")
	}
	return wrong
}

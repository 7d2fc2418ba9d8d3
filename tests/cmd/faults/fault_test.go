package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sum = `package sum

import "fmt"

type named struct {
	Name string ` + "`json:\"name\"`" + `
}

// Sum adds the numbers up to a limit.
func Sum(numbers []int, limit int) (sum int, ok bool) {
	for _, n := range numbers {
		if n > limit {
			fmt.Println("large")
			continue
		}
		sum += n
	}
	return sum, true
}
`

func TestFaultsOfAFile(t *testing.T) {
	t.Parallel()
	found, err := faultsIn("sum/sum.go", sum)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.String())
	}
	want := []string{
		"sum/sum.go:12: n > limit becomes !(n > limit)",
		"sum/sum.go:12: > becomes <=",
		`sum/sum.go:13: fmt.Println("large") becomes nothing`,
		`sum/sum.go:13: "large" becomes "larg"`,
		"sum/sum.go:18: true becomes false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if text := string(found[1].in([]byte(sum))); !strings.Contains(text, "if n <= limit {") ||
		len(text) != len(sum)+1 {
		t.Errorf("with the second fault, the file is\n%s", text)
	}
}

// TestFaultsAreFoundByACommand puts the faults into a module whose only test does not look at the output. The fault
// without the statement does not compile, as an import is unused then.
func TestFaultsAreFoundByACommand(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"sum/sum.go": sum,
		"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n" +
			"\tif sum, ok := Sum([]int{1, 2, 9}, 5); sum != 3 || !ok {\n\t\tt.Fatal(sum, ok)\n\t}\n}\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r := run{root: root, command: "go test ./$PACKAGE", out: &out}
	if err := r.all(t.Context(), []string{"sum"}, 1, 60); err != nil {
		t.Fatal(err)
	}
	var found, missed []string
	for line := range strings.Lines(regexp.MustCompile(`^ *\d+ |\d+ s`).ReplaceAllString(out.String(), "")) {
		fields := strings.Join(strings.Fields(regexp.MustCompile(`\d+ s`).ReplaceAllString(line, "")), " ")
		if _, fault, ok := strings.Cut(fields, "not found "); ok {
			missed = append(missed, fault)
		} else {
			found = append(found, fields)
		}
	}
	if diff := cmp.Diff([]string{`sum/sum.go:13: "large" becomes "larg"`}, missed); diff != "" {
		t.Errorf("not found (-want +got):\n%s\n%s", diff, out.String())
	}
	if last := found[len(found)-1]; len(found) != 4 || last != "3 of 4 faults are found" {
		t.Errorf("found:\n%s", strings.Join(found, "\n"))
	}
	content, err := os.ReadFile(filepath.Join(root, "sum", "sum.go"))
	if err != nil || string(content) != sum {
		t.Errorf("the file is not restored (%v):\n%s", err, content)
	}
}

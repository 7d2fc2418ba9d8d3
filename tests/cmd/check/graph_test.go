package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/costs"
)

const quoted = `"github.com/mixedkube/mixedkube/`

// small is a checkout with three modules: the root, the lab and the tests. The root imports internal/cli, which imports
// internal/system/disk. A test of the guard imports internal/cli as well, which does not affect the program that imports
// the guard.
var small = fstest.MapFS{
	"go.mod": {},
	"main.go": {
		Data: []byte("package main\n\nimport _ " + quoted + "internal/cli\"\n"),
	},
	"README.md":                               {},
	"LICENSE":                                 {},
	"docs/api/components/guard.txt":           {},
	"docs/guard.md":                           {},
	"docs/rules/README.md":                    {},
	"internal/system/disk/disk.go":            {Data: []byte("package disk\n\nimport \"os\"\n")},
	"internal/system/disk/disk_test.go":       {Data: []byte("package disk\n\nfunc TestDisk() {}\n")},
	"internal/system/disk/testdata/file.txt":  {},
	"internal/system/disk/testdata/broken.go": {Data: []byte("not Go")},
	"internal/cli/cli.go": {Data: []byte(
		"package cli\n\nimport (\n\t_ \"example.com/flags\"\n\t_ " + quoted + "internal/system/disk\"\n)\n\n" +
			"//go:embed examples/*.json\nvar files embed.FS\n")},
	"internal/cli/examples/pods.json": {},
	"internal/cli/notes.txt":          {},
	"internal/cli/cli_test.go": {Data: []byte(
		"package cli\n\nfunc TestCLI() { read(\"../system/disk/testdata\") }\n\nfunc TestGeneratedExamples() {}\n")},
	"components/guard/guard.go": {Data: []byte("package guard\n")},
	"components/guard/guard_test.go": {Data: []byte(
		"package guard\n\nimport _ " + quoted + "internal/cli\"\n\nfunc ExampleRun() {}\n")},
	"examples/web/main.go":           {Data: []byte("package main\n\nimport _ " + quoted + "components/guard\"\n")},
	"internal/lab/go.mod":            {},
	"internal/lab/lab.go":            {Data: []byte("package lab\n")},
	"internal/lab/tools/etcd/go.mod": {},
	"internal/lab/tools/etcd/etcd.go": {Data: []byte(
		"package main\n\nimport _ " + quoted + "internal/system/disk\"\n")},
	"tests/go.mod": {},
	"tests/api/api_test.go": {Data: []byte(
		"package api\n\nconst files = \"docs/api\"\n\nfunc TestGeneratedAPI() {}\n")},
	"tests/e2e/e2e_test.go": {Data: []byte(
		"package e2e\n\nimport _ " + quoted + "internal/lab\"\n\nfunc TestLab() { read(\"../../docs/*.md\") }\n")},
	"tests/rulepages/pages_test.go": {Data: []byte("package rulepages\n\nconst root = \"../..\"\n\n" +
		"func TestGeneratedPages() { read(filepath.Join(\"..\", \"..\", \"docs\", \"guard.md\")) }\n")},
}

var modules = []string{".", "internal/lab", "tests"}

func scanned(t *testing.T) graph {
	t.Helper()
	var files []string
	for file := range small {
		files = append(files, file)
	}
	slices.Sort(files)
	g, err := scan(small, append(files, "internal/deleted/deleted.go"), modules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheGraphHasThePackagesOfTheModules(t *testing.T) {
	t.Parallel()
	want := graph{
		".": {module: ".", imports: []string{"internal/cli"}},
		"internal/system/disk": {
			module: ".", external: []string{"os"}, tested: true,
		},
		"internal/cli": {
			module: ".", imports: []string{"internal/system/disk"}, external: []string{"example.com/flags"},
			embeds: []string{"internal/cli/examples/*.json"}, names: []string{"internal/system/disk/testdata"},
			tested: true, generated: true,
		},
		"components/guard": {
			module: ".", testImports: []string{"internal/cli"}, tested: true, listed: true,
		},
		"examples/web": {module: ".", imports: []string{"components/guard"}},
		"internal/lab": {module: "internal/lab"},
		"tests/api":    {module: "tests", names: []string{"docs/api"}, tested: true, generated: true},
		"tests/e2e": {
			module: "tests", testImports: []string{"internal/lab"}, names: []string{"docs/*.md"}, tested: true,
		},
		"tests/rulepages": {module: "tests", names: []string{"docs/guard.md"}, tested: true, generated: true},
	}
	if diff := cmp.Diff(want, scanned(t), cmp.AllowUnexported(goPackage{}), ignoreEmpty); diff != "" {
		t.Errorf("the graph (-want +got):\n%s", diff)
	}
}

// ignoreEmpty makes empty lists equal, whether or not something was removed from them.
var ignoreEmpty = cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())

func TestOnlyPackagesOfTestsThatReachTheLabStartLabs(t *testing.T) {
	t.Parallel()
	g := scanned(t)
	var got []string
	for _, dir := range g.dirs() {
		if g.startsLabs(dir) {
			got = append(got, dir)
		}
	}
	if diff := cmp.Diff([]string{"tests/e2e"}, got); diff != "" {
		t.Errorf("the packages that start labs (-want +got):\n%s", diff)
	}
}

func TestTheTablesNamePackages(t *testing.T) {
	t.Parallel()
	checkout, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	files, err := repository{checkout}.files(t.Context())
	if err != nil {
		t.Skipf("needs a clone of the repository: install git: %v", err)
	}
	all := []string{".", "internal/azuresim", "internal/lab", "internal/provider", "internal/release", "tests"}
	g, err := scan(os.DirFS(checkout), files, all)
	if err != nil {
		t.Fatal(err)
	}
	known, err := costs.Read(checkout)
	if err != nil {
		t.Fatal(err)
	}
	named := slices.Concat(readEveryFile, []string{api, own})
	for dir := range known {
		named = append(named, dir)
	}
	for _, r := range readers {
		named = append(named, r.dir)
		if !slices.ContainsFunc(files, func(file string) bool { return covers(r.files, file) }) {
			t.Errorf("the table of readers has %s, which does not exist", r.files)
		}
	}
	for _, dir := range named {
		if p := g[dir]; p == nil || !p.tested {
			t.Errorf("a table has %s, which is not a package with tests", dir)
		}
	}
}

package tools

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// diamond is the output of go for a program that imports two packages, which share one.
const diamond = `shared example.com/m@v1.0.0@
left example.com/m@v1.0.0@ shared
right example.com/m@v1.0.0@ shared unsafe
main example.com/m@v1.0.0@ left right
`

func TestPackageIDsDependOnImports(t *testing.T) {
	t.Parallel()
	p := parsePlan(diamond)
	other := parsePlan(strings.Replace(diamond, "left example.com/m@v1.0.0@", "left example.com/m@v1.1.0@", 1))
	for importPath, same := range map[string]bool{"shared": true, "right": true, "left": false, "main": false} {
		if got := p.packages[importPath].id == other.packages[importPath].id; got != same {
			t.Errorf("%s is the same: %t, want %t", importPath, got, same)
		}
	}
	equal(t, "module", p.packages["left"].module, "example.com/m@v1.0.0")
}

func TestWatchCountsCompiledPackages(t *testing.T) {
	t.Parallel()
	p := parsePlan(diamond)
	// A second build has two packages in common with the first.
	second := parsePlan("shared example.com/m@v1.0.0@\nright example.com/m@v1.0.0@ shared unsafe\nother @ right\n")
	w := newWatch(progress{out: newScreen(nil)})
	tells := func(when, want string) {
		t.Helper()
		equal(t, when, w.text(), "tools    "+want)
	}
	equal(t, "before anything is known", w.text(), "")
	w.fetching("go: downloading example.com/m v1.0.0")
	if w.fetching("go: no such tool") || w.begin(p, "go: no such tool") {
		t.Error("an error counts as progress")
	}
	tells("while modules are fetched", "fetching modules, 1 so far")
	w.add(p)
	w.add(second)
	tells("before the first", "0 of 5 packages compiled, less than a minute left")
	// go does not print the packages that were compiled before.
	if !w.begin(p, "right") {
		t.Error("a package is not known")
	}
	tells("the first", "1 of 5 packages compiled, less than a minute left: right")
	w.begin(p, "main")
	tells("the last of a build", "3 of 5 packages compiled, less than a minute left: main")
	w.end(p)
	tells("after a build", "4 of 5 packages compiled, less than a minute left")
}

func TestTheTimeLeftFollowsTheWeights(t *testing.T) {
	t.Parallel()
	weigh := func(seconds float64, diamond string) *watch {
		w := newWatch(progress{out: newScreen(nil)})
		w.weight = func(planned) float64 { return seconds }
		w.processors = 1
		w.add(parsePlan(diamond))
		return w
	}
	for _, test := range []struct {
		seconds float64
		want    string
	}{
		{1, "less than a minute left"},
		{12, "about a minute left"},
		{120, "about 10 minutes left"},
	} {
		// Four packages, on a processor that is busy four fifths of the time.
		equal(t, "at first", weigh(test.seconds, diamond).left(time.Second), test.want)
	}
	// Three of four took a minute: the fourth takes 20 seconds; or as long as the others, if
	// that was an hour.
	w := weigh(60, diamond)
	p := parsePlan(diamond)
	for _, importPath := range []string{"shared", "left", "right", "main"} {
		w.begin(p, importPath)
	}
	equal(t, "as fast as before", w.left(time.Minute), "less than a minute left")
	equal(t, "as slow as before", w.left(time.Hour), "about 20 minutes left")
}

func TestLogsGetLinesAndTerminalsOneUpdatedLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		live bool
		want string
	}{
		{false, "working\nbuilt\nworking on\n"},
		{true, "working\r\x1b[2Kbuilt\nworking on\r\x1b[2K" + strings.Repeat("x", 78) + "…\r\x1b[2K"},
	} {
		var out bytes.Buffer
		s := &screen{to: &out, live: test.live}
		s.status("working")
		s.line("built")
		s.status("working on")
		if test.live {
			s.status(strings.Repeat("x", 80))
		}
		s.status("")
		equal(t, "printed", out.String(), test.want)
	}
}

func TestToolsOfOneWorkspaceAreBuiltTogether(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// The workspace has two programs: one in the module of the other tools, and one next to it.
	tools := b.Cache.dir()
	write(t, tools+"/shared.work", "go 1.26\n\nuse (\n\t./hello\n\t./bye\n)\n")
	write(t, tools+"/bye/go.mod",
		"module example.com/bye\n\ngo 1.26\n\nrequire example.com/pinned v1.2.3\n\nreplace example.com/pinned => "+
			"../hello/pinned\n")
	write(t, tools+"/bye/main.go", `package main

import "os"

var version string

func main() { os.Stdout.WriteString("bye version " + version + "\n") }
`)
	hello, bye := b.table[0], b.table[1]
	hello.shared, hello.pkg = true, "example.com/hello"
	bye.shared, bye.dir, bye.pkg = true, "bye", "example.com/bye"
	b.table = []tool{hello, bye, b.table[2]}

	paths, err := b.Ensure(t.Context(), "hello", "bye", "pulumi")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", b.printed(), `tools    3 of 3 to build, into DIR (no archive is recorded for PLATFORM): `+
		`hello v1.2.3, bye v1.2.3, pulumi v1.2.3
tools    hello v1.2.3, bye v1.2.3: built in TIME
tools    pulumi v1.2.3: built in TIME
tools    3 ready: 3 built in TIME
`)
	for _, name := range []string{"hello", "bye"} {
		equal(t, name, outputOf(t, paths[name]), name+" version v1.2.3\n")
	}

	// With the versions of their releases, each tool is built separately and has another key.
	b.out.Reset()
	b.environ = append(b.environ, VersionsVariable+"="+Released)
	released, err := b.Ensure(t.Context(), "hello", "bye")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", b.printed(), `tools    2 of 2 to build, into DIR (no archive is recorded for PLATFORM): `+
		`hello v1.2.3, bye v1.2.3
tools    hello v1.2.3: built in TIME
tools    bye v1.2.3: built in TIME
tools    2 ready: 2 built in TIME
`)
	if released["hello"] == paths["hello"] {
		t.Error("the released tool replaced the other")
	}
}

func TestInterruptedBuildsResume(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.dir()+"/main.go", "package main\n\nimport _ \"example.com/pinned\"\n\nfunc main() {}\n")
	// The compiler waits at the main package while there is a file.
	waits, reached := b.bin+"/waits", b.bin+"/reached"
	write(t, waits, "")
	compiler := b.script("compiler", `case " $* " in
*" -p main "*) [ ! -e '`+waits+`' ] || { touch '`+reached+`'; sleep 60; } ;;
esac
exec "$@"`)
	b.environ = append(b.environ, "GOCACHE="+t.TempDir(), "GOFLAGS=-toolexec="+compiler)
	builds := func(ctx context.Context) (begun map[string]planned, err error) {
		one := b.newBuild(lookPath(b.environ, "go"),
			batches([]*location{{tool: b.table[0], pinned: "v1.2.3", path: b.Dir + "/hello/v1.2.3-key/hello"}},
				false)[0])
		one.watch = newWatch(b.progress())
		one.prepare(ctx, true)
		err = one.do(ctx)
		return one.watch.begun, err
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(reached); err == nil {
				cancel(errors.New("stopped by the test"))
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	begun, err := builds(ctx)
	equal(t, "error", b.masked(err), "build hello v1.2.3: interrupted: stopped by the test")
	if len(begun) < 2 {
		t.Fatalf("begun: %v", begun)
	}
	if err := os.Remove(waits); err != nil {
		t.Fatal(err)
	}
	begun, err = builds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(begun) != 1 {
		t.Errorf("begun again: %v", begun)
	}
}

func TestALogIsQuiet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		heartbeat time.Duration
		more      string
	}{
		{"a short build", time.Hour, ""},
		// The second package takes one beat and a half.
		{
			"a build of two beats", 200 * time.Millisecond,
			"tools    1 of 2 packages compiled, less than a minute left: example.com/b\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.heartbeat = test.heartbeat
			b.script("go", `i=0; while [ $i -lt 100 ]; do `+
				`echo "go: downloading example.com/m$i v1.0.0" >&2; i=$((i+1)); done
case "$1" in
list) echo "example.com/a m@v1@ "; echo "example.com/b m@v1@ example.com/a" ;;
build) while [ "$1" != -o ]; do shift; done
	echo example.com/a >&2; echo example.com/b >&2; sleep 0.3; out=$2
	`+buildsHello+` ;;
esac`)
			if _, err := b.Ensure(t.Context(), "hello"); err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfterN(strings.Replace(builtLines, "DIR", "DIR (no archive is recorded for PLATFORM)",
				1), "\n", 2)
			// A slow machine has more than one beat in the second package.
			beats := slices.Compact(strings.SplitAfter(b.printed(), "\n"))
			equal(t, "progress", strings.Join(beats, ""), lines[0]+test.more+lines[1])
		})
	}
}

// outputOf returns what a program prints.
func outputOf(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.Command(path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

package tools

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// childVariable makes the test binary a second process. Instead of running tests, it ensures the
// fake tools in the cache that the value names.
const childVariable = "MIXEDKUBE_TOOLS_TEST_CHILD"

// waitVariable makes the test binary a program that runs until its input ends.
const waitVariable = "MIXEDKUBE_TOOLS_TEST_WAIT"

func TestMain(m *testing.M) {
	if os.Getenv(waitVariable) != "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	if value := os.Getenv(childVariable); value != "" {
		os.Exit(child(value))
	}
	// The tests expect the defaults, not the settings of the user.
	for _, variable := range []string{urlVariable, VersionsVariable} {
		if err := os.Unsetenv(variable); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func child(value string) int {
	root, dir, _ := strings.Cut(value, "\n")
	if err := prepareChild(dir); err != nil {
		fmt.Println(err)
		return 3
	}
	c := &Cache{
		Dir: dir, Root: root, Out: os.Stdout,
		table: fakeTable(), platform: host(), environ: os.Environ(), askTimeout: 10 * time.Second, heartbeat: time.Hour,
		timeouts: testTimeouts,
	}
	if _, err := c.Ensure(context.Background(), "hello"); err != nil {
		fmt.Printf("failed: %v\n", err)
		left, _ := filepath.Glob(filepath.Join(dir, "*", ".build-*"))
		fetched, _ := filepath.Glob(filepath.Join(dir, ".fetch-*"))
		fmt.Printf("left behind: %d\n", len(left)+len(fetched))
		return 1
	}
	return 0
}

// fakeTable has tools that build in a second.
func fakeTable() []tool {
	hello := tool{
		name: "hello", dir: "hello", pkg: ".", pin: "example.com/pinned",
		stamp: func(version string) []string { return []string{"main.version=" + version} },
		find:  onPath, fits: sameMinor, ask: []string{"--version"}, answer: "hello version ",
	}
	bye := hello
	bye.name, bye.answer = "bye", "bye version "
	cli := tool{
		name: "pulumi", dir: "hello", pkg: ".", pin: "example.com/pinned",
		find: onPath, fits: atLeast, ask: []string{"version"},
	}
	host := cli
	host.name, host.find, host.ask = "pulumi-language-go", nextToPulumi, nil
	plugin := cli
	plugin.name, plugin.find, plugin.fits, plugin.ask = "pulumi-resource-kubernetes", inPluginDir, exactly, nil
	plugin.embed = embed{module: "example.com/pinned", dir: "assets", files: []string{"schema.json"}}
	return []tool{hello, bye, cli, host, plugin}
}

// testTimeouts are replaced by shorter ones in tests that wait for a timeout.
var testTimeouts = timeouts{answer: 20 * time.Second, silence: 20 * time.Second, beat: time.Minute}

// bench is a checkout with fake tools, an empty cache and a directory on PATH.
type bench struct {
	*Cache
	t   *testing.T
	bin string
	out *bytes.Buffer
}

func newBench(t *testing.T) bench {
	t.Helper()
	root, bin, out := t.TempDir(), t.TempDir(), &bytes.Buffer{}
	write(t, filepath.Join(root, "go.mod"), "module "+modulePath+"\n")
	write(t, filepath.Join(root, "internal", "lab", "tools", "archives.json"), "[]\n")
	dir := filepath.Join(root, "internal", "lab", "tools", "hello")
	write(t, filepath.Join(dir, "go.mod"), `module example.com/hello

go 1.26

require example.com/pinned v1.2.3

replace example.com/pinned => ./pinned
`)
	write(t, filepath.Join(dir, "main.go"), `package main

import "os"

var version string

func main() { os.Stdout.WriteString("hello version " + version + "\n") }
`)
	write(t, filepath.Join(dir, "pinned", "go.mod"), "module example.com/pinned\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "pinned", "pinned.go"), "package pinned\n")
	write(t, filepath.Join(dir, "pinned", "assets", "schema.json"), "{}")
	return bench{
		Cache: &Cache{
			Dir: filepath.Join(t.TempDir(), "cache"), Root: root, Out: out,
			table: fakeTable(), platform: host(),
			environ: slices.Concat(os.Environ(), []string{
				"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"),
				// Tests must not find plugins of the machine that they run on.
				"PULUMI_HOME=" + t.TempDir(),
			}),
			askTimeout: 10 * time.Second, heartbeat: time.Hour, timeouts: testTimeouts,
		},
		t: t, bin: bin, out: out,
	}
}

func (b bench) dir() string { return filepath.Join(b.Root, "internal", "lab", "tools", "hello") }

// script puts a program on PATH and returns its path.
func (b bench) script(name, body string) string {
	b.t.Helper()
	path := filepath.Join(b.bin, name)
	program(b.t, path, body)
	return path
}

// fakeGo puts a fake go command on PATH. It records each build and then runs body, with the
// path of the file to write in $out.
func (b bench) fakeGo(body string) {
	b.t.Helper()
	b.script("go", fmt.Sprintf(`[ "$1" = build ] || exit 0
while [ "$1" != -o ]; do shift; done
out=$2
echo build >> '%s'
%s`, b.notes(), body))
}

var hashes = regexp.MustCompile(`-[0-9a-f]{12}/`)

const buildsHello = `printf '#!/bin/sh\necho hello version v1.2.3\n' > "$out"; chmod +x "$out"`

func (b bench) notes() string { return filepath.Join(b.bin, "notes") }

// builds counts the runs of the fake go.
func (b bench) builds() int {
	content, _ := os.ReadFile(b.notes())
	return strings.Count(string(content), "build\n")
}

// printed returns the progress, without the parts that change from run to run.
func (b bench) printed() string {
	return b.mask(b.out.String())
}

// masked returns an error's text, without the same parts.
func (b bench) masked(err error) string {
	if err == nil {
		return "no error"
	}
	return b.mask(err.Error())
}

var times = regexp.MustCompile(`(built in|compiled in|fetched in|after) [0-9.msµ]*s\b`)

func (b bench) mask(text string) string {
	text = strings.NewReplacer(b.Dir, "DIR", b.bin, "BIN", b.Root, "ROOT", "recorded for "+host().String(),
		"recorded for PLATFORM").Replace(text)
	return times.ReplaceAllString(text, "$1 TIME")
}

// scratch lists the directories of builds that are running or have left them behind.
func (b bench) scratch() []string {
	left, err := filepath.Glob(filepath.Join(b.Dir, "*", ".build-*"))
	if err != nil {
		b.t.Fatal(err)
	}
	return left
}

// inChild prepares a second process that ensures hello in the same cache.
func (b bench) inChild() (*exec.Cmd, *output) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = slices.Concat(b.environ, []string{childVariable + "=" + b.Root + "\n" + b.Dir})
	out := &output{}
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

// output can be read while it is written.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// program writes a shell script. A process that another test starts at the same time
// must not inherit the open file: a file that is open for writing cannot be run.
func program(t *testing.T, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := executable.Write(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// eventually waits for something that another process does.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("after 20 s not yet: %s", what)
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

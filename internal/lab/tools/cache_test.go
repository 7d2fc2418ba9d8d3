//go:build unix

package tools

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAMissingToolIsBuiltOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.environ = append(b.environ, "GOFLAGS=-mod=vendor", "GOOS=plan9", "CGO_ENABLED=1")
	b.script("bye", "echo bye version v1.2.9")
	paths, err := b.Ensure(t.Context(), "bye", "hello")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", b.printed(),
		`tools    1 of 2 to build, into DIR (no archive is recorded for PLATFORM): hello v1.2.3
tools    hello v1.2.3: built in TIME
tools    2 ready: 1 on PATH, 1 built in TIME
`)
	equal(t, "bye", paths["bye"], filepath.Join(b.bin, "bye"))
	output, err := exec.Command(paths["hello"], "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "output of hello", string(output), "hello version v1.2.3\n")
	if left := b.scratch(); left != nil || len(paths) != 2 {
		t.Errorf("left %q, paths %q", left, paths)
	}

	// A second checkout needs no compiler.
	b.out.Reset()
	b.fakeGo("exit 1")
	again, err := b.Ensure(t.Context(), "hello")
	if err != nil || again["hello"] != paths["hello"] || b.builds() != 0 {
		t.Errorf("%q, %v, %d builds", again, err, b.builds())
	}
	equal(t, "progress", b.printed(), "tools    1 ready: 1 cached\n")
}

func TestFilesOfARequiredModuleAreEmbedded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, filepath.Join(b.dir(), "main.go"), `package main

import (
	_ "embed"
	"os"
)

//go:embed schema.json
var schema string

func main() { os.Stdout.WriteString(schema) }
`)
	paths, err := b.Ensure(t.Context(), "pulumi-resource-kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(paths["pulumi-resource-kubernetes"]).Output()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "embedded", string(output), "{}")
	if _, err := os.Stat(filepath.Join(b.dir(), "schema.json")); err == nil {
		t.Error("the file was written into the checkout")
	}
}

func TestFilesOfRequiredModulesAreNextToTheTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.table[3].siblings = embed{module: "example.com/pinned", dir: "assets", files: []string{"schema.json"}}
	paths, err := b.Ensure(t.Context(), "pulumi-language-go")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(filepath.Dir(paths["pulumi-language-go"]), "schema.json")
	content, err := os.ReadFile(path)
	if err != nil || string(content) != "{}" || !isExecutable(path) {
		t.Errorf("%q, executable: %t, %v", content, isExecutable(path), err)
	}
}

func TestAToolIsBuiltWithItsOwnModuleFile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, filepath.Join(b.dir(), "v2.mod"), `module example.com/hello

go 1.26

require example.com/pinned v1.9.0

replace example.com/pinned => ./other
`)
	write(t, filepath.Join(b.dir(), "other", "go.mod"), "module example.com/pinned\n\ngo 1.26\n")
	write(t, filepath.Join(b.dir(), "other", "pinned.go"), "package pinned\n\nconst Name = \"other\"\n")
	write(t, filepath.Join(b.dir(), "main.go"), `package main

import (
	"os"

	"example.com/pinned"
)

var version string

func main() { os.Stdout.WriteString(pinned.Name + " " + version) }
`)
	b.table[0].modfile = "v2.mod"
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(paths["hello"]).Output()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "built", string(output), "other v1.9.0")
}

func TestProgressExplainsSkippedToolsOnPath(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	b.script("hello", "echo hello version v0.9.0")
	if _, err := b.Ensure(t.Context(), "pulumi-language-go", "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", b.printed(), `tools    2 of 2 to build, into DIR (no archive is recorded for PLATFORM): `+
		`hello v1.2.3, pulumi-language-go v1.2.3
tools    hello v1.2.3: BIN/hello is v0.9.0, v1.2 is needed
tools    hello v1.2.3: built in TIME
tools    pulumi-language-go v1.2.3: built in TIME
tools    2 ready: 2 built in TIME
`)
}

func TestAChangedRecipeIsAnotherTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	var paths []string
	for range 2 {
		ensured, err := b.Ensure(t.Context(), "hello")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, ensured["hello"])
		write(t, filepath.Join(b.dir(), "go.sum"), "changed\n")
	}
	if paths[0] == paths[1] || b.builds() != 2 {
		t.Errorf("%q, %d builds", paths, b.builds())
	}
}

func TestADamagedEntryOfTheCacheIsReplaced(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(paths["hello"], paths["hello"]+".old"); err != nil {
		t.Fatal(err)
	}
	again, err := b.Ensure(t.Context(), "hello")
	if err != nil || again["hello"] != paths["hello"] || !isExecutable(paths["hello"]) {
		t.Errorf("%q, %v", again, err)
	}
}

func TestEnsureWithoutNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	paths, err := b.Ensure(t.Context())
	if err != nil || len(paths) != 0 || b.out.Len() != 0 || b.builds() != 0 {
		t.Errorf("%q, %v, printed %q", paths, err, b.out)
	}
}

func TestUnknownToolsAreNamedAllAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.Ensure(t.Context(), "helo", "hello", "by")
	equal(t, "error", b.masked(err),
		`unknown tool "helo", "by": the tools are hello, bye, pulumi, pulumi-language-go, pulumi-resource-kubernetes`)
}

func TestErrorWithoutGoNamesAlternatives(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.environ = append(b.environ, "PATH="+b.bin)
	_, err := b.Ensure(t.Context(), "hello")
	equal(t, "error", b.masked(err), "build hello v1.2.3: go is not on PATH: install Go, or put hello v1.2 on PATH")
	if _, err := os.Stat(b.Dir); err == nil {
		t.Error("the cache was created anyway")
	}
}

func TestFailedBuildsShowTheOutputOfGoAndLeaveNoFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, filepath.Join(b.dir(), "main.go"), "package main\n\nfunc main() { nothing() }\n")
	_, err := b.Ensure(t.Context(), "hello", "bye")
	equal(t, "error", b.masked(err),
		"build hello v1.2.3: `go build .` in ROOT/internal/lab/tools/hello: exit status 1: compare the files there "+
			"with git\n"+
			"\t# example.com/hello\n"+
			"\t./main.go:3:15: undefined: nothing\n"+
			"else put hello v1.2 on PATH")
	equal(t, "progress", b.printed(),
		"tools    2 of 2 to build, into DIR (no archive is recorded for PLATFORM): hello v1.2.3, bye v1.2.3\n")
	if left := b.scratch(); left != nil {
		t.Errorf("left %q", left)
	}
	if at, err := b.locateOne(t.Context(), fakeTable()[0]); err != nil || at.source != toBuild {
		t.Errorf("afterwards it comes from %s, %v", at.source, err)
	}
}

func TestAFullDiskIsRecognizedInTheCompilersOutput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(`echo 'go: link: mapping output file failed: no space left on device' >&2; exit 1`)
	_, err := b.Ensure(t.Context(), "hello")
	equal(t, "error", b.masked(err),
		"build hello v1.2.3: `go build .` in ROOT/internal/lab/tools/hello: exit status 1: "+
			"the disk is full: free some space, or move the directories of `go env GOCACHE GOMODCACHE` and the tool "+
			"cache to "+
			"another disk\n"+
			"\tgo: link: mapping output file failed: no space left on device\n"+
			"else put hello v1.2 on PATH")
}

func TestUnwritableCacheFailsBeforeTheFirstBuild(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, test := range []struct{ dir, reason string }{
		{filepath.Join(file, "cache"), "not a directory"},
		{"/proc/mixedkube/tools", "no such file or directory"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat("/proc/self"); err != nil && strings.HasPrefix(test.dir, "/proc") {
				t.Skip("needs /proc: run it on Linux")
			}
			b := newBench(t)
			b.Dir = test.dir
			b.fakeGo(buildsHello)
			_, err := b.Ensure(t.Context(), "hello")
			equal(t, "error", b.masked(err), "tool cache DIR: "+test.reason+": "+moveCache())
			if b.builds() != 0 || b.out.Len() != 0 {
				t.Errorf("%d builds, printed %q", b.builds(), b.out)
			}
		})
	}
}

func TestAReadOnlyCacheServesWhatItHas(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	if _, err := b.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o555, 0o755} {
		err := filepath.WalkDir(b.Dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				err = os.Chmod(path, mode)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		b.out.Reset()
		_, err = b.Ensure(t.Context(), "hello")
		equal(t, "error", b.masked(err), "no error")
		equal(t, "progress", b.printed(), "tools    1 ready: 1 cached\n")
		if mode == 0o555 && os.Geteuid() != 0 {
			_, err = b.Ensure(t.Context(), "bye")
			equal(t, "error", b.masked(err), "tool cache DIR: permission denied: "+moveCache())
		}
	}
}

func TestACanceledBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pids := filepath.Join(b.bin, "pids")
	b.fakeGo(`echo half > "$out"; sleep 60 & echo $$ $! > ` + pids + `.new; mv ` + pids + `.new ` + pids + `; wait`)
	ctx, cancel := context.WithCancelCause(t.Context())
	ctrlC := errors.New("stopped by the test")
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(pids); err == nil {
				cancel(ctrlC)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_, err := b.Ensure(ctx, "hello")
	equal(t, "error", b.masked(err), "build hello v1.2.3: interrupted: stopped by the test")
	if !errors.Is(err, ctrlC) {
		t.Errorf("%v does not wrap the cause", err)
	}
	if left := b.scratch(); left != nil {
		t.Errorf("left %q", left)
	}
	content, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for pid := range strings.FieldsSeq(string(content)) {
		eventually(t, "the end of process "+pid, func() bool { return !alive(pid) })
	}
	// Nothing blocks the next build.
	b.fakeGo(buildsHello)
	if _, err := b.Ensure(t.Context(), "hello"); err != nil {
		t.Error(err)
	}
}

func TestCanceledSearchesDoNotStartBuilds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.script("hello", "echo hello version v1.2.3")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Ensure(ctx, "hello")
	equal(t, "error", b.masked(err), "looking for the tools: interrupted: context canceled")
}

func TestFilesOfKilledBuildsAreRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pid := filepath.Join(b.bin, "pid")
	b.fakeGo(`echo half > "$out"; echo $$ > ` + pid + `; exec sleep 60`)
	killed, _ := b.inChild()
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	var compiler string
	eventually(t, "the compiler has started", func() bool {
		content, _ := os.ReadFile(pid)
		compiler = strings.TrimSpace(string(content))
		return compiler != ""
	})
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	t.Cleanup(func() { kill(t, compiler) })
	if left := b.scratch(); len(left) != 1 {
		t.Fatalf("the killed build left %q", left)
	}

	b.fakeGo(buildsHello)
	paths, err := b.Ensure(t.Context(), "hello")
	if err != nil {
		t.Fatal(err)
	}
	if left := b.scratch(); left != nil || !isExecutable(paths["hello"]) {
		t.Errorf("left %q", left)
	}
}

func TestTwoProcessesBuildOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	gate := filepath.Join(b.bin, "gate")
	b.fakeGo(`while [ ! -e ` + gate + ` ]; do sleep 0.02; done; ` + buildsHello)
	first, firstOut := b.inChild()
	second, secondOut := b.inChild()
	for _, process := range []*exec.Cmd{first, second} {
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "one of them waits", func() bool {
		return strings.Contains(firstOut.String()+secondOut.String(), "waiting for another build")
	})
	write(t, gate, "")
	if err := errors.Join(first.Wait(), second.Wait()); err != nil {
		t.Errorf("%v\n%s\n%s", err, firstOut, secondOut)
	}
	if b.builds() != 1 {
		t.Errorf("%d builds", b.builds())
	}
	printed := []string{b.mask(firstOut.String()), b.mask(secondOut.String())}
	slices.Sort(printed)
	equal(t, "the one that built", printed[0],
		`tools    1 of 1 to build, into DIR (no archive is recorded for PLATFORM): hello v1.2.3
tools    hello v1.2.3: built in TIME
tools    1 ready: 1 built in TIME
`)
	equal(t, "the one that waited", printed[1],
		`tools    1 of 1 to build, into DIR (no archive is recorded for PLATFORM): hello v1.2.3
tools    hello v1.2.3: waiting for another build of it, which holds DIR/hello/.lock …
tools    hello v1.2.3: built by another process
tools    1 ready: 1 cached
`)
}

func TestManyCallsAtOnceBuildOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo("sleep 0.2; " + buildsHello)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			c := *b.Cache
			c.Out = nil
			_, errs[i] = c.Ensure(t.Context(), "hello", "bye")
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if b.builds() != 2 {
		t.Errorf("%d builds of 2 tools", b.builds())
	}
}

func TestAWaitForAnotherBuildCanBeCanceled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo("exec sleep 60")
	builder, cancelBuilder := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c := *b.Cache
		c.Out = nil
		_, _ = c.Ensure(builder, "hello")
	}()
	eventually(t, "the build has started", func() bool { return b.builds() == 1 })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := b.Ensure(ctx, "hello")
	equal(t, "error", b.masked(err), "build hello v1.2.3: interrupted: context deadline exceeded")
	if left := b.scratch(); len(left) != 1 {
		t.Errorf("the other build's directory: %q", left)
	}
	cancelBuilder()
	<-done
}

func TestStatusShowsTheSourceOfEachTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.fakeGo(buildsHello)
	if _, err := b.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	// The test must not find tools of the machine that it runs on.
	b.environ = append(b.environ, "PATH="+b.bin)
	b.script("bye", "echo bye version v1.1.0")
	b.script("pulumi", "echo v1.4.0")
	home := getenv(b.environ, "PULUMI_HOME")
	plugin := filepath.Join(home, "plugins", "resource-kubernetes-v1.2.3", "pulumi-resource-kubernetes")
	program(t, plugin, "")
	var table bytes.Buffer
	if err := b.Status(t.Context(), &table); err != nil {
		t.Fatal(err)
	}
	text := hashes.ReplaceAllString(strings.ReplaceAll(b.mask(table.String()), home, "HOME"), "-KEY/")
	equal(t, "table", text, `TOOL                        VERSION  FROM              PATH
hello                       v1.2.3   cache             DIR/hello/v1.2.3-KEY/hello
bye                         v1.2.3   to build          DIR/bye/v1.2.3-KEY/bye (BIN/bye is v1.1.0, v1.2 is needed)
pulumi                      v1.4.0   PATH              BIN/pulumi
pulumi-language-go          v1.2.3   to build          DIR/pulumi-language-go/v1.2.3-KEY/pulumi-language-go `+
		`(BIN/pulumi-language-go does not exist next to the pulumi on PATH)
pulumi-resource-kubernetes  v1.2.3   Pulumi's plugins  `+
		`HOME/plugins/resource-kubernetes-v1.2.3/pulumi-resource-kubernetes
`)
}

func TestNamesListsTheTools(t *testing.T) {
	t.Parallel()
	equal(t, "names", strings.Join(Names(), " "),
		"etcd kube-apiserver kube-controller-manager kube-scheduler kubeadm kubectl kwok kwokctl "+
			"pulumi pulumi-language-go pulumi-resource-kubernetes pulumi-language-nodejs pulumi-language-python "+
			"pulumi-language-yaml helm oracle-1.35 oracle-1.36 oracle-1.37")
	equal(t, "of the lab", strings.Join(OfLab(), " "),
		"etcd kube-apiserver kube-controller-manager kube-scheduler kubectl kwok kwokctl "+
			"pulumi pulumi-language-go pulumi-resource-kubernetes")
	equal(t, "oracles", strings.Join(Oracles(), " "), "oracle-1.35 oracle-1.36 oracle-1.37")
}

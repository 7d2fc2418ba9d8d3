package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/policy"
)

// A pack is written once, with the topology unchanged, and with this program under the name of the pack.
func TestPolicyNew(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := filepath.Join(t.TempDir(), "a", "policy")
	topology, err := os.ReadFile("testdata/topology.yaml")
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := start(t, string(topology), "policy", "new", "--topology", "-", dir)
	if code != passed || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	want := dir + " is a policy pack. Install its program as a plugin of Pulumi, and use it:\n" +
		"  pulumi plugin install analyzer policy-mixedkube 0.0.0 --file " + dir + "/" + policy.Program + "\n" +
		"  pulumi preview --policy-pack " + dir + "\n"
	if stdout != want {
		t.Errorf("it says %q, want %q", stdout, want)
	}
	got := map[string]string{}
	for _, name := range []string{policy.ProjectFile, policy.TopologyFile, ".gitignore"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	written := map[string]string{
		policy.ProjectFile: policy.Project, policy.TopologyFile: string(topology),
		".gitignore": "/" + policy.Program + "\n",
	}
	if diff := cmp.Diff(written, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	program, err := os.Stat(filepath.Join(dir, policy.Program))
	if err != nil || program.Mode()&0o111 == 0 || program.Size() == 0 {
		t.Errorf("the program of the pack: %v, %v", program, err)
	}
	code, _, stderr = start(t, "", "policy", "new", dir)
	var refused strings.Builder
	for _, name := range []string{".gitignore", policy.ProjectFile, policy.Program} {
		refused.WriteString(dir + "/" + name + ": exists already: name another directory\n")
	}
	if code != unusable || stderr != refused.String() {
		t.Errorf("a second time it says %q, and ends with %d, want %q", stderr, code, &refused)
	}
}

func TestPolicyNewWithTheProgramOnPath(t *testing.T) {
	path := t.TempDir()
	t.Setenv("PATH", path)
	if err := os.WriteFile(filepath.Join(path, policy.Program), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	code, stdout, stderr := start(t, "", "policy", "new", dir)
	want := dir + " is a policy pack, whose program is on PATH. Use it:\n  pulumi preview --policy-pack " + dir + "\n"
	if code != passed || stdout != want || stderr != "" {
		t.Errorf("exit %d: %q %q, want %q", code, stdout, stderr, want)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != policy.ProjectFile {
		t.Errorf("it has written %v: %v", entries, err)
	}
}

func TestPolicyNewRefuses(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "policy")
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no directory":     {nil, "DIR: name the directory of the policy pack\n"},
		"two directories":  {[]string{"a", "b"}, "b: unexpected argument: name one directory\n"},
		"a wrong topology": {[]string{"--topology", "-", dir}, "stdin:1: pools: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := start(t, "pools: []\n", append([]string{"policy", "new"}, tt.args...)...)
			if code != unusable || !strings.Contains(stderr, tt.want) {
				t.Errorf("exit %d: %q, want %q", code, stderr, tt.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("something is written")
			}
		})
	}
}

func TestPolicyNamesItsCommands(t *testing.T) {
	t.Parallel()
	code, _, stderr := start(t, "", "policy", "nw")
	if code != unusable || !strings.Contains(stderr, `did you mean "new"?`) || strings.Contains(stderr, "serve") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestTheProgramIsThePackByItsName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program    string
		args, want []string
	}{
		{"", nil, nil},
		{"mixedkube", nil, nil},
		{"/usr/bin/mixedkube", []string{"check", "-"}, []string{"check", "-"}},
		{"/a/pulumi-analyzer-policy-mixedkube", []string{"127.0.0.1:1"}, []string{"policy", "serve", "127.0.0.1:1"}},
		{"Pulumi-Analyzer-Policy-Mixedkube.EXE", nil, []string{"policy", "serve"}},
	} {
		if got := argumentsOf(tt.program, tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("the arguments of %s %q are %q, want %q", tt.program, tt.args, got, tt.want)
		}
	}
}

// The pack prints its port for the engine, and ends with the engine.
func TestPolicyServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stdin, alive := io.Pipe()
	out, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, []string{"policy", "serve", "127.0.0.1:1", "."}, stdin, stdout, io.Discard) }()
	port := make([]byte, 6)
	n, err := out.Read(port)
	if err != nil || n < 5 || strings.Trim(string(port[:n]), "0123456789\n") != "" || port[n-1] != '\n' {
		t.Errorf("the port is %q: %v", port[:n], err)
	}
	_ = alive.Close()
	if code := <-ended; code != 0 || ctx.Err() != nil {
		t.Errorf("it ends with %d, %v", code, ctx.Err())
	}
}

func TestTheVersionOfThePack(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{
		"v0.1.0": "0.1.0", "v1.2.3-rc.1": "1.2.3-rc.1", "(devel)": "0.0.0",
		"v0.0.0-20261127022238-83575a5c0000+dirty": "0.0.0-20261127022238-83575a5c0000+dirty",
	} {
		if got := packVersion(module); got != want {
			t.Errorf("packVersion(%q) = %q, want %q", module, got, want)
		}
	}
}

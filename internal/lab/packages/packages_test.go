package packages

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// bench is a program, commands on PATH instead of the real ones, and an installer.
type bench struct {
	Installer

	t            *testing.T
	bin, program string
	// packed counts how often the SDKs were packed.
	packed int
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, bin: t.TempDir(), program: t.TempDir()}
	b.Installer = Installer{
		Dir: filepath.Join(t.TempDir(), "packages"), Version: "1", Out: io.Discard,
		SDKs: func(_ context.Context, dir string) error {
			b.packed++
			return errors.Join(
				os.WriteFile(filepath.Join(dir, "sdk.tgz"), nil, 0o600),
				os.WriteFile(filepath.Join(dir, "sdk.whl"), nil, 0o600))
		},
	}
	for name, content := range files {
		b.write(filepath.Join(b.program, name), content)
	}
	t.Setenv("PATH", b.bin+string(filepath.ListSeparator)+"/usr/bin"+string(filepath.ListSeparator)+"/bin")
	return b
}

func (b *bench) write(path, content string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := executable.Write(path, []byte(content), 0o700); err != nil {
		b.t.Fatal(err)
	}
}

// script puts a command on PATH.
func (b *bench) script(name, content string) {
	b.t.Helper()
	b.write(filepath.Join(b.bin, name), "#!/bin/sh\n"+content)
}

// npm records its arguments in the directory, and creates the directory of the packages.
const npm = `mkdir -p node_modules; echo "$@" >> node_modules/arguments; cp package.json node_modules/manifest`

//nolint:paralleltest // it sets PATH
func TestUnusedInstallationsAreRemoved(t *testing.T) {
	b := newBench(t, map[string]string{"package.json": "{}"})
	b.script("npm", npm)
	b.script("node", "")
	prepare := func(version string) (installed string) {
		t.Helper()
		b.Version = version
		target := filepath.Join(t.TempDir(), "program")
		if err := b.Ready(t.Context(), "nodejs", b.program, target); err != nil {
			t.Fatal(err)
		}
		installed, err := filepath.EvalSymlinks(filepath.Join(target, "node_modules"))
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(installed)
	}
	long := time.Now().Add(-15 * 24 * time.Hour)
	used, left := prepare("1"), prepare("2")
	for _, dir := range []string{used, left} {
		if err := os.Chtimes(filepath.Join(dir, ".ready"), long, long); err != nil {
			t.Fatal(err)
		}
	}
	prepare("1")
	made := prepare("3")
	got, err := filepath.Glob(filepath.Join(b.Dir, "nodejs-*", ".ready"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(used, ".ready"), filepath.Join(made, ".ready")}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("installations (-want +got):\n%s", diff)
	}
}

//nolint:paralleltest // it sets PATH
func TestAProgramRunsInACopyWithItsPackages(t *testing.T) {
	b := newBench(t, map[string]string{
		"index.ts":               "program",
		"lib/more.ts":            "more",
		"node_modules/x/left.js": "left",
		"package.json":           `{"dependencies": {"@mixedkube/mixedkube": "file:x.tgz", "@pulumi/pulumi": "3"}}`,
		"package-lock.json":      "{}",
	})
	b.script("npm", npm)
	b.script("node", "")
	target := filepath.Join(t.TempDir(), "program")
	for range 2 { // the second time everything exists
		if err := b.Ready(t.Context(), "nodejs", b.program, target); err != nil {
			t.Fatal(err)
		}
	}
	sdks, err := filepath.Glob(filepath.Join(b.Dir, "sdks-*", "sdk.tgz"))
	if err != nil || len(sdks) != 1 {
		t.Fatalf("%q, %v", sdks, err)
	}
	const flags = "--ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error\n"
	want := map[string]string{
		"index.ts":               "program",
		"lib/more.ts":            "more",
		"package.json":           `{"dependencies": {"@mixedkube/mixedkube": "file:x.tgz", "@pulumi/pulumi": "3"}}`,
		"package-lock.json":      "{}",
		"node_modules/arguments": "ci " + flags + "install --no-save --no-package-lock " + sdks[0] + " " + flags,
		"node_modules/manifest":  "{\n  \"dependencies\": {\n    \"@pulumi/pulumi\": \"3\"\n  }\n}",
	}
	got := map[string]string{}
	for _, pattern := range []string{"*", "*/*"} {
		files, err := filepath.Glob(filepath.Join(target, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if content, err := os.ReadFile(file); err == nil {
				below, _ := filepath.Rel(target, file)
				got[below] = string(content)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	if b.packed != 1 {
		t.Errorf("the SDKs were packed %d times", b.packed)
	}
}

//nolint:paralleltest // it sets PATH
func TestALockFileIsInstalledWithoutTheSDK(t *testing.T) {
	b := newBench(t, map[string]string{"package.json": `{"name": "site"}`, "package-lock.json": "{}"})
	b.script("npm", npm)
	b.script("node", "")
	var installed string
	for range 2 { // the second time it exists
		var err error
		if installed, err = b.Locked(t.Context(), b.program); err != nil {
			t.Fatal(err)
		}
	}
	arguments, err := os.ReadFile(filepath.Join(installed, "arguments"))
	const want = "ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error\n"
	if err != nil || string(arguments) != want || b.packed != 0 {
		t.Errorf("npm %s(%v), and the SDKs are packed %d times; want npm %sand none", arguments, err, b.packed, want)
	}
}

//nolint:paralleltest // it sets PATH
func TestChangedPinsUseAnotherInstallation(t *testing.T) {
	b := newBench(t, map[string]string{"package.json": "{}"})
	b.script("npm", npm)
	b.script("node", "")
	target := filepath.Join(t.TempDir(), "program")
	for _, change := range []func(){
		func() {},
		func() { b.write(filepath.Join(b.program, "package.json"), `{"name": "x"}`) },
		func() { b.write(filepath.Join(b.program, "package-lock.json"), `{}`) },
		func() { b.Version = "2" },
	} {
		change()
		if err := b.Ready(t.Context(), "nodejs", b.program, target); err != nil {
			t.Fatal(err)
		}
	}
	installed, err := filepath.Glob(filepath.Join(b.Dir, "nodejs-*", ".ready"))
	if err != nil || len(installed) != 4 || b.packed != 2 {
		t.Errorf("installed %q (%v), packed %d times; want 4 and 2", installed, err, b.packed)
	}
}

//nolint:paralleltest // it sets PATH
func TestRequirementsAreInstalledWithoutTheFileOfTheSDK(t *testing.T) {
	b := newBench(t, map[string]string{
		"requirements.txt": "# made by make sdks\n../../sdk/mixedkube-0.0.0+dev-py3-none-any.whl\npulumi==3.255.0\n",
	})
	b.script("python3", `mkdir -p venv/bin; printf '#!/bin/sh\necho "$@" >> venv/arguments; `+
		`cp requirements.txt venv/' > venv/bin/python; chmod +x venv/bin/python`)
	target := filepath.Join(t.TempDir(), "program")
	if err := b.Ready(t.Context(), "python", b.program, target); err != nil {
		t.Fatal(err)
	}
	wheel, _ := filepath.Glob(filepath.Join(b.Dir, "sdks-*", "sdk.whl"))
	const pip = "-m pip install --quiet --disable-pip-version-check "
	for name, want := range map[string]string{
		"arguments": pip + "--requirement requirements.txt\n" + pip + "--no-deps " +
			strings.Join(wheel, " ") + "\n",
		"requirements.txt": "# made by make sdks\npulumi==3.255.0\n",
	} {
		content, err := os.ReadFile(filepath.Join(target, "venv", name))
		if err != nil || string(content) != want {
			t.Errorf("%s: %q, %v; want %q", name, content, err, want)
		}
	}
}

func TestUnavailablePackagesAreReported(t *testing.T) {
	for _, tt := range []struct {
		name, npm, want string
		unavailable     bool
	}{
		{"no npm", "", "npm is not on PATH: install Node.js with npm", true},
		{
			"no registry", "echo npm error code EAI_AGAIN >&2; exit 1",
			"npm install --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error does not reach its " +
				"registry (EAI_AGAIN)", true,
		},
		{
			"a wrong version", "echo npm error code ETARGET; exit 3",
			"npm install --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error in DIR: exit status " +
				"3\nnpm error code ETARGET", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"package.json": "{}"})
			t.Setenv("PATH", b.bin+string(filepath.ListSeparator)+"/bin")
			b.script("node", "")
			if tt.npm != "" {
				b.script("npm", tt.npm)
			} else {
				t.Setenv("PATH", b.bin)
			}
			err := b.Ready(t.Context(), "nodejs", b.program, filepath.Join(t.TempDir(), "program"))
			if err == nil {
				t.Fatal("no error")
			}
			installed, _ := filepath.Glob(filepath.Join(b.Dir, "nodejs-*[0-9a-f]"))
			text := err.Error()
			for _, dir := range installed {
				text = strings.ReplaceAll(text, dir, "DIR")
			}
			_, unavailable := errors.AsType[UnavailableError](err)
			if text != tt.want || unavailable != tt.unavailable {
				t.Errorf("unavailable: %t, %s\nwant %s", unavailable, text, tt.want)
			}
			if ready, _ := filepath.Glob(filepath.Join(b.Dir, "nodejs-*", ".ready")); len(ready) > 0 {
				t.Errorf("a failed installation counts as complete: %q", ready)
			}
		})
	}
}

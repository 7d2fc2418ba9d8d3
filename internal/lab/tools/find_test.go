//go:build unix

package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAToolOnPathIsTakenWhereItFits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, script        string
		version, passedOver string
	}{
		{"the same version", "echo hello version v1.2.3", "v1.2.3", ""},
		{"another patch", "echo warning; echo hello version 1.2.0", "v1.2.0", ""},
		{"another minor", "echo hello version v1.1.0", "", "BIN/hello is v1.1.0, v1.2 is needed"},
		{"no version", "echo hello", "", "BIN/hello --version names no version"},
		{"a version on stderr", "echo hello version v1.2.3 >&2", "", "BIN/hello --version names no version"},
		{"a failure", "echo hello version v1.2.3; exit 3", "", "BIN/hello --version failed: exit status 3"},
		{"a hanging tool", "sleep 60", "", "BIN/hello --version gave no answer in 300ms"},
		{"a hanging child", "sleep 60 & wait", "", "BIN/hello --version gave no answer in 300ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			path := b.script("hello", test.script)
			if strings.HasPrefix(test.script, "sleep") {
				b.askTimeout = 300 * time.Millisecond
			}
			started := time.Now()
			at, err := b.locateOne(t.Context(), fakeTable()[0])
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
			equal(t, "passed over", b.mask(at.passedOver), test.passedOver)
			if test.version == "" {
				if at.source != toBuild || at.version != "v1.2.3" {
					t.Errorf("taken: %s %s from %s", at.path, at.version, at.source)
				}
				return
			}
			if at.source != fromPath || at.path != path || at.version != test.version {
				t.Errorf("%s %s from %s", at.path, at.version, at.source)
			}
		})
	}
}

func TestOnlyExecutablesAreFoundOnPath(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, filepath.Join(b.bin, "hello"), "not executable")
	if err := os.Mkdir(filepath.Join(b.bin, "bye"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hello", "bye", "nothing"} {
		if path := lookPath(b.environ, name); path != "" {
			t.Errorf("%s: %s", name, path)
		}
	}
}

func TestRelativeDirectoriesOfPathAreLeftOut(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.script("hello", "")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(here, b.bin)
	if err != nil {
		t.Fatal(err)
	}
	if path := lookPath([]string{"PATH=" + relative}, "hello"); path != "" {
		t.Errorf("found %s", path)
	}
}

func TestLanguageHostNextToAMatchingPulumiIsUsed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, pulumi string
		host         bool
		version      string
		passedOver   string
	}{
		{"of the same release", "echo v1.3.0", true, "v1.3.0", ""},
		{"of an old release", "echo v1.2.2", true, "", ""},
		{"missing", "echo v1.3.0", false, "", "BIN/pulumi-language-go does not exist next to the pulumi on PATH"},
		{"without a pulumi", "", true, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.environ = append(b.environ, "PATH="+b.bin)
			if test.pulumi != "" {
				b.script("pulumi", test.pulumi)
			}
			if test.host {
				b.script("pulumi-language-go", "")
			}
			at, err := b.locateOne(t.Context(), fakeTable()[3])
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "passed over", b.mask(at.passedOver), test.passedOver)
			if (at.source == fromPath) != (test.version != "") || test.version != "" && at.version != test.version {
				t.Errorf("%s %s from %s", at.path, at.version, at.source)
			}
		})
	}
}

func TestTheProviderIsTakenFromPulumisPluginDirectory(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, variable, below string }{
		{"PULUMI_HOME", "PULUMI_HOME", ""},
		{"the home directory", homeVariable, ".pulumi"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			home := t.TempDir()
			b.environ = append(b.environ, "PULUMI_HOME=", test.variable+"="+home)
			plugins := filepath.Join(home, test.below, "plugins")
			path := filepath.Join(plugins, "resource-kubernetes-v1.2.3", "pulumi-resource-kubernetes")
			find := func() location {
				at, err := b.locateOne(t.Context(), fakeTable()[4])
				if err != nil {
					t.Fatal(err)
				}
				return at
			}

			program(t, filepath.Join(plugins, "resource-kubernetes-v1.2.4", "pulumi-resource-kubernetes"), "")
			if at := find(); at.source != toBuild {
				t.Errorf("another version is taken: %s", at.path)
			}
			program(t, path, "")
			if at := find(); at.source != fromPlugins || at.path != path || at.version != "v1.2.3" {
				t.Errorf("%s %s from %s", at.path, at.version, at.source)
			}
			write(t, filepath.Join(plugins, "resource-kubernetes-v1.2.3.partial"), "")
			at := find()
			if at.source != toBuild {
				t.Errorf("half an installation is taken: %s", at.path)
			}
			equal(t, "passed over", at.passedOver,
				filepath.Join(plugins, "resource-kubernetes-v1.2.3")+" is only partly installed")
		})
	}
}

package deploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// newStack returns a stack whose pulumi is a shell script.
func newStack(t *testing.T, pulumi string) Stack {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "pulumi")
	if err := executable.Write(script, []byte("#!/bin/sh\n"+pulumi), 0o700); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "Pulumi.dev.yaml")
	if err := os.WriteFile(config, []byte("config:\n  shop:size: 3\nencryptionsalt: the user's\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Stack{
		Name: "dev", Project: Project{Dir: project, Name: "shop", Runtime: goRuntime}, Config: config,
		Dir: filepath.Join(dir, "stack"), LabID: "ID",
		Kubeconfig: "/lab/kubeconfig",
		Tools: map[string]string{
			"pulumi": script, "pulumi-language-go": "/tools/host", "pulumi-language-yaml": "/tools/yaml",
			kubernetesPlugin: "/tools/plugin",
		},
		Version: func(tool string) (string, error) {
			return map[string]string{
				"pulumi-language-go": "v3.66.0", "pulumi-language-python": "v3.66.0",
				"pulumi-language-yaml": "v1.32.0", kubernetesPlugin: "v4.25.0",
			}[tool], nil
		},
		Out: new(strings.Builder),
	}
}

// initStack does what `pulumi stack init lab --cwd DIR` does, as a script.
const initStack = `if [ "$1" = stack ]; then echo "encryptionsalt: the lab's" > "$5/Pulumi.$3.yaml"; exit; fi
`

func TestUpRunsTheCLIOnItsOwnCopies(t *testing.T) {
	t.Setenv("PULUMI_ACCESS_TOKEN", "the user's")
	s := newStack(t, initStack+`echo "$@"; env | grep -E '^(PULUMI_|KUBECONFIG|MIXEDKUBE_LAB|TMPDIR)' | sort`)
	if err := s.Up(t.Context(), "--refresh"); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(s.Out.(*strings.Builder).String(), s.Dir, "DIR")
	want := `up --yes --refresh --stack dev --config-file DIR/Pulumi.dev.yaml
KUBECONFIG=/lab/kubeconfig
MIXEDKUBE_LAB=ID
PULUMI_BACKEND_URL=file://DIR/state
PULUMI_CONFIG_PASSPHRASE_FILE=DIR/passphrase
PULUMI_DEBUG_COMMANDS=true
PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true
PULUMI_HOME=DIR/home
PULUMI_IGNORE_AMBIENT_PLUGINS=true
PULUMI_SKIP_UPDATE_CHECK=true
TMPDIR=DIR/tmp
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the CLI (-want +got):\n%s", diff)
	}
	config, err := os.ReadFile(filepath.Join(s.Dir, "Pulumi.dev.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("encryptionsalt: the lab's\nconfig:\n    shop:size: 3\n", string(config)); diff != "" {
		t.Errorf("the configuration (-want +got):\n%s", diff)
	}
	plugins := filepath.Join(s.Dir, "home", "plugins")
	link := filepath.Join(plugins, "resource-kubernetes-v4.25.0", "pulumi-resource-kubernetes")
	if got, err := os.Readlink(link); err != nil || got != "/tools/plugin" {
		t.Errorf("the plugin is %s (%v)", got, err)
	}
	for _, secret := range []string{"passphrase", "Pulumi.dev.yaml"} {
		if info, err := os.Stat(filepath.Join(s.Dir, secret)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v (%v), want 600", secret, info.Mode(), err)
		}
	}
}

// The language host gets the arguments of Pulumi, and the program.
func TestLanguageHostGetsTheBuiltProgram(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack+`"$PULUMI_HOME"/plugins/language-go-v3.66.0/pulumi-language-go -root /x "two words"`)
	s.Dir = filepath.Join(t.TempDir(), "it's here")
	host := filepath.Join(t.TempDir(), "it's the host")
	if err := executable.Write(host, []byte("#!/bin/sh\nfor a; do echo \"$a\"; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s.Tools["pulumi-language-go"], s.Program, s.Out = host, "/x/it's b", &out
	if err := s.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("-binary\n/x/it's b\n-root\n/x\ntwo words\n", out.String()); diff != "" {
		t.Errorf("arguments of the host (-want +got):\n%s", diff)
	}
}

func TestAProgramInPythonRunsInItsVirtualEnvironment(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack)
	s.Project.Runtime, s.Program, s.Tools["pulumi-language-python"] = "python", "/go/plugin", "/tools/python"
	if err := s.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(s.Dir, "home", "plugins", "language-python-v3.66.0", "pulumi-language-python")
	script, err := os.ReadFile(place)
	want := "#!/bin/sh\nexec '/tools/python' '-virtualenv' '" + filepath.Join(s.Project.Dir, "venv") + "' \"$@\"\n"
	if err != nil || string(script) != want {
		t.Errorf("the host is %q, %v; want %q", script, err, want)
	}
}

// A program in another language is not built: its host finds the plugin.
func TestAnotherLanguageHasItsHostAndThePlugin(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack)
	s.Project.Runtime, s.Program = "yaml", "/go/plugin"
	if err := s.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	plugins := filepath.Join(s.Dir, "home", "plugins")
	got := map[string]string{}
	links, err := filepath.Glob(filepath.Join(plugins, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		place, _ := filepath.Rel(plugins, link)
		if got[place], err = os.Readlink(link); err != nil {
			script, err := os.ReadFile(link)
			if err != nil {
				t.Fatal(err)
			}
			got[place] = string(script)
		}
	}
	if diff := cmp.Diff(map[string]string{
		"language-yaml-v1.32.0/pulumi-language-yaml":              "#!/bin/sh\nexec '/tools/yaml' \"$@\"\n",
		"resource-kubernetes-v4.25.0/pulumi-resource-kubernetes":  "/tools/plugin",
		"resource-mixedkube-v0.0.0-dev/pulumi-resource-mixedkube": "/go/plugin",
	}, got); diff != "" {
		t.Errorf("the plugins (-want +got):\n%s", diff)
	}
}

// Programs request the plugin with this version, which is in a module that is not imported here.
func TestPluginVersionMatchesItsServer(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("..", "..", "provider", "server.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("const DevelopmentVersion = %q\n", strings.TrimPrefix(pluginVersion, "v"))
	if !strings.Contains(string(source), want) {
		t.Errorf("the plugin has no %s", want)
	}
}

func TestInterruptedCreationOfAStackIsRepeated(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack)
	left := filepath.Join(s.Dir, "state", "half")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the partially created stack still exists: %v", err)
	}
	state := filepath.Join(s.Dir, "state", "whole")
	if err := os.WriteFile(state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Preview(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(state); err != nil {
		t.Errorf("the state of a stack is not retained: %v", err)
	}
}

func TestExitsOfTheCLI(t *testing.T) {
	t.Parallel()
	t.Run("a failure is not a cut-off", func(t *testing.T) {
		t.Parallel()
		err := newStack(t, initStack+"exit 3").Up(t.Context())
		if err == nil || err.Error() != "pulumi up: exit status 3" || errors.Is(err, ErrCutOff) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("death by a signal is", func(t *testing.T) {
		t.Parallel()
		err := newStack(t, initStack+"kill -KILL $$").Up(t.Context())
		if !errors.Is(err, ErrCutOff) {
			t.Errorf("got %v, want %v", err, ErrCutOff)
		}
	})
	t.Run("an interrupted CLI ends in its own way", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := newStack(t, initStack+
			`trap 'echo saved > "$TMPDIR/end"; exit 1' INT; touch "$TMPDIR/running"; while true; do sleep 0.05; done`)
		ended := make(chan error, 1)
		go func() { ended <- s.Up(ctx) }()
		for {
			if _, err := os.Stat(filepath.Join(s.temp(), "running")); err == nil {
				break
			}
		}
		cancel()
		if err := <-ended; err == nil || errors.Is(err, ErrCutOff) {
			t.Errorf("got %v, want the CLI's own failure", err)
		}
		if _, err := os.Stat(filepath.Join(s.temp(), "end")); err != nil {
			t.Errorf("the CLI could not end by itself: %v", err)
		}
	})
}

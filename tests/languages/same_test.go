package languages

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// same is a stack that the programs of programs/same make, each in its language.
type same struct {
	lab    labtest.Lab
	config string
	// kubeconfig and token are the secrets of its configuration.
	kubeconfig, token string
}

func newSame(t *testing.T, l labtest.Lab) *same {
	t.Helper()
	kubeconfig, err := os.ReadFile(l.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	s := &same{
		lab: l, config: filepath.Join(t.TempDir(), "Pulumi.dev.yaml"), kubeconfig: string(kubeconfig),
		token: "secret-" + rand.Text(),
	}
	s.configure(t, 1)
	stack := s.in(t, "go")
	for key, value := range map[string]string{"same:kubeconfig": s.kubeconfig, "same:token": s.token} {
		if err := stack.SetSecret(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// configure writes the configuration.
func (s *same) configure(t *testing.T, replicas int) {
	t.Helper()
	content := fmt.Sprintf("config:\n  same:replicas: %d\n", replicas)
	if err := os.WriteFile(s.config, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// in is the stack with its program in a language, until the next call.
func (s *same) in(t *testing.T, language string) *deploy.Stack {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("programs", "same", language))
	if err != nil {
		t.Fatal(err)
	}
	if language != "go" {
		dir = withPins(t, dir)
	}
	stack, err := s.lab.Project(t.Context(), dir, "dev", s.config)
	available(t, "the stack in "+language, err)
	return stack
}

// timed fails unless run succeeds, and logs how long that takes.
func timed(t *testing.T, what string, run func() error) {
	t.Helper()
	started := time.Now()
	if err := run(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	t.Logf("%s: %.1f s", what, time.Since(started).Seconds())
}

func (s *same) up(t *testing.T, language string) *deploy.Stack {
	t.Helper()
	stack := s.in(t, language)
	timed(t, "update in "+language, func() error { return stack.Up(t.Context(), "--skip-preview") })
	return stack
}

// command is the CLI for the stack.
func command(ctx context.Context, stack *deploy.Stack, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, stack.Tools["pulumi"], append(args, "--stack", stack.Name)...)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	return cmd
}

func exported(t *testing.T, stack *deploy.Stack, args ...string) map[string]any {
	t.Helper()
	cmd := command(t.Context(), stack, append([]string{"stack", "export"}, args...)...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(out, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// TestTheSameStack makes a stack in Go, and goes on with it in the other languages.
func TestTheSameStack(t *testing.T) {
	t.Parallel()
	l := started(t)
	s := newSame(t, l)
	made := exported(t, s.up(t, "go"), "--show-secrets")
	dump(t, "go", made)
	for _, language := range []string{"yaml", "typescript", "python"} {
		t.Run(language, func(t *testing.T) {
			stack := s.in(t, language)
			timed(t, "preview", func() error { return stack.Preview(t.Context(), "--expect-no-changes", "--diff") })
			s.up(t, language)
			got := exported(t, stack, "--show-secrets")
			dump(t, language, got)
			if diff := cmp.Diff(made, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func dump(t *testing.T, name string, v any) {
	text, _ := json.MarshalIndent(v, "", " ")
	_ = os.WriteFile("/tmp/w/i31same-"+name+".json", text, 0o600)
	_ = strings.Builder{}
}

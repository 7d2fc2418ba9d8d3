package languages

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// same is a stack that each program of programs/same deploys, in its language.
type same struct {
	lab    labtest.Lab
	config string
	// secrets are the secrets of the configuration, by their keys.
	secrets map[string]string
}

func newSame(t *testing.T, l labtest.Lab) *same {
	t.Helper()
	kubeconfig, err := os.ReadFile(l.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	s := &same{
		lab: l, config: filepath.Join(t.TempDir(), "Pulumi.dev.yaml"),
		secrets: map[string]string{"same:kubeconfig": string(kubeconfig), "same:token": "secret-" + rand.Text()},
	}
	s.configure(t, 1)
	stack := s.in(t, "go")
	for key, value := range s.secrets {
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

// in returns the stack with its program in a language, until the next call.
func (s *same) in(t *testing.T, language string) *deploy.Stack {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("programs", "same", language))
	if err != nil {
		t.Fatal(err)
	}
	if language != "go" {
		dir = labtest.WithPins(t, dir, filepath.Base(dir))
	}
	stack, err := s.lab.Project(t.Context(), dir, "dev", s.config)
	labtest.Available(t, "the stack in "+language, err)
	return stack
}

// up updates the stack with its program in a language.
func (s *same) up(t *testing.T, language string) *deploy.Stack {
	t.Helper()
	stack := s.in(t, language)
	timed(t, "update in "+language, func() error { return stack.Up(t.Context(), "--skip-preview") })
	return stack
}

// timed fails unless run succeeds, and logs how long run takes.
func timed(t *testing.T, what string, run func() error) {
	t.Helper()
	started := time.Now()
	if err := run(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	t.Logf("%s: %.1f s", what, time.Since(started).Seconds())
}

// command returns a command of the CLI for a deployed stack.
func command(ctx context.Context, stack *deploy.Stack, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, stack.Tools["pulumi"], append(args, "--stack", stack.Name)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = stack.Project.Dir, stack.Environ(), stack.Out, stack.Out
	return cmd
}

// TestTheSameStack deploys a stack with the program in Go. The programs in other languages change nothing and
// leave the same state. Go reverts a change by another program, and each language completes an update that was
// interrupted in another one.
func TestTheSameStack(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	s := newSame(t, l)
	stack := s.up(t, "go")
	made := exported(t, stack)
	s.checkSecrets(t, stack)
	for _, language := range sample.Of(t, languages, 2) {
		t.Run("unchanged in "+language, func(t *testing.T) {
			stack := s.in(t, language)
			timed(t, "preview", func() error { return stack.Preview(t.Context(), "--expect-no-changes", "--diff") })
			s.up(t, language)
			s.checkSecrets(t, stack)
			made.checkUnchanged(t, exported(t, stack))
		})
	}
	t.Run("changed in yaml and reverted in go", func(t *testing.T) {
		s.configure(t, 2)
		changed := exported(t, s.up(t, "yaml"))
		spec := changed[deploymentURN]["inputs"].(map[string]any)["spec"].(map[string]any)
		if spec["replicas"] != 2.0 {
			t.Errorf("the Deployment has %v replicas, want 2", spec["replicas"])
		}
		s.configure(t, 1)
		got := exported(t, s.up(t, "go"))
		if diff := cmp.Diff(made.lasting(t), got.lasting(t)); diff != "" {
			t.Errorf("the stack (-before +after):\n%s", diff)
		}
	})
	for _, cut := range sample.Of(t, []struct{ first, then string }{
		{"go", "typescript"}, {"typescript", "yaml"}, {"yaml", "python"}, {"python", "go"},
	}, 1) {
		t.Run("interrupted in "+cut.first+" and completed in "+cut.then, func(t *testing.T) {
			s.interrupt(t, cut.first)
			completed := exported(t, s.up(t, cut.then))
			if diff := cmp.Diff(made.lasting(t), completed.withoutDefaults().lasting(t)); diff != "" {
				t.Errorf("the stack (-uninterrupted +completed):\n%s", diff)
			}
		})
	}
}

// waits matches the CLI's output for a resource that exists and is not ready yet. If an update is interrupted
// earlier, a resource may exist that is not in Pulumi's state, in any language.
var waits = regexp.MustCompile(`(web-deployment|shop:backup|agent-daemonset) creating \(\d+s\) \S`)

// interrupt destroys the stack, deploys it again with a program, and interrupts the update when Pulumi waits
// for pods.
func (s *same) interrupt(t *testing.T, language string) {
	t.Helper()
	stack := s.in(t, language)
	unprotect := []string{"state", "unprotect", "--all", "--yes"}
	if err := command(t.Context(), stack, unprotect...).Run(); err != nil {
		t.Fatalf("pulumi %q: %v", unprotect, err)
	}
	timed(t, "removal", func() error { return stack.Destroy(t.Context(), "--skip-preview") })
	s.lab.Out.Take()
	s.schedule(t, false)
	defer s.schedule(t, true)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error, 1)
	go func() { ended <- stack.Up(ctx, "--skip-preview") }()
	output := ""
	labtest.Eventually(t, func(context.Context) string {
		output += s.lab.Out.Take()
		waiting := map[string]bool{}
		for _, shown := range waits.FindAllStringSubmatch(output, -1) {
			waiting[shown[1]] = true
		}
		if len(waiting) < 3 {
			return fmt.Sprintf("Pulumi waits only for %v:\n%s", waiting, output)
		}
		return ""
	})
	interrupt()
	if err := <-ended; err == nil || errors.Is(err, deploy.ErrCutOff) {
		t.Fatalf("the update ends with %v, want the CLI's own failure", err)
	}
	if left := exported(t, stack); left[deploymentURN]["initErrors"] == nil {
		t.Errorf("Pulumi's state does not say that the Deployment is not ready: %v", left[deploymentURN])
	}
}

// schedule makes Windows nodes schedulable or unschedulable.
func (s *same) schedule(t *testing.T, pods bool) {
	t.Helper()
	nodes := s.lab.ClientOf(t).CoreV1().Nodes()
	windows, err := nodes.List(t.Context(), metav1.ListOptions{LabelSelector: "kubernetes.io/os=windows"})
	if err != nil {
		t.Fatal(err)
	}
	patch := fmt.Appendf(nil, `{"spec": {"unschedulable": %t}}`, !pods)
	for _, node := range windows.Items {
		_, err := nodes.Patch(t.Context(), node.Name, types.MergePatchType, patch, metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
}

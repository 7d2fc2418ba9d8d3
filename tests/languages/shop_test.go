package languages

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// shop is a stack of the shop in one language.
type shop struct {
	lab   labtest.Lab
	stack *deploy.Stack

	// config is its configuration file, and secret is a value that only the configuration has.
	config, secret string
}

// newShop returns a stack in the lab with the shop of a directory.
func newShop(t *testing.T, l labtest.Lab, dir string) *shop {
	t.Helper()
	s := &shop{lab: l, config: filepath.Join(t.TempDir(), "Pulumi.dev.yaml"), secret: "secret-" + rand.Text()}
	s.configure(t, false)
	stack, err := l.Project(t.Context(), labtest.WithPins(t, dir, filepath.Base(dir)), "dev", s.config)
	labtest.Available(t, "the shop in "+filepath.Base(dir), err)
	s.stack = stack
	if err := stack.SetSecret(t.Context(), "shop:password", s.secret); err != nil {
		t.Fatal(err)
	}
	return s
}

// configure writes the configuration. With hostPID, the pod is not valid for Windows.
func (s *shop) configure(t *testing.T, hostPID bool) {
	t.Helper()
	content := fmt.Sprintf("config:\n  shop:kubeconfig: %s\n  shop:hostPID: %t\n", s.lab.Kubeconfig(), hostPID)
	if err := os.WriteFile(s.config, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// testShop deploys the shop of a language, changes it and destroys it.
func testShop(t *testing.T, s *shop) {
	t.Helper()
	var output strings.Builder
	step := func(want string, run func() error) string {
		t.Helper()
		s.lab.Out.Take()
		err := run()
		text := s.lab.Out.Take()
		output.WriteString(text)
		if got := fmt.Sprint(err); got != want {
			t.Fatalf("the error is %s, want %s\n%s", got, want, text)
		}
		return text
	}
	none := fmt.Sprint(error(nil))

	preview := step(none, func() error { return s.stack.Preview(t.Context(), "--diff") })
	labtest.Contains(t, preview, "mixedkube:runtimeclass:Set", "kubernetes:node.k8s.io/v1:RuntimeClass",
		"mixedkube:workload:Deployment", "kubernetes:apps/v1:Deployment")
	step(none, func() error { return s.stack.Up(t.Context(), "--skip-preview") })
	s.lab.Settles(t)
	s.checkPods(t)
	step(none, func() error { return s.stack.Preview(t.Context(), "--expect-no-changes") })
	s.checkSecret(t)

	s.configure(t, true)
	wrong := step("pulumi preview: exit status 1", func() error { return s.stack.Preview(t.Context()) })
	const wantAt = `web error: mixedkube:workload:Deployment "web": spec.template.spec.hostPID: … (MK111)`
	errs := slices.DeleteFunc(labtest.ErrorsAt(wrong), func(err string) bool {
		// Python's SDK adds this line.
		return strings.HasSuffix(err, " error: Program failed with an unhandled exception:")
	})
	// The engine reports the first error, at the stack.
	if len(errs) != 2 || !strings.HasPrefix(errs[0], "shop-dev error: ") ||
		!strings.HasSuffix(errs[0], "'web' has a problem: see its errors") ||
		!cmp.Equal(wantAt, errs[1], golden.AnySentence) {
		t.Errorf("the errors are %q, want %s\n%s", errs, wantAt, wrong)
	}
	s.configure(t, false)

	step(none, func() error { return s.stack.Destroy(t.Context(), "--skip-preview") })
	if strings.Contains(output.String(), s.secret) {
		t.Errorf("Pulumi's output contains the secret:\n%s", output.String())
	}
	s.checkEmpty(t)
}

// checkPods fails unless the pods of the shop run on the pool of their platform, with the program's secret and
// settings.
func (s *shop) checkPods(t *testing.T) {
	t.Helper()
	pods, err := s.lab.ClientOf(t).CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{
		LabelSelector: "app=web",
	})
	if err != nil {
		t.Fatal(err)
	}
	var pools []string
	for _, pod := range pods.Items {
		pool, _, _ := strings.Cut(pod.Spec.NodeName, "-")
		pools = append(pools, pool)
		of := pod.Spec.Containers[0]
		if of.Env[0].Value != s.secret || !strings.HasPrefix(of.EnvFrom[0].ConfigMapRef.Name, "settings-") {
			t.Errorf("the container has env %v, envFrom %v", of.Env, of.EnvFrom)
		}
	}
	if diff := cmp.Diff([]string{"win22", "win22"}, pools); diff != "" {
		t.Errorf("pools of the pods (-want +got):\n%s", diff)
	}
}

// checkSecret fails if a file of Pulumi contains the secret.
func (s *shop) checkSecret(t *testing.T) {
	t.Helper()
	files := 0
	if err := filepath.WalkDir(s.stack.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), s.secret) {
			t.Errorf("the secret is in %s", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if files < 3 {
		t.Errorf("Pulumi has only %d files in %s", files, s.stack.Dir)
	}
}

// checkEmpty fails if objects of the shop still exist.
func (s *shop) checkEmpty(t *testing.T) {
	t.Helper()
	client := s.lab.ClientOf(t)
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	classes, err := client.NodeV1().RuntimeClasses().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(deployments.Items)+len(classes.Items) > 0 {
		t.Errorf("left: %v, %v", deployments.Items, classes.Items)
	}
}

package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// testLab is a lab that only one test uses.
type testLab struct{ labtest.Lab }

// newLab returns a lab that has never been started. The lab is taken down after the test, whatever its state is.
func newLab(t *testing.T) testLab {
	t.Helper()
	return testLab{labtest.New(t)}
}

// emptyLab returns a running lab for a stack of the checkout, without a deployment.
func emptyLab(t *testing.T, stack string) testLab {
	t.Helper()
	return testLab{labtest.Empty(t, lab.Options{Stack: stack})}
}

// processes returns the processes of the lab.
func (l testLab) processes(t *testing.T) []int {
	t.Helper()
	pids, err := processes.Of(l.ID())
	if err != nil {
		t.Fatal(err)
	}
	return pids
}

// labCommand returns the directory of the command that the Makefile runs.
func labCommand(t *testing.T) string {
	t.Helper()
	return filepath.Join(checkout(t), "internal", "lab", "cmd", "lab")
}

// client connects to the lab's cluster.
func (l testLab) client(t *testing.T) *kubernetes.Clientset {
	t.Helper()
	return l.ClientOf(t)
}

// checkout returns the root of the repository.
func checkout(t *testing.T) string {
	t.Helper()
	return labtest.Checkout(t)
}

func eventually(t *testing.T, check func(ctx context.Context) string) {
	t.Helper()
	labtest.Eventually(t, check)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	labtest.Contains(t, text, parts...)
}

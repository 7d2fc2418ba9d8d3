package pins

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestRecordedPoolsDoNotChange previews stacks with pools in AKS that an earlier version has deployed, in its Azure:
// there is nothing to do.
func TestRecordedPoolsDoNotChange(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab"})
	azure, err := os.ReadFile(filepath.Join("testdata", "azure", "azure.json"))
	check(t, err)
	check(t, os.MkdirAll(l.AzureDir(), 0o700))
	check(t, os.WriteFile(filepath.Join(l.AzureDir(), "state.json"), azure, 0o600))
	for _, c := range []struct{ stack, config string }{{"clusters", "  azure:named: true\n"}, {"joining", ""}} {
		t.Run(c.stack, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "Pulumi."+c.stack+".yaml")
			check(t, os.WriteFile(file, []byte("config:\n  azure-native:location: westeurope\n"+c.config), 0o600))
			stack, err := l.Project(
				t.Context(),
				filepath.Join(l.Root, "tests", "pins", "testdata", "azure"),
				c.stack,
				file,
			)
			check(t, err)
			restore(t, l, stack)
			l.Out.Take()
			if err := stack.Preview(t.Context(), "--diff", "--expect-no-changes"); err != nil {
				t.Errorf("%v\n%s", err, l.Out.Take())
			}
		})
	}
}

// restore gives a stack its recorded state, with the kubeconfig of the lab.
func restore(t *testing.T, l labtest.Lab, stack *deploy.Stack) {
	t.Helper()
	check(t, stack.SetSecret(t.Context(), "azure:windowsPassword", "Recorded-Password-9"))
	config, err := os.ReadFile(filepath.Join(stack.Dir, "init", "Pulumi."+stack.Name+".yaml"))
	check(t, err)
	var secrets struct{ Encryptionsalt string }
	check(t, yaml.Unmarshal(config, &secrets))
	kubeconfig, err := os.ReadFile(l.Kubeconfig())
	check(t, err)
	for range 2 { // a secret is a text with JSON
		kubeconfig, err = json.Marshal(string(kubeconfig))
		check(t, err)
		kubeconfig = kubeconfig[1 : len(kubeconfig)-1]
	}
	state, err := os.ReadFile(filepath.Join("testdata", "azure", stack.Name+".json"))
	check(t, err)
	text := strings.NewReplacer("KUBECONFIG", string(kubeconfig), "SALT", secrets.Encryptionsalt).Replace(string(state))
	file := filepath.Join(t.TempDir(), "state.json")
	check(t, os.WriteFile(file, []byte(text), 0o600))
	check(t, stack.Restore(t.Context(), file))
}

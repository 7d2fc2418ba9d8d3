package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// checkSearched checks that the search works: it must find the administrator's name in the files that could also have
// secrets, and the kubeconfig in its file.
func checkSearched(t *testing.T, l azureLab, records string) {
	t.Helper()
	all := append(leaks.OfKubeconfig(t, l.Kubeconfig()), leaks.Secret{Name: "name", Text: "azureuser"})
	found := leaks.Find(t, []string{l.Dir, records}, nil, all)
	backend := filepath.Join(l.Dir, "pulumi", "*", "state", ".pulumi")
	for pattern, names := range map[string][]string{
		l.Kubeconfig(): {
			"client's key", "client's certificate",
			"cluster's certificate",
		},
		filepath.Join(l.AzureDir(), "*.json"):                              {"name"},
		filepath.Join(records, "*", "*.jsonl"):                             {"name"},
		filepath.Join(records, "*", "output"):                              {"name"},
		filepath.Join(backend, "stacks", "*", "lab.json"):                  {"name"},
		filepath.Join(backend, "backups", "*", "lab", "*.json"):            {"name"},
		filepath.Join(backend, "history", "*", "lab", "*.checkpoint.json"): {"name"},
	} {
		for _, name := range names {
			if !slices.ContainsFunc(found, func(f string) bool {
				path, has := strings.CutSuffix(f, ": "+name)
				matches, err := filepath.Match(pattern, path)
				check(t, err)
				return has && matches
			}) {
				t.Errorf("the search does not find the %s in %s", name, pattern)
			}
		}
	}
}

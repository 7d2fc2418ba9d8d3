package e2e

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// kubeconfigSecrets are parts of a kubeconfig: a line from the middle of the key, and
// of each certificate.
func kubeconfigSecrets(t *testing.T, path string) []secret {
	t.Helper()
	config, err := clientcmd.LoadFromFile(path)
	check(t, err)
	var parts []secret
	add := func(name string, pem []byte) {
		lines := strings.Split(string(pem), "\n")
		line := secret{name, lines[len(lines)/2]}
		if len(line.text) < 32 {
			t.Fatalf("the %s in %s has no long line in the middle", name, path)
		}
		parts = append(parts, line)
	}
	for _, user := range config.AuthInfos {
		add("client's key", user.ClientKeyData)
		add("client's certificate", user.ClientCertificateData)
	}
	for _, cluster := range config.Clusters {
		add("cluster's certificate", cluster.CertificateAuthorityData)
	}
	if len(parts) != 3 {
		t.Fatalf("%s has %d secrets, want 3", path, len(parts))
	}
	return parts
}

var pluginKubeconfig = regexp.MustCompile(`/pulumi/[^/]+/tmp/kubeconfig\d+$`)

// checkSearched sees that the search would find what is written where secrets might be
// as well: the administrator's name and, where it may be, the kubeconfig.
func checkSearched(t *testing.T, l azureLab, records string) {
	t.Helper()
	all := append(kubeconfigSecrets(t, l.Kubeconfig()), secret{"name", "azureuser"})
	found := findSecrets(t, []string{l.Dir, records}, nil, all)
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

package leaks

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// OfKubeconfig returns parts of a kubeconfig: a line from the middle of the key and of each certificate.
func OfKubeconfig(t *testing.T, path string) []Secret {
	t.Helper()
	config, err := clientcmd.LoadFromFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var parts []Secret
	add := func(name string, pem []byte) {
		lines := strings.Split(string(pem), "\n")
		line := Secret{name, lines[len(lines)/2]}
		if len(line.Text) < 32 {
			t.Fatalf("the %s in %s has no long line in the middle", name, path)
		}
		parts = append(parts, line)
	}
	for _, name := range slices.Sorted(maps.Keys(config.AuthInfos)) {
		add("client's key", config.AuthInfos[name].ClientKeyData)
		add("client's certificate", config.AuthInfos[name].ClientCertificateData)
	}
	for _, name := range slices.Sorted(maps.Keys(config.Clusters)) {
		add("cluster's certificate", config.Clusters[name].CertificateAuthorityData)
	}
	if len(parts) != 3 {
		t.Fatalf("%s has %d secrets, want 3", path, len(parts))
	}
	return parts
}

// OfPlugin matches the paths of the files into which the kubernetes plugin writes its configured kubeconfig for Helm,
// and which it does not delete.
var OfPlugin = regexp.MustCompile(`/pulumi/[^/]+/tmp/kubeconfig\d+$`)

package examples_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// TestGeneratedReleases writes the releases that the programs of kubeadm-quickstart in other languages than Go
// take from their configuration, with -update. Hashes that only the publishers know are empty.
func TestGeneratedReleases(t *testing.T) {
	t.Parallel()
	const minor = "1.36." // of the programs
	var text strings.Builder
	write := func(depth int, format string, args ...any) {
		text.WriteString(strings.Repeat("  ", depth))
		fmt.Fprintf(&text, format+"\n", args...)
	}
	downloads := func(depth int, d bootstrap.Downloads) {
		for _, file := range []struct {
			system string
			bootstrap.Download
		}{{"linux", d.Linux}, {"windows", d.Windows}} {
			if file.URL != "" {
				write(depth, "%s:", file.system)
				write(depth+1, "url: %s", file.URL)
				write(depth+1, "sha256: %q", file.SHA256)
			}
		}
	}
	write(0, "# What the machines download, for the stack files of programs in TypeScript, Python and YAML.")
	write(0, "# The preview says where to read the hashes that are empty here. Written by `make generate`.")
	write(0, "config:")
	write(1, "kubeadm-quickstart:releases:")
	write(2, "kubernetes:")
	known := bootstrap.KnownReleases()
	for _, release := range known.Kubernetes {
		if !strings.HasPrefix(release.Version, minor) {
			continue
		}
		write(3, "- version: %s", release.Version)
		for _, program := range []struct {
			name string
			bootstrap.Downloads
		}{
			{"kubelet", release.Kubelet},
			{"kubeadm", release.Kubeadm},
			{"kubectl", release.Kubectl},
			{"kubeProxy", release.KubeProxy},
		} {
			write(4, "%s:", program.name)
			downloads(5, program.Downloads)
		}
	}
	for _, program := range []struct {
		name string
		bootstrap.Release
	}{
		{"containerd", known.Containerd},
		{"runc", known.Runc},
		{"cniPlugins", known.CNIPlugins},
		{"flannel", known.Flannel},
		{"flannelPlugin", known.FlannelPlugin},
	} {
		write(2, "%s:", program.name)
		write(3, "version: %s", program.Version)
		downloads(3, program.Downloads)
	}
	golden.Equal(t, "kubeadm-quickstart/releases.yaml", text.String())
}

package bootstrap_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func TestReleasesWithDefaults(t *testing.T) {
	t.Parallel()
	const own = "https://downloads.example.com/kubernetes/v1.36.4/kubelet.exe"
	// known returns the known releases after a change.
	known := func(change func(r *bootstrap.Releases)) bootstrap.Releases {
		r := bootstrap.KnownReleases()
		change(&r)
		return r
	}
	first := func(r *bootstrap.Releases) {
		r.Kubernetes = slices.Concat(r.Kubernetes[2:3], r.Kubernetes[:2], r.Kubernetes[3:])
	}
	for _, tt := range []struct {
		name     string
		in, want bootstrap.Releases
	}{
		{"nothing", bootstrap.Releases{}, bootstrap.KnownReleases()},
		{"everything", bootstrap.KnownReleases(), bootstrap.KnownReleases()},
		{
			"the pause image",
			bootstrap.Releases{PauseImage: "registry.example.com/pause:3.10.2"},
			known(func(r *bootstrap.Releases) { r.PauseImage = "registry.example.com/pause:3.10.2" }),
		},
		{
			"a file of one's own",
			bootstrap.Releases{Kubernetes: []bootstrap.KubernetesRelease{{
				Version: "1.36.4",
				Kubelet: bootstrap.Downloads{Windows: bootstrap.Download{URL: own, SHA256: someHash}},
			}}},
			known(func(r *bootstrap.Releases) {
				first(r)
				r.Kubernetes[0].Kubelet.Windows = bootstrap.Download{URL: own, SHA256: someHash}
			}),
		},
		{
			"a file of one's own without a hash",
			bootstrap.Releases{Containerd: bootstrap.Release{
				Downloads: bootstrap.Downloads{Linux: bootstrap.Download{URL: own}},
			}},
			known(func(r *bootstrap.Releases) { r.Containerd.Linux = bootstrap.Download{URL: own} }),
		},
		{
			"the hash of a published file",
			bootstrap.Releases{Flannel: bootstrap.Release{
				Downloads: bootstrap.Downloads{Windows: bootstrap.Download{SHA256: someHash}},
			}},
			known(func(r *bootstrap.Releases) { r.Flannel.Windows.SHA256 = someHash }),
		},
		{
			"another hash of a published file",
			bootstrap.Releases{Runc: bootstrap.Release{
				Downloads: bootstrap.Downloads{Linux: bootstrap.Download{SHA256: someHash}},
			}},
			known(func(r *bootstrap.Releases) { r.Runc.Linux.SHA256 = someHash }),
		},
		{
			"another version, whose hashes are not known",
			bootstrap.Releases{Containerd: bootstrap.Release{Version: "2.4.0"}},
			known(func(r *bootstrap.Releases) {
				const at = "https://github.com/containerd/containerd/releases/download/v2.4.0/containerd-2.4.0-"
				r.Containerd.Version = "2.4.0"
				r.Containerd.Linux = bootstrap.Download{URL: at + "linux-amd64.tar.gz"}
				r.Containerd.Windows = bootstrap.Download{URL: at + "windows-amd64.tar.gz"}
			}),
		},
		{
			"a wrong version leaves the addresses alone",
			bootstrap.Releases{Containerd: bootstrap.Release{Version: "latest"}},
			known(func(r *bootstrap.Releases) { r.Containerd.Version = "latest" }),
		},
		{
			"another patch release of Kubernetes",
			bootstrap.Releases{Kubernetes: []bootstrap.KubernetesRelease{{Version: "1.36.3"}}},
			known(func(r *bootstrap.Releases) {
				first(r)
				const at = "https://dl.k8s.io/v1.36.3/bin/"
				linux := func(name string) bootstrap.Download {
					return bootstrap.Download{URL: at + "linux/amd64/" + name}
				}
				windows := func(name string) bootstrap.Download {
					return bootstrap.Download{URL: at + "windows/amd64/" + name + ".exe"}
				}
				r.Kubernetes[0] = bootstrap.KubernetesRelease{
					Version:   "1.36.3",
					Kubelet:   bootstrap.Downloads{Linux: linux("kubelet"), Windows: windows("kubelet")},
					Kubeadm:   bootstrap.Downloads{Linux: linux("kubeadm"), Windows: windows("kubeadm")},
					Kubectl:   bootstrap.Downloads{Linux: linux("kubectl")},
					KubeProxy: bootstrap.Downloads{Windows: windows("kube-proxy")},
				}
			}),
		},
		{
			"a minor version that is not known",
			bootstrap.Releases{Kubernetes: []bootstrap.KubernetesRelease{{
				Version: "1.38.0",
				Kubelet: bootstrap.Downloads{Linux: bootstrap.Download{URL: own, SHA256: someHash}},
			}}},
			known(func(r *bootstrap.Releases) {
				at := func(file string) bootstrap.Download {
					return bootstrap.Download{URL: "https://dl.k8s.io/v1.38.0/bin/" + file}
				}
				r.Kubernetes = append([]bootstrap.KubernetesRelease{{
					Version: "1.38.0",
					Kubelet: bootstrap.Downloads{
						Linux:   bootstrap.Download{URL: own, SHA256: someHash},
						Windows: at("windows/amd64/kubelet.exe"),
					},
					Kubeadm: bootstrap.Downloads{
						Linux: at("linux/amd64/kubeadm"), Windows: at("windows/amd64/kubeadm.exe"),
					},
					Kubectl:   bootstrap.Downloads{Linux: at("linux/amd64/kubectl")},
					KubeProxy: bootstrap.Downloads{Windows: at("windows/amd64/kube-proxy.exe")},
				}}, r.Kubernetes...)
			}),
		},
		{
			"a wrong version of Kubernetes is not completed",
			bootstrap.Releases{Kubernetes: []bootstrap.KubernetesRelease{{Version: "1.36"}}},
			known(func(r *bootstrap.Releases) {
				r.Kubernetes = append([]bootstrap.KubernetesRelease{{Version: "1.36"}}, r.Kubernetes...)
			}),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := hashes(tt.in)
			got := tt.in.WithDefaults()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("releases (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, got.WithDefaults()); diff != "" {
				t.Errorf("completed twice (-once +twice):\n%s", diff)
			}
			if diff := cmp.Diff(before, hashes(tt.in)); diff != "" {
				t.Errorf("the input is changed (-before +after):\n%s", diff)
			}
		})
	}
}

package machine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the bootstrap tells the kubelets of its nodes.
var (
	linuxKubelet = Kubelet{
		SystemReserved: map[string]string{"cpu": "100m", "memory": "256Mi"},
		KubeReserved:   map[string]string{"cpu": "100m", "memory": "256Mi"},
		EvictionHard: map[string]string{
			"memory.available": "100Mi", "nodefs.available": "10%",
			"nodefs.inodesFree": "5%", "imagefs.available": "15%", "imagefs.inodesFree": "5%",
		},
	}
	windowsKubelet = Kubelet{
		SystemReserved: map[string]string{"cpu": "250m", "memory": "2Gi"},
		KubeReserved:   map[string]string{"cpu": "100m", "memory": "512Mi"},
		EvictionHard: map[string]string{
			"memory.available": "500Mi", "nodefs.available": "10%",
			"imagefs.available": "15%",
		},
	}
)

// The configurations are those that the bootstrap writes, in the places where it writes
// them.
func TestTheKubeletsOfRealBootstraps(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Kubelet{"linux-1": linuxKubelet, "win-1": windowsKubelet} {
		files := nodeFiles(t, name)
		d := newDisk(name == "win-1")
		for _, f := range files {
			d.addFile(f.Path, f.Content)
		}
		got, err := d.kubelet()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the kubelet of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestKubeletsThatAreMerged(t *testing.T) {
	t.Parallel()
	d := newDisk(false)
	d.addFile("/a.yaml",
		"apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n---\napiVersion: "+
			"kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 60\nsystemReserved: {cpu: 100m, "+
			"memory: 1Gi}\n")
	d.addFile("/b.yaml",
		"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nsystemReserved: {memory: 2Gi}\n")
	d.addFile("/c.yaml", "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: CredentialProviderConfig\nmaxPods: 1\n")
	got, err := d.kubelet()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Kubelet{MaxPods: 60, SystemReserved: map[string]string{"cpu": "100m", "memory": "2Gi"}},
		got); diff != "" {
		t.Errorf("the kubelet (-want +got):\n%s", diff)
	}
	d.addFile("/d.yaml",
		"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nkubeReserved: {memory: much}\n")
	const want = `/d.yaml: the configuration of the kubelet has no quantity for memory of kubeReserved: "much"`
	if _, err := d.kubelet(); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

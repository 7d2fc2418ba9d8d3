package kubeadm_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

func small() *kubeadm.ClusterArgs {
	r := bootstrap.KnownReleases()
	const h = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for i := range r.Kubernetes {
		r.Kubernetes[i].Kubelet.Windows.SHA256 = h
		r.Kubernetes[i].Kubeadm.Windows.SHA256 = h
		r.Kubernetes[i].KubeProxy.Windows.SHA256 = h
	}
	r.Containerd.Windows.SHA256 = h
	r.CNIPlugins.Windows.SHA256 = h
	r.Flannel.Windows.SHA256 = h
	r.FlannelPlugin.Windows.SHA256 = h
	return &kubeadm.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 1, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		},
		Secret:       pulumi.String("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="),
		LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-ed25519 AAAA someone")},
		WindowsAdmin: kubeadm.WindowsAdmin{Password: pulumi.String("Correct-Horse-Battery-9")},
		Releases:     r,
	}
}

func TestSmoke(t *testing.T) {
	for _, o := range []mocktest.Option{mocktest.All(), mocktest.Preview()} {
		g, err := mocktest.Run(func(ctx *pulumi.Context) error {
			_, err := kubeadm.NewCluster(ctx, "shop", small())
			return err
		}, mocktest.Outputs(kubeadmtest.Outputs), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(g.String())
	}
}

package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// TestClustersHaveSeparateHooks creates two clusters in one program: the plugin serves both from one process, and
// the engine identifies a hook by its name.
func TestClustersHaveSeparateHooks(t *testing.T) {
	t.Parallel()
	all := good(t)
	untyped := func(token string) func(*pulumi.Context, string) error {
		return func(ctx *pulumi.Context, name string) error {
			_, err := register(ctx, token, name, asInput(all[token]).(pulumi.Map))
			return err
		}
	}
	pools := []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
	}
	password := pulumi.String("Correct-Horse-Battery-9")
	for name, tt := range map[string]struct {
		azure mocktest.Option
		make  func(ctx *pulumi.Context, name string) error
	}{
		"aks, in Go": {akstest.Azure(), func(ctx *pulumi.Context, name string) error {
			_, err := aks.NewCluster(ctx, name, &aks.ClusterArgs{
				KubernetesVersion: "1.35", Pools: pools, WindowsAdmin: aks.WindowsAdmin{Password: password},
			})
			return err
		}},
		"aks, of the plugin": {akstest.Azure(), untyped("mixedkube:aks:Cluster")},
		"kubeadm, in Go": {kubeadmtest.Azure(), func(ctx *pulumi.Context, name string) error {
			_, err := kubeadm.NewCluster(ctx, name, &kubeadm.ClusterArgs{
				KubernetesVersion: "1.36", Pools: pools[1:], Releases: allReleases(t),
				LinuxAdmin: kubeadm.LinuxAdmin{
					SSHPublicKey: pulumi.String("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH someone"),
				},
				WindowsAdmin: kubeadm.WindowsAdmin{Password: password},
			})
			return err
		}},
		"kubeadm, of the plugin": {kubeadmtest.Azure(), untyped("mixedkube:kubeadm:Cluster")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				for _, name := range []string{"shop", "bank"} {
					if err := tt.make(ctx, name); err != nil {
						return err
					}
				}
				return nil
			}, mocktest.Preview(), tt.azure, served(t))
			for _, cluster := range []string{"shop", "bank"} {
				var others []string
				own := 0
				for _, r := range graph.Resources() {
					if r.Name != cluster && !strings.HasPrefix(r.Name, cluster+"-") {
						continue
					}
					for _, hook := range slices.Concat(r.Hooks.BeforeCreate, r.Hooks.AfterCreate, r.Hooks.BeforeUpdate,
						r.Hooks.AfterUpdate, r.Hooks.BeforeDelete, r.Hooks.AfterDelete, r.ErrorHooks) {
						own++
						_, urn, _ := strings.Cut(hook, "Cluster::")
						if of, _, _ := strings.Cut(urn, "/"); of != cluster {
							others = append(others, fmt.Sprintf("%s of %s", hook, r.Name))
						}
					}
				}
				if own == 0 || len(others) > 0 {
					t.Errorf("%d hooks of %s, and these do not have its URN: %s", own, cluster, others)
				}
			}
		})
	}
}

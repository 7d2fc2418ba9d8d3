package plan_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// trusted and unguarded are the defaults of machines.
var (
	trusted   = plan.Security{Type: plan.TrustedLaunch}
	unguarded = plan.Security{Type: plan.StandardSecurity}
)

func TestTheSecurityOfMachines(t *testing.T) {
	t.Parallel()
	standard := plan.Security{Type: plan.StandardSecurity}
	withoutSecureBoot := plan.Security{Type: plan.TrustedLaunch, DisableSecureBoot: true}
	encrypted := plan.Security{Type: plan.TrustedLaunch, EncryptionAtHost: true}
	for name, tt := range map[string]struct {
		kind   network.Kind
		change func(*plan.Cluster)
		// The security of the control plane, of the Linux pool and of the Windows pool.
		controlPlane, linux, windows plan.Security
	}{
		"by default": {"", nil, trusted, trusted, trusted},
		"a size that starts generation 1 only": {
			"", func(c *plan.Cluster) { c.ControlPlane.Size, c.Pools[0].Size = "Standard_D4_v3", "Standard_D3_v2" },
			unguarded, unguarded, trusted,
		},
		"a size that is not known": {
			"", func(c *plan.Cluster) { c.Pools[0].Size = "Standard_NC4as_T4_v3" }, trusted, unguarded, trusted,
		},
		"images in a version": {
			"", func(c *plan.Cluster) {
				c.ControlPlane.Image.Version = "24.04.1"
				c.PoolOptions["win22"] = plan.PoolOptions{Image: plan.Image{
					Publisher: "microsoftwindowsserver", Offer: "windowsserver", SKU: "2022-Datacenter-G2",
					Version: "1.2.3",
				}}
			}, trusted, trusted, trusted,
		},
		"unknown images": {
			"", func(c *plan.Cluster) {
				c.ControlPlane.Image.ID = "/subscriptions/s/image"
				c.PoolOptions["linux"] = plan.PoolOptions{Image: plan.Image{
					Publisher: "Canonical", Offer: "ubuntu-24_04-lts", SKU: "server-gen1", Version: "latest",
				}}
				c.PoolOptions["win22"] = plan.PoolOptions{Image: plan.Image{
					Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer", SKU: "2022-datacenter-core",
					Version: "latest",
				}}
			}, unguarded, unguarded, unguarded,
		},
		"one's own image, and what it has": {
			"", func(c *plan.Cluster) {
				c.PoolOptions["win22"] = plan.PoolOptions{
					Image:    plan.Image{ID: "/subscriptions/s/image"},
					Security: plan.Security{Type: plan.TrustedLaunch},
				}
			}, trusted, trusted, trusted,
		},
		"everything": {
			"", func(c *plan.Cluster) {
				c.ControlPlane.Security = plan.Security{EncryptionAtHost: true}
				c.PoolOptions["linux"] = plan.PoolOptions{Security: standard}
				c.PoolOptions["win22"] = plan.PoolOptions{Security: plan.Security{DisableSecureBoot: true}}
			}, encrypted, standard, withoutSecureBoot,
		},
		"Antrea, whose driver is signed for tests": {
			network.Antrea, nil, trusted, trusted, withoutSecureBoot,
		},
		"Antrea, with a driver of one's own": {
			network.Antrea, func(c *plan.Cluster) {
				c.PoolOptions["win22"] = plan.PoolOptions{Security: trusted}
			}, trusted, trusted, trusted,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range good(tt.kind, tt.change).Machines() {
				want := tt.linux
				if m.ControlPlane {
					want = tt.controlPlane
				} else if m.Pool.Platform.IsWindows() {
					want = tt.windows
				}
				equal(t, m.Name, want, m.Security)
			}
		})
	}
	j := joining(func(j *plan.Joining) { j.Network.Kind = network.Antrea })
	equal(t, "a pool that joins", withoutSecureBoot, j.Machines()[0].Security)
}

// The default image of each platform is used if only a version is configured, in that version.
func TestVersionWithoutImageUsesTheDefaultImage(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "latest", "1.2.3"} {
		c := good("", func(c *plan.Cluster) {
			c.ControlPlane.Image.Version = version
			c.PoolOptions["win22"] = plan.PoolOptions{Image: plan.Image{Version: version}}
		})
		equal(t, version, "", wrong(c))
		want := version
		if want == "" {
			want = "latest"
		}
		machines := c.Machines()
		equal(t, "control plane", plan.Image{
			Publisher: "Canonical", Offer: "ubuntu-24_04-lts", SKU: "server", Version: want,
		}, machines[0].Image)
		last := machines[len(machines)-1]
		equal(t, "platform", platform.WindowsServer2022, last.Pool.Platform)
		equal(t, "Windows", plan.Image{
			Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer", SKU: "2022-datacenter-core-g2", Version: want,
		}, last.Image)
	}
}

package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const trustedLaunch = "TrustedLaunch"

// secured returns the security profile of Trusted Launch.
func secured(secureBoot bool) map[string]any {
	return map[string]any{
		"securityType": trustedLaunch,
		"uefiSettings": map[string]any{"secureBootEnabled": secureBoot, "vTpmEnabled": true},
	}
}

func TestTheSecurityProfilesOfMachines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*kubeadm.ClusterArgs)
		// By a part of the machine's name; nil if the profile is left out.
		want map[string]any
	}{
		"by default": {nil, map[string]any{
			"control-plane-": secured(true), "linux-": secured(true), "win22-": secured(true),
		}},
		"sizes without Trusted Launch": {func(a *kubeadm.ClusterArgs) {
			a.ControlPlane.Size, a.Pools[1].Size = "Standard_D4_v3", "Standard_A4_v2"
		}, map[string]any{"control-plane-": nil, "linux-": secured(true), "win22-": nil}},
		"as configured": {func(a *kubeadm.ClusterArgs) {
			a.ControlPlane.Security.EncryptionAtHost = true
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"linux": {Security: kubeadm.Security{Type: kubeadm.StandardSecurity, EncryptionAtHost: true}},
				"win22": {Security: kubeadm.Security{DisableSecureBoot: true}},
			}
		}, map[string]any{
			"control-plane-": map[string]any{
				"encryptionAtHost": true, "securityType": trustedLaunch,
				"uefiSettings": map[string]any{"secureBootEnabled": true, "vTpmEnabled": true},
			},
			"linux-": map[string]any{"encryptionAtHost": true}, "win22-": secured(false),
		}},
		"with Antrea": {func(a *kubeadm.ClusterArgs) { a.Network.Kind = network.Antrea }, map[string]any{
			"control-plane-": secured(true), "linux-": secured(true), "win22-": secured(false),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range made(t, small(tt.change)).ByType(machineType) {
				for part, want := range tt.want {
					if strings.Contains(m.Name, part) {
						equal(t, m.Name, want, m.Plain()["securityProfile"])
					}
				}
			}
		})
	}
}

// Azure changes the security only of stopped machines. So no change of the program affects the
// machines of the control plane, which are not created again.
func TestTheSecurityOfTheControlPlaneStays(t *testing.T) {
	t.Parallel()
	const first = "shop-control-plane-0"
	machine := func(change func(*kubeadm.ClusterArgs)) map[string]any {
		m := made(t, small(change)).MustGet(t, machineType, first)
		in := m.Plain()
		for _, path := range m.IgnoreChanges {
			delete(in, path)
		}
		return in
	}
	changed := func(a *kubeadm.ClusterArgs) {
		a.ControlPlane.Security = kubeadm.Security{Type: kubeadm.StandardSecurity}
	}
	equal(t, "what changes", machine(nil), machine(changed))
	deleted, created, _ := differences(t, made(t, small(nil)), made(t, small(changed)))
	equal(t, "deleted", []string(nil), deleted)
	equal(t, "created", []string(nil), created)
}

func TestPatchModes(t *testing.T) {
	t.Parallel()
	configuration := func(change func(*kubeadm.ClusterArgs), name, system string) any {
		return at(t, made(t, small(change)).MustGet(t, machineType, name).Plain(), "osProfile", system+"Configuration")
	}
	windows := configuration(nil, "shop-win22-win22-7fh-0", "windows").(map[string]any)
	equal(t, "Windows by default", map[string]any{
		"provisionVMAgent": true, "enableAutomaticUpdates": false,
		"patchSettings": map[string]any{"patchMode": "Manual"},
	}, windows)
	linux := configuration(nil, "shop-linux-linux-30g-0", "linux").(map[string]any)
	if settings, ok := linux["patchSettings"]; ok {
		t.Errorf("by default Linux has the patch settings %v", settings)
	}

	byPlatform := func(reboot kubeadm.RebootSetting) func(*kubeadm.ClusterArgs) {
		return func(a *kubeadm.ClusterArgs) {
			o := kubeadm.PoolOptions{Patching: kubeadm.Patching{Mode: kubeadm.AutomaticByPlatform, Reboot: reboot}}
			a.PoolOptions = map[string]kubeadm.PoolOptions{"linux": o, "win22": o}
		}
	}
	for reboot, want := range map[kubeadm.RebootSetting]string{
		"": "Never", kubeadm.RebootNever: "Never", kubeadm.RebootIfRequired: "IfRequired",
		kubeadm.RebootAlways: "Always",
	} {
		graph := made(t, small(byPlatform(reboot)))
		settings := map[string]any{
			"patchMode": "AutomaticByPlatform", "automaticByPlatformSettings": map[string]any{"rebootSetting": want},
		}
		health := map[string]string{}
		for _, m := range graph.ByType(machineType) {
			os := m.Plain()["osProfile"].(map[string]any)
			switch {
			case strings.Contains(m.Name, "control-plane"):
				_, exists := os["linuxConfiguration"].(map[string]any)["patchSettings"]
				equal(t, m.Name+" has patch settings", false, exists)
			case strings.Contains(m.Name, "win22"):
				equal(t, m.Name, map[string]any{
					"provisionVMAgent": true, "enableAutomaticUpdates": true, "patchSettings": settings,
				}, os["windowsConfiguration"].(map[string]any))
				health[m.Name+"-health"] = "ApplicationHealthWindows"
			default:
				equal(t, m.Name, settings, os["linuxConfiguration"].(map[string]any)["patchSettings"].(map[string]any))
				health[m.Name+"-health"] = "ApplicationHealthLinux"
			}
		}
		for name, kind := range health {
			e := graph.MustGet(t, extensionType, name).Plain()
			equal(t, name, []any{"Microsoft.ManagedServices", kind, "1.0"},
				[]any{e["publisher"], e["type"], e["typeHandlerVersion"]})
			equal(t, "settings of "+name, map[string]any{"protocol": "http", "port": 10248, "requestPath": "/healthz"},
				e["settings"].(map[string]any))
		}
		equal(t, "extensions", 2*len(health)+1, len(graph.ByType(extensionType)))
	}
}

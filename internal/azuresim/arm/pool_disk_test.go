package arm

import "testing"

// The sizes are from https://learn.microsoft.com/azure/virtual-machines/sizes, and the defaults from
// https://learn.microsoft.com/azure/aks/concepts-storage.
func TestTheDiskOfAPool(t *testing.T) {
	t.Parallel()
	tooSmall := func(code, message string) *Error { return bad400(code, "", message) }
	for name, c := range map[string]struct {
		pool map[string]any
		// kind and gib are the values that Azure shows.
		kind string
		gib  float64
		want *Error
	}{
		"no room":                {map[string]any{"vmSize": "Standard_D4s_v5"}, "Managed", 128, nil},
		"300 GiB, seen in Azure": {map[string]any{"vmSize": "Standard_D8d_v5"}, "Ephemeral", 300, nil},
		"a large one":            {map[string]any{"vmSize": "Standard_D96ads_v5"}, "Ephemeral", 2048, nil},
		"150 GiB":                {map[string]any{"vmSize": "Standard_E4pds_v5"}, "Ephemeral", 150, nil},
		"75 GiB are not enough":  {map[string]any{"vmSize": "Standard_D2ds_v5"}, "Managed", 128, nil},
		"unless a smaller one is enough": {
			map[string]any{"vmSize": "Standard_D2ds_v5", "osDiskSizeGB": 75}, "Ephemeral", 75, nil,
		},
		"and a larger one does not fit": {
			map[string]any{"vmSize": "Standard_D8d_v5", "osDiskSizeGB": 301}, "Managed", 301, nil,
		},
		"a cache":       {map[string]any{"vmSize": "Standard_DS3_v2"}, "Ephemeral", 128, nil},
		"a small cache": {map[string]any{"vmSize": "Standard_D4s_v3"}, "Managed", 128, nil},
		"managed stays managed": {
			map[string]any{"vmSize": "Standard_D8d_v5", "osDiskType": "Managed"}, "Managed", 128, nil,
		},
		"0 is the default": {
			map[string]any{"vmSize": "Standard_D8d_v5", "osDiskSizeGB": 0}, "Ephemeral", 300, nil,
		},
		"nothing is known": {map[string]any{"vmSize": "Standard_L8s_v3"}, "Managed", 128, nil},
		"and ephemeral is taken": {
			map[string]any{"vmSize": "Standard_L8s_v3", "osDiskType": "Ephemeral"}, "Ephemeral", 128, nil,
		},
		// https://github.com/Azure/AKS/issues/2694
		"a size without ephemeral disks": {
			map[string]any{"vmSize": "Standard_D4s_v5", "osDiskType": "Ephemeral"},
			"", 0,
			tooSmall("VMSizeDoesNotSupportEphemeralOS",
				"The Virtual Machine size Standard_D4s_v5 does not support Ephemeral OS disk."),
		},
		// https://github.com/rancher/rancher/issues/33679
		"too small a cache": {
			map[string]any{"vmSize": "Standard_DS2_v2", "osDiskType": "Ephemeral"},
			"", 0,
			tooSmall("VMCacheSizeTooSmall",
				"The virtual machine size Standard_DS2_v2 has a cache size of 92341796864 bytes, but the OS disk "+
					"requires 137438953472 bytes. Use a VM size with larger cache or disable ephemeral OS."),
		},
		// The code is from Microsoft's package apierror. The message is our own.
		"too small a temporary disk": {
			map[string]any{"vmSize": "Standard_D2ds_v5", "osDiskType": "Ephemeral"},
			"", 0,
			tooSmall("VMTemporaryDiskTooSmall",
				"The virtual machine size Standard_D2ds_v5 has a temporary disk of 80530636800 bytes, but the OS disk "+
					"requires 137438953472 bytes. Use a VM size with a larger temporary disk or disable ephemeral OS."),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, err := shop(t).Put(t.Context(), clusterID+"/agentPools/apps", linuxPool(c.pool))
			if c.want != nil {
				wantError(t, err, c.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wantAt(t, answer, map[string]any{"properties.osDiskType": c.kind, "properties.osDiskSizeGB": c.gib})
		})
	}
}

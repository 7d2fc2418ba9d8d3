package arm

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	featureID = "/subscriptions/" + subscription + "/providers/Microsoft.Features/providers/" +
		"Microsoft.ContainerService/features/AgentPoolVMSSResize"
	newAPI = "?api-version=2026-01-02-preview"
)

func unsupportedSize(from, to, why string) *Error {
	return &Error{
		Status: http.StatusBadRequest, Code: "BadRequest", Target: "agentPoolProfile.vmSize",
		Message: "Resizing an agent pool from VM size " + from + " to " + to + " is not supported: " + why + ".",
	}
}

// The sentences are from https://learn.microsoft.com/azure/aks/resize-node-pool.
func TestResizeOfPools(t *testing.T) {
	t.Parallel()
	const v5, bigger, v6 = "Standard_D4s_v5", "Standard_D8s_v5", "Standard_D4s_v6"
	notRegistered := &Error{
		Status: http.StatusBadRequest, Code: "BadRequest",
		Message: "The feature 'AgentPoolVMSSResize' is not registered for subscription " + subscription + ". Please " +
			"register the feature 'Microsoft.ContainerService/AgentPoolVMSSResize' to use this feature.",
	}
	for _, x := range []struct {
		sentence      string
		query         string
		unregistered  bool
		before, after map[string]any
		want          *Error
	}{
		{
			"AKS API version `2026-01-02-preview` or later.", newAPI, false, nil,
			map[string]any{"vmSize": bigger},
			nil,
		},
		{"", "?api-version=2026-02-02-preview", false, nil, map[string]any{"vmSize": bigger}, nil},
		{
			"", "?api-version=2025-10-02-preview", false, nil,
			map[string]any{"vmSize": bigger},
			immutable("properties.vmSize"),
		},
		{"", "?api-version=2026-02-01", false, nil, map[string]any{"vmSize": bigger}, immutable("properties.vmSize")},
		{"", "", false, nil, map[string]any{"vmSize": bigger}, immutable("properties.vmSize")},
		{"AFEC registration", newAPI, true, nil, map[string]any{"vmSize": bigger}, notRegistered},
		{"", newAPI, true, nil, map[string]any{"vmSize": "standard_d4S_v5", "mode": "User"}, nil},
		{
			"Changing the disk controller type (for example, SCSI to NVMe).", newAPI, false, nil,
			map[string]any{"vmSize": v6},
			unsupportedSize(v5, v6, "the disk controller type differs"),
		},
		{
			"Changing the CPU architecture (for example, x64 to ARM64).", newAPI, false, nil,
			map[string]any{"vmSize": "Standard_D4ps_v5"},
			unsupportedSize(v5, "Standard_D4ps_v5", "the CPU architecture differs"),
		},
		{
			"Changing confidential computing support (for example, enabling or disabling SNP).", newAPI, false, nil,
			map[string]any{"vmSize": "Standard_DC4as_v5"},
			unsupportedSize(v5, "Standard_DC4as_v5", "the support of confidential computing differs"),
		},
		{
			"Changing the hypervisor generation (for example, V1 to V2).", newAPI, false,
			map[string]any{"vmSize": "Standard_D2_v2"},
			map[string]any{"vmSize": v5},
			unsupportedSize("Standard_D2_v2", v5, "the hypervisor generation differs"),
		},
		{
			"Combining the resize with a Kubernetes version upgrade", newAPI, false,
			map[string]any{"orchestratorVersion": "1.35"},
			map[string]any{"vmSize": bigger, "orchestratorVersion": "1.36"},
			unsupportedSize(v5, bigger, "it cannot be combined with an upgrade of Kubernetes"),
		},
		{
			"or a node count change in the same operation.", newAPI, false, nil,
			map[string]any{"vmSize": bigger, "count": 2},
			unsupportedSize(v5, bigger, "it cannot be combined with another node count"),
		},
		{
			"If the node pool is configured with `--max-surge 0`, the resize request is rejected with a `400`", newAPI,
			false,
			map[string]any{"upgradeSettings": Body{"maxSurge": "0", "maxUnavailable": "1"}},
			map[string]any{"vmSize": bigger},
			unsupportedSize(v5, bigger, "it needs a maxSurge of at least 1"),
		},
		{
			"To proceed, set `--max-surge` to at least `1` when resize", newAPI, false,
			map[string]any{"upgradeSettings": Body{"maxSurge": "0", "maxUnavailable": "1"}},
			map[string]any{"vmSize": bigger, "upgradeSettings": Body{"maxSurge": "33%"}},
			nil,
		},
	} {
		t.Run(x.sentence, func(t *testing.T) {
			t.Parallel()
			c := shop(t)
			if !x.unregistered {
				if _, err := c.Post(t.Context(), featureID, "register", nil); err != nil {
					t.Fatal(err)
				}
			}
			pool := linuxPool(x.before)
			mustPut(t, c, appsID, pool)
			apply(pool["properties"].(Body), x.after)
			answer, err := c.Put(t.Context(), appsID+x.query, pool)
			if x.want != nil {
				wantError(t, err, x.want)
				return
			}
			if size := at(answer, "properties.vmSize"); err != nil || !alike(size, x.after["vmSize"]) {
				t.Errorf("the size is %v, %v", size, err)
			}
		})
	}
}

// Only Windows Server 2022 becomes 2025, with FIPS and in the preview
// (https://github.com/Azure/azure-cli-extensions/pull/10255).
func TestUpgradeOfWindows(t *testing.T) {
	t.Parallel()
	upgraded := map[string]any{"osSKU": "Windows2025", "enableFIPS": true}
	for _, x := range []struct {
		name          string
		preview       bool
		before, after map[string]any
		want          *Error
	}{
		{"the preview", true, nil, upgraded, nil},
		{"no preview", false, nil, upgraded, immutable("properties.osSKU")},
		{
			"the other direction", true, upgraded,
			map[string]any{"osSKU": "Windows2022", "enableFIPS": false},
			immutable("properties.osSKU"),
		},
		{"FIPS alone", true, nil, map[string]any{"enableFIPS": true}, immutable("properties.enableFIPS")},
		{"no FIPS", true, nil, map[string]any{"osSKU": "Windows2025"}, &Error{
			Status: http.StatusBadRequest, Code: "InvalidParameter", Target: "agentPoolProfile.enableFIPS",
			Message: "The value of parameter agentPoolProfile.enableFIPS is invalid. Error details: OSSKU " +
				"'Windows2025' requires a FIPS-enabled OS. Please see https://aka.ms/aks-naming-rules for more " +
				"details.",
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			c := emptyCloud(t, Options{WindowsUpgrade: x.preview})
			mustPut(t, c, clusterID, clusterBody(map[string]any{"kubernetesVersion": "1.35"}))
			mustPut(t, c, winID, windowsPool(x.before))
			answer, err := c.Put(t.Context(), winID, windowsPool(x.after))
			if x.want != nil {
				wantError(t, err, x.want)
				return
			}
			if sku := at(answer, "properties.osSKU"); err != nil || sku != "Windows2025" {
				t.Errorf("the osSKU is %v, %v", sku, err)
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	c := emptyCloud(t, Options{})
	state := func(state string) Body {
		return Body{
			"id": featureID, "name": FeatureResize, "type": "Microsoft.Features/providers/features",
			"properties": Body{"state": state},
		}
	}
	register := func() (Body, error) { return c.Post(t.Context(), featureID, "register", nil) }
	show := func() (Body, error) { return c.Get(t.Context(), featureID) }
	for i, step := range []struct {
		do   func() (Body, error)
		want string
	}{{show, "NotRegistered"}, {register, "Registering"}, {show, "Registered"}, {register, "Registered"}} {
		got, err := step.do()
		if diff := cmp.Diff(state(step.want), got); diff != "" || err != nil {
			t.Errorf("step %d: %v (-want +got):\n%s", i, err, diff)
		}
	}
	_, err := c.Get(t.Context(), featureID+"2")
	wantError(t, err, &Error{
		Status: http.StatusNotFound, Code: "FeatureNotFound",
		Message: "The feature 'AgentPoolVMSSResize2' could not be found.",
	})
}

package arm

import "testing"

func refusedUpgrade(verb, from, to, available string) *Error {
	return bad400("OperationNotAllowed", "", verb+" Kubernetes version "+from+" to "+to+" is not allowed. Available upgrades: ["+available+"]. Please see https://aka.ms/aks-supported-k8s-ver for version details.")
}

// at133 has a cluster of 1.33 with a Linux and a Windows pool.
func at133(t *testing.T) *Cloud {
	t.Helper()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"kubernetesVersion": "1.33"}))
	mustPut(t, cloud, winID, windowsPool(nil))
	return cloud
}

func toVersion(version string) Body {
	return clusterBody(map[string]any{"kubernetesVersion": version, "agentPoolProfiles": nil})
}

func TestClustersAreUpgradedOneVersionAtATime(t *testing.T) {
	t.Parallel()
	cloud := at133(t)
	_, err := cloud.Put(t.Context(), clusterID, toVersion("1.35"))
	wantError(t, err, refusedUpgrade("Upgrading", "1.33.13", "1.35.7", "1.34.10"))
	_, err = cloud.Put(t.Context(), clusterID, toVersion("1.32"))
	wantError(t, err, refusedUpgrade("Downgrading", "1.33.13", "1.32.11", "1.34.10"))
	for _, version := range []string{"1.34", "1.35", "1.36"} {
		wantAt(t, mustPut(t, cloud, clusterID, toVersion(version)),
			map[string]any{"properties.kubernetesVersion": version})
	}
	// The pools keep their version until they are too far behind.
	wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.currentOrchestratorVersion": "1.33.13"})
	_, err = cloud.Put(t.Context(), clusterID, toVersion("1.37"))
	wantError(t, err, bad400("NodePoolMcVersionIncompatible", "",
		"Node pool version 1.33.13 and control plane version 1.37.0 are incompatible. Minor version of node pool cannot be more than 3 versions less than control plane's version. Minor version of node pool is 33 and control plane is 37. For more information, please check https://aka.ms/version-skew-policy"))
	// The minor version that the cluster has does not upgrade it. A patch release does.
	_, err = cloud.Put(t.Context(), clusterID, toVersion("1.36.1"))
	wantError(t, err, refusedUpgrade("Downgrading", "1.36.3", "1.36.1", "1.37.0"))
}

func TestLongTermSupportMaySkipVersions(t *testing.T) {
	t.Parallel()
	to := func(version string) Body {
		body := toVersion(version)
		body["properties"].(Body)["supportPlan"] = longTermPlan
		body["sku"] = Body{"name": "Base", "tier": "Premium"}
		return body
	}
	cloud := at133(t)
	_, err := cloud.Put(t.Context(), clusterID, to("1.32"))
	wantError(t, err, refusedUpgrade("Downgrading", "1.33.13", "1.32.11", "1.34.10 1.35.7 1.36.3 1.37.0"))
	wantAt(t, mustPut(t, cloud, clusterID, to("1.33.101-akslts")),
		map[string]any{"properties.currentKubernetesVersion": "1.33.101-akslts"})
	wantAt(t, mustPut(t, cloud, clusterID, to("1.33")),
		map[string]any{"properties.currentKubernetesVersion": "1.33.101-akslts"})
	_, err = cloud.Put(t.Context(), clusterID, to("1.33.101"))
	wantError(t, err, bad400("K8sVersionNotSupported", "", "Managed cluster shop is on version 1.33.101, which is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this region. For more information, please check https://aka.ms/supported-version-list."))
	wantAt(t, mustPut(t, cloud, clusterID, to("1.36")),
		map[string]any{"properties.currentKubernetesVersion": "1.36.3"})
}

func TestMinorVersionAcceptsAnyPatch(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"kubernetesVersion": "1.36.1"}))
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(nil)),
		map[string]any{"properties.currentKubernetesVersion": "1.36.1"})
	wantAt(t, mustPut(t, cloud, clusterID, toVersion("1.36.3")),
		map[string]any{"properties.currentKubernetesVersion": "1.36.3"})
}

func TestPoolsAreUpgradedAfterTheCluster(t *testing.T) {
	t.Parallel()
	cloud := at133(t)
	upgrade := func(version string) Body { return windowsPool(map[string]any{"orchestratorVersion": version}) }
	_, err := cloud.Put(t.Context(), winID, upgrade("1.34"))
	wantError(t, err, bad400("NodePoolMcVersionIncompatible", "",
		"Node pool version 1.34.10 and control plane version 1.33.13 are incompatible. Minor version of node pool version 34 is bigger than control plane version 33. For more information, please check https://aka.ms/version-skew-policy"))
	mustPut(t, cloud, clusterID, toVersion("1.34.2"))
	wantAt(t, mustPut(t, cloud, winID, upgrade("1.34")),
		map[string]any{"properties.orchestratorVersion": "1.34", "properties.currentOrchestratorVersion": "1.34.2"})
	wantAt(t, mustPut(t, cloud, winID, upgrade("1.34")),
		map[string]any{"properties.currentOrchestratorVersion": "1.34.2"})
	_, err = cloud.Put(t.Context(), winID, upgrade("1.33"))
	// The code is from Microsoft's package apierror. The message is our own.
	wantError(t, err, bad400("AgentPoolUpgradeVersionNotAllowed", "",
		"Downgrading agent pool version from 1.34.2 to 1.33.13 is not allowed."))
	_, err = cloud.Put(t.Context(), winID, upgrade("1.34.10"))
	wantError(t, err, bad400("NodePoolMcVersionIncompatible", "",
		"Node pool version 1.34.10 and control plane version 1.34.2 are incompatible. Patch version of node pool version 10 is bigger than control plane version 2. For more information, please check https://aka.ms/version-skew-policy"))
	wantAt(t, mustPut(t, cloud, winID, windowsPool(nil)),
		map[string]any{"properties.orchestratorVersion": "1.34", "properties.currentOrchestratorVersion": "1.34.2"})
}

func TestAPoolOf2022CannotFollowTo137(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, winID, windowsPool(nil))
	mustPut(t, cloud, clusterID, toVersion("1.37"))
	_, err := cloud.Put(t.Context(), winID, windowsPool(map[string]any{"orchestratorVersion": "1.37"}))
	wantError(t, err, bad400("InvalidOSSKU", "agentPoolProfile.osSKU",
		"OSSKU='Windows2022' is invalid, details: it is not supported in Kubernetes version 1.37 or later"))
}

func TestVersionsOfPoolsThroughTheCluster(t *testing.T) {
	t.Parallel()
	want := bad400("NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged", "", "Using managed cluster api, all Agent pools' OrchestratorVersion must be all specified or all unspecified. If all specified, they must be stay unchanged or the same with control plane. For agent pool specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api")
	both := func(version, system, win any) Body {
		return clusterBody(map[string]any{"kubernetesVersion": version, "agentPoolProfiles": []any{
			firstPool(map[string]any{"orchestratorVersion": system})[0],
			Body{
				"name": "win", "count": 1, "vmSize": "Standard_D4s_v5", "osType": "Windows",
				"orchestratorVersion": win,
			},
		}})
	}
	only := clusterBody(map[string]any{
		"kubernetesVersion": "1.34",
		"agentPoolProfiles": firstPool(map[string]any{"orchestratorVersion": "1.34"}),
	})
	for name, c := range map[string]struct {
		body Body
		want *Error
		win  string
	}{
		"none":                 {both("1.34", nil, nil), nil, "1.33.13"},
		"all unchanged":        {both("1.34", "1.33", "1.33.13"), nil, "1.33.13"},
		"all like the new one": {both("1.34", "1.34", "1.34"), nil, "1.34.10"},
		"some":                 {both("1.34", "1.34", nil), want, "1.33.13"},
		"one not listed":       {only, want, "1.33.13"},
		"one of its own":       {both("1.34", "1.34", "1.32"), want, "1.33.13"},
		"newer than it":        {both("1.33", "1.34", "1.34"), want, "1.33.13"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := at133(t)
			_, err := cloud.Put(t.Context(), clusterID, c.body)
			if c.want != nil {
				wantError(t, err, c.want)
			} else if err != nil {
				t.Fatal(err)
			}
			wantAt(t, mustGet(t, cloud, winID), map[string]any{"properties.currentOrchestratorVersion": c.win})
		})
	}
}

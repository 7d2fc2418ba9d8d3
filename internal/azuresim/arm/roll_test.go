package arm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// roller records the pools whose nodes are replaced, and how. Each takes a minute.
type roller struct {
	rolled []string
	fails  error
}

func (r *roller) roll(ctx context.Context, pool Pool) error {
	line := pool.Pool.Name + " " + pool.Pool.KubernetesVersion + " " + pool.Pool.Size
	if pool.Deleting {
		line += " deleting"
	}
	if pool.IgnoreBudgets {
		line += " without budgets"
	}
	r.rolled = append(r.rolled, line)
	select {
	case <-time.After(takes):
		return r.fails
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rollingShop has a cluster with pools whose nodes are replaced one after the other.
func rollingShop(t *testing.T, r *roller, o Options) *Cloud {
	t.Helper()
	o.Roll, o.Features = r.roll, []string{FeatureResize}
	c := emptyCloud(t, o)
	mustPut(t, c, clusterID, clusterBody(nil))
	mustPut(t, c, appsID, linuxPool(map[string]any{"orchestratorVersion": "1.35", "count": 3}))
	return c
}

func wantRolled(t *testing.T, r *roller, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, r.rolled); diff != "" {
		t.Errorf("rolled (-want +got):\n%s", diff)
	}
}

func TestChangesThatReplaceNodes(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		query  string
		change map[string]any
		want   []string
	}{
		"a version":   {"", map[string]any{"orchestratorVersion": "1.36"}, []string{"apps 1.36.3 Standard_D4s_v5"}},
		"a size":      {newAPI, map[string]any{"vmSize": "Standard_D8s_v5"}, []string{"apps 1.35.7 Standard_D8s_v5"}},
		"an image":    {"", map[string]any{"osSKU": "AzureLinux"}, []string{"apps 1.35.7 Standard_D4s_v5"}},
		"FIPS":        {"", map[string]any{"enableFIPS": true}, []string{"apps 1.35.7 Standard_D4s_v5"}},
		"fewer nodes": {"", map[string]any{"count": 2}, []string{"apps 1.35.7 Standard_D4s_v5"}},
		"more nodes":  {"", map[string]any{"count": 4}, nil},
		"labels":      {"", map[string]any{"nodeLabels": Body{"team": "web"}}, nil},
		"settings":    {"", map[string]any{"upgradeSettings": Body{"maxSurge": "50%"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := &roller{}
				c := rollingShop(t, r, Options{})
				pool := linuxPool(map[string]any{"count": 3})
				apply(pool["properties"].(Body), x.change)
				answer := mustPut(t, c, appsID+x.query, pool)
				wantRolled(t, r, x.want...)
				wantAt(t, answer, map[string]any{"properties.provisioningState": "Succeeded"})
			})
		})
	}
}

// The cluster is busy while nodes are replaced, even if the client stops waiting.
func TestAClusterIsBusyWhileNodesAreReplaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &roller{}
		c := rollingShop(t, r, Options{})
		ctx, cancel := context.WithTimeout(t.Context(), takes/2)
		defer cancel()
		_, err := c.Put(ctx, appsID, linuxPool(map[string]any{"orchestratorVersion": "1.36"}))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("the error is %v", err)
		}
		wantAt(t, mustGet(t, c, appsID), map[string]any{"properties.provisioningState": "Upgrading"})
		_, err = c.Put(t.Context(), otherID, linuxPool(nil))
		wantError(t, err,
			busyWith("Operation is not allowed: Another agentpool operation (apps - Updating) is in progress"))
		time.Sleep(takes)
		wantAt(t, mustGet(t, c, appsID), map[string]any{"properties.provisioningState": "Succeeded"})
		mustPut(t, c, otherID, linuxPool(nil))
		wantRolled(t, r, "apps 1.36.3 Standard_D4s_v5")
	})
}

// "Any subsequent PUT operation resumes the stopped upgrade"
// (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
func TestAFailedUpgradeIsResumed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &roller{fails: &DrainError{
			Node: "n", Namespace: "shop", Pod: "p", Budget: "b", Unready: []string{"shop/q"},
			Refusal: "Cannot evict pod as it would violate the pod's disruption budget.",
		}}
		c := rollingShop(t, r, Options{})
		upgrade := linuxPool(map[string]any{"orchestratorVersion": "1.36"})
		_, err := c.Put(t.Context(), appsID, upgrade)
		wantError(t, err, operationFailed("UpgradeFailed", "Drain node n failed when evicting pod p failed with Too "+
			"Many Requests error. This is often caused by a restrictive Pod Disruption Budget (PDB) policy. See "+
			"https://aka.ms/aks/debugdrainfailures. Original error: Cannot evict pod as it would violate the pod's "+
			"disruption budget.. PDB debug info: shop/p blocked by pdb b with 1 unready pods: [shop/q]."))
		wantAt(t, mustGet(t, c, appsID), map[string]any{"properties.provisioningState": "Failed"})
		r.fails = nil
		mustPut(t, c, appsID, upgrade)
		mustPut(t, c, appsID, upgrade)
		wantRolled(t, r, "apps 1.36.3 Standard_D4s_v5", "apps 1.36.3 Standard_D4s_v5")
	})
}

// The answer is from https://github.com/hashicorp/terraform-provider-azurerm/issues/10411.
func TestAPoolThatCannotBeEmptiedIsNotDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &roller{fails: &DrainError{Node: "n", Pod: "p", Minutes: 10}}
		c := rollingShop(t, r, Options{})
		wantError(t, c.Delete(t.Context(), appsID), operationFailed("DeleteVMSSAgentPoolFailed",
			"VMSSAgentPoolReconciler retry failed: {\n  \"code\": \"PodDrainFailure\",\n  \"message\": \"Node 'n' "+
				"failed to be drained with error: 'Drain did not complete pods [p] within 10m0s'\"\n }"))
		wantAt(t, mustGet(t, c, appsID), map[string]any{"properties.provisioningState": "Failed"})
		r.fails = nil
		mustDelete(t, c, appsID+"?ignore-pod-disruption-budget=true")
		mustDelete(t, c, appsID)
		if _, err := c.Get(t.Context(), appsID); err == nil {
			t.Error("the pool still exists")
		}
		wantRolled(t, r, "apps 1.35.7 Standard_D4s_v5 deleting",
			"apps 1.35.7 Standard_D4s_v5 deleting without budgets")
	})
}

// If the process with the steps has ended, the next request on the cluster continues them, and is refused meanwhile.
func TestStepsContinueAfterTheirProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &roller{}
		killed := errors.New("killed")
		var c *Cloud
		workers := 0
		c = rollingShop(t, r, Options{Worker: func(ctx context.Context, steps int) error {
			if workers++; workers == 1 {
				return killed
			}
			return c.RunSteps(ctx, steps)
		}})
		upgrade := linuxPool(map[string]any{"orchestratorVersion": "1.36"})
		if _, err := c.Put(t.Context(), appsID, upgrade); !errors.Is(err, killed) {
			t.Fatalf("the error is %v", err)
		}
		busy := busyWith("Operation is not allowed: Another agentpool operation (apps - Updating) is in progress")
		for range 2 {
			_, err := c.Put(t.Context(), appsID, upgrade)
			wantError(t, err, busy)
			time.Sleep(takes / 4)
		}
		time.Sleep(takes)
		wantAt(t, mustGet(t, c, appsID), map[string]any{"properties.provisioningState": "Succeeded"})
		wantRolled(t, r, "apps 1.36.3 Standard_D4s_v5")
		if workers != 2 {
			t.Errorf("there were %d workers, want 2", workers)
		}
	})
}

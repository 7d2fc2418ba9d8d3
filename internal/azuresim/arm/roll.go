package arm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Upgrade is how AKS replaces the nodes of a pool.
type Upgrade struct {
	// Surge is the number of nodes that AKS adds meanwhile, and Unavailable the number that it empties at a time if it
	// adds none. Percentages are rounded up (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
	Surge, Unavailable int
	// DrainMinutes is how long the pods of one node may take to leave, and SoakMinutes how long AKS waits after that.
	DrainMinutes, SoakMinutes int
	// Cordon quarantines nodes whose pods do not leave, instead of making them schedulable again.
	Cordon bool
}

// DrainError is the result of [Options.Roll] if pods did not leave their node in time.
type DrainError struct {
	Node, Namespace, Pod string
	// Refusal is the answer of the API server to the last eviction, empty if the pod has not ended yet.
	Refusal string
	// Budget is the PodDisruptionBudget that blocks the pod, and Unready are its pods that are not ready.
	Budget  string
	Unready []string
	// Minutes is the time that the pods had.
	Minutes int
	// NoSurgeLeft is true if each surge node replaces a quarantined node, and nodes are left to upgrade.
	NoSurgeLeft bool
}

// Error returns a short message.
func (e *DrainError) Error() string {
	return fmt.Sprintf("pod %s/%s does not leave node %s", e.Namespace, e.Pod, e.Node)
}

// notUpgraded is AKS' answer
// (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/error-code-poddrainfailure).
func (e *DrainError) notUpgraded() *Error {
	prefix := ""
	if e.NoSurgeLeft { // canonical/bundle-kubeflow#1339
		prefix = "Cordoned nodes have used all surge nodes but there are more nodes to be upgraded. Please fix your " +
			"PDBs blocking node drain and kindly retry upgrade operation."
	}
	if e.Refusal == "" {
		return operationFailed("UpgradeFailed", "%sNode '%s' failed to be drained with error: 'Drain did not complete "+
			"pods [%s] within %dm0s'", prefix, e.Node, e.Pod, e.Minutes)
	}
	debug := ""
	if e.Budget != "" {
		debug = fmt.Sprintf(" PDB debug info: %s/%s blocked by pdb %s with %d unready pods", e.Namespace, e.Pod,
			e.Budget, len(e.Unready))
		if len(e.Unready) > 0 {
			debug += ": [" + strings.Join(e.Unready, " ") + "]"
		}
		debug += "."
	}
	return operationFailed("UpgradeFailed", "%sDrain node %s failed when evicting pod %s failed with Too Many "+
		"Requests error. This is often caused by a restrictive Pod Disruption Budget (PDB) policy. See "+
		"https://aka.ms/aks/debugdrainfailures. Original error: %s.%s", prefix, e.Node, e.Pod, e.Refusal, debug)
}

// notDeleted is AKS' answer to the deletion of a pool (https://github.com/Azure/AKS/issues/2090 and
// https://github.com/hashicorp/terraform-provider-azurerm/issues/10411).
func (e *DrainError) notDeleted() *Error {
	return operationFailed("DeleteVMSSAgentPoolFailed", "VMSSAgentPoolReconciler retry failed: {\n  \"code\": "+
		"\"PodDrainFailure\",\n  \"message\": \"Node '%s' failed to be drained with error: 'Drain did not complete "+
		"pods [%s] within %dm0s'\"\n }", e.Node, e.Pod, e.Minutes)
}

// upgradeOf returns how the nodes of a pool are replaced, with the defaults of AKS.
func upgradeOf(p poolProperties) Upgrade {
	u, count := Upgrade{DrainMinutes: 30}, int(value(p.Count))
	if s := p.UpgradeSettings; s != nil {
		u.Surge, _ = share(value(s.MaxSurge), count, math.Ceil)
		u.Unavailable, _ = share(value(s.MaxUnavailable), count, math.Ceil)
		if s.DrainTimeoutInMinutes != nil {
			u.DrainMinutes = int(*s.DrainTimeoutInMinutes)
		}
		u.SoakMinutes = int(value(s.NodeSoakDurationInMinutes))
		u.Cordon = string(value(s.UndrainableNodeBehavior)) == "Cordon"
	}
	return u
}

// forcesUpgrades reports whether upgrades of a cluster ignore budgets now
// (https://learn.microsoft.com/azure/aks/upgrade-options#option-1-force-upgrade-bypass-pdb-constraints).
func forcesUpgrades(cluster *resource) bool {
	settings := typed[clusterProperties](cluster.properties()).UpgradeSettings
	if settings == nil || settings.OverrideSettings == nil {
		return false
	}
	o := settings.OverrideSettings
	return value(o.ForceUpgrade) && o.Until != nil && time.Now().Before(*o.Until)
}

// machineOf returns a text that differs if the nodes of a pool need other machines or images: see Reimages and Upgrades
// in [facts.AKSPoolChanges], and Upgrades in [facts.AKSPreviewChanges].
func machineOf(properties Body) string {
	parts := []any{strings.ToLower(textAt(properties, "vmSize"))}
	for _, path := range []string{
		"currentOrchestratorVersion", "nodeImageVersion", "enableFIPS", "securityProfile.enableSecureBoot",
		"securityProfile.enableVTPM", "localDNSProfile", "creationData",
	} {
		parts = append(parts, at(properties, path))
	}
	return uuidOf(parts...)[:8]
}

// rolls notes that a change of a pool replaces or removes nodes. A pool that has failed resumes: "Any subsequent PUT
// operation resumes the stopped upgrade" (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
func (r *request) rolls(old Body, stored *resource) {
	if r.cloud.options.Roll == nil || old == nil {
		return
	}
	now := stored.properties()
	fewer := typed[poolProperties](now).Count != nil && value(typed[poolProperties](now).Count) <
		value(typed[poolProperties](old).Count)
	if !fewer && machineOf(old) == machineOf(now) && old["provisioningState"] == "Succeeded" {
		return
	}
	r.rolled = append(r.rolled, stored.ID)
	now["provisioningState"] = "Updating"
	if old["currentOrchestratorVersion"] != now["currentOrchestratorVersion"] {
		now["provisioningState"] = "Upgrading"
	}
}

// beginRolling stores the state with the operation, whose steps begin after that.
func (r *request) beginRolling() error {
	r.operate()
	r.state.Serial++
	r.steps = r.state.Serial
	o := &r.state.Operations[len(r.state.Operations)-1]
	o.Steps, o.Runs, o.Pools = r.steps, true, r.rolled
	o.IgnoreBudgets = r.query.Get("ignore-pod-disruption-budget") == "true"
	return writeFile(r.cloud.stateFile(), r.state)
}

// finish waits for the steps of an operation and returns their result. They continue if the client stops waiting.
func (c *Cloud) finish(ctx context.Context, steps int) error {
	ended := make(chan error, 1)
	go func() { ended <- c.runSteps(context.WithoutCancel(ctx), steps) }()
	select {
	case err := <-ended:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return fmt.Errorf("waiting for the operation: %w", ctx.Err())
	}
	return c.look(ctx, func(s *state) error {
		if o := s.operation(steps); o != nil && o.Failure != nil {
			return o.Failure
		}
		return nil
	})
}

func (c *Cloud) runSteps(ctx context.Context, steps int) error {
	if worker := c.options.Worker; worker != nil {
		return worker(ctx, steps)
	}
	return c.RunSteps(ctx, steps)
}

// RunSteps runs the steps of an operation that replaces nodes. It returns when they have ended, whatever their result,
// and immediately if they had ended before.
func (c *Cloud) RunSteps(ctx context.Context, steps int) error {
	var o operation
	if err := c.look(ctx, func(s *state) error {
		if found := s.operation(steps); found != nil {
			o = *found
		}
		return nil
	}); err != nil || !o.Runs {
		return err
	}
	lock := flock.New(c.stepsFile(o.Cluster))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	pools, failed, err := c.beginSteps(ctx, steps)
	if err != nil || pools == nil {
		return err
	}
	for _, pool := range pools {
		if err := c.options.Roll(ctx, pool); err != nil {
			failed[poolKey(pool)] = rollFailed(err, pool.Deleting)
		}
	}
	return c.endSteps(ctx, steps, failed)
}

// beginSteps makes the changes of all nodes that need no steps, and returns the pools that do: nil if the steps have
// ended already.
func (c *Cloud) beginSteps(ctx context.Context, steps int) (pools []Pool, failed map[string]failedRoll, err error) {
	failed = map[string]failedRoll{}
	err = c.look(ctx, func(s *state) error {
		o := s.operation(steps)
		if o == nil || !o.Runs {
			return nil
		}
		pools = []Pool{}
		all := nodePools(s)
		if c.options.Nodes != nil {
			if err := c.options.Nodes(ctx, all); err != nil {
				failed[keyOf(o.Pools[0])] = rollFailed(err, false)
				return nil
			}
		}
		for _, pool := range all {
			if slices.ContainsFunc(o.Pools, func(id string) bool { return keyOf(id) == poolKey(pool) }) {
				pool.IgnoreBudgets = o.IgnoreBudgets || pool.IgnoreBudgets && !pool.Deleting
				pool.Minute = c.options.Minute
				pools = append(pools, pool)
			}
		}
		return nil
	})
	return pools, failed, err
}

func (c *Cloud) endSteps(ctx context.Context, steps int, failed map[string]failedRoll) error {
	return c.look(ctx, func(s *state) error {
		o := s.operation(steps)
		if o == nil {
			return nil
		}
		deleted := slices.ContainsFunc(o.Pools, func(id string) bool { return s.get(id) == nil })
		s.end(o, failed, c.options.Operation)
		if err := writeFile(c.stateFile(), s); err != nil || !deleted || c.options.Nodes == nil {
			return err
		}
		// The cluster was deleted meanwhile, and a step may have added a node after that.
		return c.options.Nodes(ctx, nodePools(s))
	})
}

func poolKey(pool Pool) string { return keyOf(pool.Cluster + "/agentPools/" + pool.Pool.Name) }

// failedRoll is the result of a pool that has failed.
type failedRoll struct {
	why *Error
	// state is the provisioning state: "If there are enough surge nodes to replace blocked nodes, then the upgrade
	// operation and the managed cluster will be in failed state. Otherwise, the upgrade operation and the managed
	// cluster will be in canceled state" (the API's description of undrainableNodeBehavior).
	state string
}

func rollFailed(err error, deleting bool) failedRoll {
	drain, ok := errors.AsType[*DrainError](err)
	switch {
	case !ok:
		why := operationFailed("InternalOperationError", "The nodes could not be provisioned: %v", err)
		return failedRoll{why, "Failed"}
	case deleting:
		return failedRoll{drain.notDeleted(), "Failed"}
	case drain.NoSurgeLeft:
		return failedRoll{drain.notUpgraded(), "Canceled"}
	default:
		return failedRoll{drain.notUpgraded(), "Failed"}
	}
}

// isRolling reports whether an operation replaces or removes nodes of a pool.
func (s *state) isRolling(pool string) bool {
	return slices.ContainsFunc(s.Operations, func(o operation) bool { return o.Runs && slices.Contains(o.Pools, pool) })
}

// operation returns the operation with steps, nil if there is none.
func (s *state) operation(steps int) *operation {
	for i := range s.Operations {
		if steps != 0 && s.Operations[i].Steps == steps {
			return &s.Operations[i]
		}
	}
	return nil
}

// end ends an operation with steps. A pool that was to be deleted exists if its nodes could not be emptied.
func (s *state) end(o *operation, failed map[string]failedRoll, takes time.Duration) {
	o.Runs, o.Until = false, time.Now()
	if earliest := o.From.Add(takes); earliest.After(o.Until) {
		o.Until = earliest
	}
	for _, id := range o.Pools {
		pool, failure := s.get(id), failed[keyOf(id)]
		if pool == nil {
			continue
		}
		switch {
		case failure.why != nil:
			o.Failure = failure.why
			pool.properties()["provisioningState"] = failure.state
		case o.Name == deleting:
			s.remove(id)
			continue
		default:
			pool.properties()["provisioningState"] = "Succeeded"
		}
		s.Serial++
		pool.Changed = s.Serial
	}
	if o.Failure != nil && o.Pool == "" {
		if cluster := s.get(o.Cluster); cluster != nil {
			cluster.properties()["provisioningState"] = "Failed"
		}
	}
}

// resume continues the steps of an operation whose process has ended.
func (r *request) resume(o operation) {
	lock := flock.New(r.cloud.stepsFile(o.Cluster))
	if free, err := lock.TryLock(); err != nil || !free {
		return
	}
	_ = lock.Close()
	go func() { _ = r.cloud.runSteps(context.Background(), o.Steps) }()
}

// deletesPool reports whether a request deletes a pool whose nodes have to be emptied first
// (https://github.com/Azure/AKS/issues/3996).
func (r *request) deletesPool() bool {
	return r.method == http.MethodDelete && r.id.kind == kindPool && r.cloud.options.Roll != nil
}

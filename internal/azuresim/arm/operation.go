package arm

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// operation is an operation on a cluster of AKS, which accepts no other meanwhile. It changes the state when it begins.
// Its request is answered when it ends.
type operation struct {
	// Cluster is the key of the cluster, and Pool the name of the pool that changes, empty if the cluster changes.
	Cluster string `json:"cluster"`
	Pool    string `json:"pool,omitempty"`
	// Name is Azure's name for it.
	Name string `json:"name"`
	// Own is true if AKS has started it itself.
	Own bool `json:"own,omitempty"`
	// Network is the key of the network in which new nodes get addresses.
	Network string    `json:"network,omitempty"`
	From    time.Time `json:"from"`
	Until   time.Time `json:"until"`
	// Steps is the number of an operation that replaces nodes, 0 for others, and Runs is true until its steps have
	// ended.
	Steps int  `json:"steps,omitempty"`
	Runs  bool `json:"runs,omitempty"`
	// Pools are the IDs of the pools with these nodes.
	Pools []string `json:"pools,omitempty"`
	// IgnoreBudgets deletes their pods instead of evicting them.
	IgnoreBudgets bool `json:"ignoreBudgets,omitempty"`
	// Failure is the result of an operation that failed.
	Failure *Error `json:"failure,omitempty"`
}

// retained is how long the result of an operation with steps is known.
const retained = time.Minute

// The names of operations.
const (
	creating = "Creating"
	updating = "Updating"
	deleting = "Deleting"
)

func (o operation) runs(at time.Time) bool { return o.Runs || !at.Before(o.From) && at.Before(o.Until) }

// clusterKey returns the key of the cluster that a request changes, empty if it changes another resource.
func (r *request) clusterKey() string {
	switch r.id.kind {
	case kindCluster:
		return r.id.key()
	case kindPool:
		return keyOf(r.id.parent)
	}
	return ""
}

// checkFree refuses a change of a cluster on which an operation runs. Sources disagree on whether two pools can change
// at a time (https://github.com/Azure/terraform-azurerm-avm-res-containerservice-managedcluster/issues/160 says never).
// Here they cannot. [request.checkNetwork] decides about new pools in a network of the user.
func (r *request) checkFree() error {
	cluster := r.clusterKey()
	if cluster == "" {
		return nil
	}
	if r.faults[Interfere] {
		if err := r.interfere(cluster); err != nil {
			return err
		}
	}
	// Deleting a cluster ends what runs on it (https://github.com/kaito-project/kaito/issues/2075).
	if r.id.kind == kindCluster && r.method == http.MethodDelete {
		return nil
	}
	now := time.Now()
	for _, o := range r.state.Operations {
		if o.Cluster != cluster || !o.runs(now) {
			continue
		}
		if o.Runs {
			r.resume(o)
		}
		if o.Network != "" && r.isNew && r.id.kind == kindPool {
			r.busy = o.refuse(r.id, r.method, now)
			continue
		}
		return o.refuse(r.id, r.method, now)
	}
	return nil
}

// checkNetwork fails a request that creates nodes in a network in which another operation creates some: Azure accepts
// the request, even for the same cluster, and the operation fails (https://github.com/Azure/AKS/issues/4522). The pool
// exists afterwards.
func (r *request) checkNetwork() error {
	if r.clusterKey() == "" || r.method != http.MethodPut {
		return nil
	}
	if network := r.newNetwork(); network != "" {
		now := time.Now()
		if slices.ContainsFunc(r.state.Operations, func(o operation) bool {
			return o.Network == network && o.runs(now)
		}) {
			return r.leaveFailed(networkBusy(r.state.get(network)))
		}
	}
	if r.busy != nil {
		return r.busy
	}
	return nil
}

// newNetwork returns the key of the user's network in which the request creates its first nodes.
func (r *request) newNetwork() string {
	if !r.isNew {
		return ""
	}
	for _, pool := range append(r.state.below(r.id.text, kindPool), r.state.get(r.id.text)) {
		if subnet := textAt(pool.Body, "properties.vnetSubnetID"); subnet != "" {
			return networkOf(subnet)
		}
	}
	return ""
}

func networkBusy(network *resource) *Error {
	id, _ := parseID(network.ID) // it was parsed when it was created
	return operationFailed("SetVNetOwnershipFailed", "Set virtual network ownership failed. Subscription: %s; "+
		"resource group: %s; virtual network name: %s. autorest/azure: Service returned an error. Status=400 "+
		`Code="VirtualNetworkNotInSucceededState" Message="Virtual network %s is in Updating state. It needs to be in `+
		`Succeeded state in order to set resource ownership." Details=[]`,
		subscription, id.group, id.name(), network.ID)
}

// refuse is Azure's answer to a request while the operation runs
// (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/operationnotallowed-error).
func (o operation) refuse(id armID, method string, now time.Time) *Error {
	const wait = "please wait for it to finish before starting a new operation. See " +
		"https://aka.ms/aks-pending-operation for more details"
	switch {
	case o.Own && id.kind == kindCluster:
		// From https://github.com/Azure/terraform-azurerm-aks/issues/604, where no user had started another operation.
		return conflict("EtagMismatch", "Operation is not allowed: Another operation is in progress")
	case o.Pool == "":
		return conflict("OperationNotAllowed", "Operation is not allowed: Another operation (%s) is in progress, %s",
			o.Name, wait)
	case o.Name == deleting && method != http.MethodDelete && id.kind == kindPool && id.name() == o.Pool:
		return conflict("OperationNotAllowed", "Unable to perform '%s' operation on '%s' since deletion was issued on "+
			"'%[2]s'. The only allowed operation is deletion once deletion has started. The delete operation started "+
			"at '%s' and elapsed time is: '%s' (RFC3339 format)", updating, o.Pool, o.From.UTC().Format(time.RFC3339),
			time.Time{}.Add(now.Sub(o.From)).Format(time.TimeOnly))
	case id.kind == kindPool:
		return conflict("OperationNotAllowed",
			"Operation is not allowed: Another agentpool operation (%s - %s) is in progress, %s", o.Pool, o.Name, wait)
	default:
		return conflict("OperationNotAllowed", "Managed Cluster operation is not allowed: Another operation (%s) is "+
			"in progress on agent pool (%s), %s", o.Name, o.Pool, wait)
	}
}

// operate begins the operation of an accepted request. After it, a new cluster gets one of AKS's own operations
// (https://github.com/Azure/telescope/pull/1213 names PutExtensionAddonHandler).
func (r *request) operate() {
	cluster, takes := r.clusterKey(), r.cloud.options.Operation
	if cluster == "" || takes <= 0 && len(r.rolled) == 0 {
		return
	}
	o := operation{Cluster: cluster, Name: updating, Network: r.newNetwork(), From: time.Now()}
	o.Until = o.From.Add(takes)
	if r.id.kind == kindPool {
		o.Pool = r.id.name()
	}
	switch {
	case r.method == http.MethodDelete:
		o.Name = deleting
	case r.isNew:
		o.Name = creating
	}
	r.run(o)
	if r.isNew && r.id.kind == kindCluster {
		r.run(operation{Cluster: cluster, Name: updating, Own: true, From: o.Until, Until: o.Until.Add(takes)})
	}
	r.until = o.Until
}

// interfere makes AKS start an operation of its own.
func (r *request) interfere(cluster string) error {
	now := time.Now()
	r.run(operation{
		Cluster: cluster, Name: updating, Own: true, From: now,
		// The request meets it even if operations take no time.
		Until: now.Add(max(r.cloud.options.Operation, time.Millisecond)),
	})
	return writeFile(r.cloud.stateFile(), r.state)
}

// run adds an operation, and removes those that have ended.
func (r *request) run(o operation) {
	ended := func(old operation) bool {
		until := old.Until
		if old.Steps != 0 {
			until = until.Add(retained)
		}
		return !old.Runs && !o.From.Before(until)
	}
	r.state.Operations = append(slices.DeleteFunc(r.state.Operations, ended), o)
}

// wait waits for the end of an operation, which continues if its client stops waiting.
func wait(ctx context.Context, until time.Time) error {
	left := time.Until(until)
	if left <= 0 {
		return nil
	}
	select {
	case <-time.After(left):
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the operation: %w", ctx.Err())
	}
}

package plan

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var refusedByBootstrap = engine.Rule{
	Rule: rule.Rule{
		ID: "MK661", Severity: rule.Error, Title: "a value that the bootstrap of a node refuses",
		Page: rulepages.Kubeadm,
		Reason: "The value becomes part of a node's files. If package bootstrap refuses it, the node would not join, " +
			"or the value could become code in a script. The message comes from package bootstrap, its network, or " +
			"the topology.",
		Source:    ownSource,
		Mandatory: true,
	},
	Checks: []engine.Check{
		engine.On(networks, func(n network.Defaulted) []rule.Problem { return problemsOf(n.Validate(networkPath)) }),
		engine.On(roomy, func(c Defaulted) []rule.Problem { return problemsOf(c.bootstrapErrors()) }),
		engine.On(joinings, func(j DefaultedJoining) []rule.Problem {
			return problemsOf(append(j.authorityErrors(), j.bootstrapErrors()...))
		}),
		engine.On(allKeys, func(k Keys) []rule.Problem { return problemsOf(k.pairErrors()) }),
	},
}

// problemsOf returns the problems with the messages of errors.
func problemsOf(errs field.ErrorList) []rule.Problem {
	var found []rule.Problem
	for _, err := range errs {
		found = append(found, problemOf(err))
	}
	return found
}

// problemOf returns the problem with the message of an error.
func problemOf(err *field.Error) rule.Problem {
	return rule.Problem{Path: err.Field, Type: err.Type, Value: err.BadValue, Detail: err.Detail}
}

// bootstrapErrors returns what is wrong with how the machines join, with the addresses that Azure
// would choose first.
func (c Defaulted) bootstrapErrors() field.ErrorList {
	_, subnet := c.Subnets()
	addresses := map[string]netip.Addr{}
	next := uint32(reservedFirst)
	for _, m := range c.Machines() {
		if !m.ControlPlane {
			addresses[m.Name] = nth(subnet, next)
			next++
		}
	}
	// Rules of their own report the options of the API servers.
	errs := slices.DeleteFunc(c.Bootstrap(addresses).Validate(nil), func(err *field.Error) bool {
		return strings.HasPrefix(err.Field, "apiServer.")
	})
	wrong := map[string]bool{}
	for i, p := range c.Pools {
		wrong[fmt.Sprintf("pools[%d]", i)] = nameTooLong(p)
	}
	// The name of the control plane is not an argument.
	return slices.DeleteFunc(withoutFollowUps(arguments(errs, c.argument), wrong), func(err *field.Error) bool {
		return err.Field == "controlPlane.name"
	})
}

// withoutFollowUps returns the errors without those about the machines of a pool that is wrong itself: they follow from
// that. It takes the paths of pools that are wrong for other rules.
func withoutFollowUps(errs field.ErrorList, wrong map[string]bool) field.ErrorList {
	for _, err := range errs {
		if at := belowPool.FindStringSubmatch(err.Field); at != nil {
			wrong[at[1]] = true
		}
	}
	return slices.DeleteFunc(errs, func(err *field.Error) bool { return wrong[err.Field] })
}

// arguments changes the paths of bootstrap errors to those of the arguments.
func arguments(errs field.ErrorList, argument func(string) string) field.ErrorList {
	for _, err := range errs {
		err.Field = argument(err.Field)
		err.Detail = strings.ReplaceAll(err.Detail, "topology.", "")
	}
	return errs
}

var (
	poolPath    = regexp.MustCompile(`^topology\.pools\[(\d+)\]`)
	nodePath    = regexp.MustCompile(`^nodes\[(\d+)\](\..*)?$`)
	belowPool   = regexp.MustCompile(`^(pool(?:s\[\d+\])?)\.`)
	kubeletPath = regexp.MustCompile(`^kubelet\[([^\]]*)\]`)
)

// argument returns the path of the argument that a field of the bootstrap comes from.
func (c Defaulted) argument(path string) string {
	if at := poolPath.FindStringSubmatch(path); at != nil {
		return c.poolArgument(at[1]) + strings.TrimPrefix(path, at[0])
	}
	if at := nodePath.FindStringSubmatch(path); at != nil {
		i, _ := strconv.Atoi(at[1])
		return c.machineArgument(i)
	}
	if at := kubeletPath.FindStringSubmatch(path); at != nil {
		return "poolOptions[" + at[1] + "].kubelet" + strings.TrimPrefix(path, at[0])
	}
	if path == "nodes" {
		return "pools"
	}
	return strings.TrimPrefix(path, "topology.")
}

// poolArgument returns the path of the pool with an index. The index after the last pool is the
// control plane's.
func (c Defaulted) poolArgument(index string) string {
	if index == strconv.Itoa(len(c.Pools)) {
		return "controlPlane"
	}
	return "pools[" + index + "]"
}

// machineArgument returns the path of the pool of the i-th machine.
func (c Defaulted) machineArgument(i int) string {
	i -= min(c.ControlPlane.Count, mostServers)
	for p, pool := range c.Pools {
		count := min(pool.Count, mostWorkers)
		if i >= 0 && i < count {
			return fmt.Sprintf("pools[%d]", p)
		}
		i -= count
	}
	return "controlPlane"
}

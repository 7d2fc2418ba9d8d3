package bootstrap

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// maxWindowsName is the longest computer name that Windows takes
// (https://learn.microsoft.com/troubleshoot/windows-server/active-directory/naming-conventions-for-computer-domain-site-ou).
const maxWindowsName = 15

// check finds what is wrong with a node; the network checks its address.
func (n Node) check(pools []topology.Pool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	pool, known := poolNamed(pools, n.Pool)
	name := path.Child("name")
	if problems := validation.IsDNS1123Label(n.Name); len(problems) > 0 {
		errs = append(errs, field.Invalid(name, n.Name, "must be a host name: "+problems[0]))
	} else if known && pool.Platform.IsWindows() && len(n.Name) > maxWindowsName {
		errs = append(errs, field.Invalid(name, n.Name, fmt.Sprintf(
			"%d characters, and the name of a Windows computer has at most %d: use a shorter one", len(n.Name),
			maxWindowsName)))
	}
	switch at := path.Child("pool"); {
	case n.Pool == "":
		errs = append(errs, field.Required(at, "name its pool in the topology"))
	case !known:
		errs = append(errs, field.Invalid(at, n.Pool, fielderrors.Unknown("pool", n.Pool, poolNames(pools))))
	case n.ControlPlane && pool.Platform.IsWindows():
		errs = append(errs, field.Invalid(path.Child("controlPlane"), true,
			fmt.Sprintf("the control plane runs on Linux only, and the pool %s is %s: use a node of a Linux pool",
				n.Pool, pool.Platform)))
	}
	return errs
}

func poolNamed(pools []topology.Pool, name string) (topology.Pool, bool) {
	i := slices.IndexFunc(pools, func(p topology.Pool) bool { return p.Name == name })
	if i < 0 {
		return topology.Pool{}, false
	}
	return pools[i], true
}

func poolNames(pools []topology.Pool) []string {
	names := make([]string, len(pools))
	for i, pool := range pools {
		names[i] = pool.Name
	}
	return names
}

// checkEndpoint finds what is wrong with the address of the API server.
func (c Defaulted) checkEndpoint(path *field.Path) field.ErrorList {
	if c.Endpoint == "" {
		switch n := c.controlPlanes(); n {
		case 0:
			return field.ErrorList{field.Required(path,
				"no node has controlPlane: set the address of the API server, for example api.example.com:6443")}
		case 1:
			return nil
		default:
			return field.ErrorList{field.Required(path, fmt.Sprintf(
				"the control plane has %d nodes, a failed node takes its address with it, and the endpoint cannot be "+
					"changed later: set the address of a load balancer in front of all of them, for example "+
					"api.example.com:6443", n))}
		}
	}
	if !network.IsEndpoint(c.Endpoint) {
		return field.ErrorList{field.Invalid(path, c.Endpoint,
			"must be a host and a port, api.example.com:6443 for example")}
	}
	return nil
}

// firstControlPlane returns the index of the node that creates the cluster, -1 for none.
func (c Cluster) firstControlPlane() int {
	return slices.IndexFunc(c.Nodes, func(n Node) bool { return n.ControlPlane })
}

// controlPlanes returns the number of nodes of the control plane.
func (c Cluster) controlPlanes() int {
	count := 0
	for _, node := range c.Nodes {
		if node.ControlPlane {
			count++
		}
	}
	return count
}

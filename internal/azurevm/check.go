package azurevm

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/nearest"
)

// Validate returns everything that is wrong with the cluster, with paths as in the
// arguments of the component.
func (c Cluster) Validate() field.ErrorList {
	c = c.WithDefaults()
	errs := validateName(c.Name, field.NewPath("clusterName"))
	errs = append(errs, c.ControlPlane.validate(field.NewPath("controlPlane"))...)
	for i, pool := range c.Pools {
		at := field.NewPath("pools").Index(i)
		if pool.Name == ControlPlanePool {
			errs = append(errs, field.Invalid(at.Child("name"), pool.Name, "the control plane is called so: use another name"))
		}
		errs = append(errs, ValidatePool(pool, at)...)
	}
	for name, o := range c.PoolOptions {
		at := field.NewPath("poolOptions").Key(name)
		if !slices.ContainsFunc(c.Pools, func(p topology.Pool) bool { return p.Name == name }) {
			errs = append(errs, field.Invalid(at, name, nearest.Unknown("pool", name, c.poolNames())))
		}
		errs = append(errs, o.Image.validate(at.Child("image"))...)
	}
	errs = append(errs, validateRanges(c.APIServer.AuthorizedIPRanges, field.NewPath("apiServer", "authorizedIPRanges"))...)
	errs = append(errs, validateRanges(c.NodePortSources, field.NewPath("nodePortSources"))...)
	errs = append(errs, validateServicePorts(c.ServicePorts, field.NewPath("servicePorts"))...)
	if bad := c.validateNetwork(field.NewPath("network")); len(bad) > 0 {
		// Without a range for machines nothing can be said about them.
		return append(errs, bad...)
	}
	return withoutFollowUps(append(errs, c.validateBootstrap()...))
}

// withoutFollowUps leaves out what is wrong with machines of a pool that something else is
// wrong with, and with the name of the control plane, which nobody gives.
func withoutFollowUps(errs field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(slices.Clone(errs), func(err *field.Error) bool {
		return err.Field == "controlPlane.name" || wholePool.MatchString(err.Field) && slices.ContainsFunc(errs, func(other *field.Error) bool {
			return strings.HasPrefix(other.Field, err.Field+".")
		})
	})
}

var wholePool = regexp.MustCompile(`^pool(s\[\d+\])?$`)

func (c Cluster) poolNames() []string {
	names := make([]string, len(c.Pools))
	for i, pool := range c.Pools {
		names[i] = pool.Name
	}
	return names
}

// nameFormat leaves room for the names of the machines behind it: the name of a virtual
// machine has at most 64 characters
// (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute).
var nameFormat = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$`)

func validateName(name string, path *field.Path) field.ErrorList {
	if nameFormat.MatchString(name) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name,
		"must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last: the names of resources in Azure begin with it")}
}

func (p ControlPlane) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Count != 1 && p.Count != 3 && p.Count != 5 {
		errs = append(errs, field.Invalid(path.Child("count"), p.Count,
			"must be 1, 3 or 5: etcd needs more than half of its members, so that an even number bears no more failures than the odd one below"))
	}
	errs = append(errs, validateMachineSize(p.Size, path.Child("size"))...)
	return append(errs, p.Image.validate(path.Child("image"))...)
}

// ValidatePool returns what is wrong with a pool of machines, beside what the topology
// finds.
func ValidatePool(p topology.Pool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Platform.IsWindows() && len(p.Name) > roomForName(p) {
		longest := fmt.Sprintf("%s-%s-%d", p.Name, strings.Repeat("x", versionLength), max(p.Nodes()-1, 0))
		errs = append(errs, field.Invalid(path.Child("name"), p.Name, fmt.Sprintf(
			"its machines are called up to %s, %d characters, and the name of a Windows machine has at most %d: use a name of at most %d",
			longest, len(longest), longestWindowsName, roomForName(p))))
	}
	if p.Size == "" {
		errs = append(errs, field.Required(path.Child("size"), "the size of the virtual machines, Standard_D4s_v5 for example"))
	} else if !p.Platform.IsWindows() {
		// Of Windows the topology says it.
		errs = append(errs, validateMachineSize(p.Size, path.Child("size"))...)
	}
	refuse := func(set bool, name string, value any, detail string) {
		if set {
			errs = append(errs, field.Invalid(path.Child(name), value, detail))
		}
	}
	refuse(p.Autoscaling.Enabled(), "autoscaling", fmt.Sprintf("%d to %d", p.Autoscaling.Min, p.Autoscaling.Max),
		"nothing scales virtual machines of their own: leave it out, and give a count")
	refuse(p.FIPS, "fips", true, "a virtual machine has it from its image only: leave it out, and give an image that has it")
	refuse(p.DisableOutboundNAT, "disableOutboundNAT", true, "is an option of AKS: leave it out")
	refuse(p.Upgrade != topology.Upgrade{}, "upgrade", field.OmitValueType{}, "all machines of a new version come before the old ones go: leave it out")
	return errs
}

// arm64Size is a size with the letter p
// (https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions).
var arm64Size = regexp.MustCompile(`(?i)^Standard_[A-Z]+\d+(-\d+)?[a-z]*p[a-z]*(_|$)`)

func validateMachineSize(size string, path *field.Path) field.ErrorList {
	if arm64Size.MatchString(size) {
		return field.ErrorList{field.Invalid(path, size, "an Arm64 size (the letter p), and the bootstrap is for amd64: use a size without p, for example Standard_D4s_v5")}
	}
	return nil
}

func (i Image) validate(path *field.Path) field.ErrorList {
	marketplace := Image{Publisher: i.Publisher, Offer: i.Offer, SKU: i.SKU, Version: i.Version}
	switch {
	case i == Image{}:
		return nil
	case i.ID != "" && marketplace != Image{}:
		return field.ErrorList{field.Invalid(path.Child("id"), i.ID, "give an ID, or publisher, offer, sku and version, not both")}
	case i.ID != "":
		return nil
	}
	var errs field.ErrorList
	for _, f := range []struct{ name, value string }{
		{"offer", i.Offer}, {"publisher", i.Publisher}, {"sku", i.SKU}, {"version", i.Version},
	} {
		if f.value == "" {
			errs = append(errs, field.Required(path.Child(f.name), "an image of the marketplace has publisher, offer, sku and version; the version may be latest"))
		}
	}
	return errs
}

func validateRanges(ranges []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, text := range ranges {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			if prefix != prefix.Masked() {
				errs = append(errs, field.Invalid(path.Index(i), text, fmt.Sprintf("has bits of a host: write %s", prefix.Masked())))
			}
			continue
		}
		if _, err := netip.ParseAddr(text); err != nil {
			errs = append(errs, field.Invalid(path.Index(i), text, "must be an address or a CIDR, 203.0.113.0/24 for example"))
		}
	}
	return errs
}

// mostServicePorts leaves room for other rules: Azure has at most 300 load-balancing rules
// for a network interface
// (https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits#load-balancer).
const mostServicePorts = 250

func validateServicePorts(ports []ServicePort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(ports) > mostServicePorts {
		errs = append(errs, field.TooMany(path, len(ports), mostServicePorts))
	}
	for i, p := range ports {
		at := path.Index(i)
		if p.Port < 1 || p.Port > 65534 {
			errs = append(errs, field.Invalid(at.Child("port"), p.Port, "must be from 1 to 65534: it is the port that clients connect to"))
		}
		if p.NodePort < 30000 || p.NodePort > 32767 {
			errs = append(errs, field.Invalid(at.Child("nodePort"), p.NodePort, "must be from 30000 to 32767: give the Service the same nodePort"))
		}
		for j, other := range ports[:i] {
			if p.Port == other.Port {
				errs = append(errs, duplicate(at.Child("port"), p.Port, path.Index(j)))
			}
			if p.NodePort == other.NodePort {
				errs = append(errs, duplicate(at.Child("nodePort"), p.NodePort, path.Index(j)))
			}
		}
		errs = append(errs, validateRanges(p.Sources, at.Child("sources"))...)
	}
	return errs
}

func duplicate(path *field.Path, value int, by *field.Path) *field.Error {
	err := field.Duplicate(path, value)
	err.Detail = fmt.Sprintf("%s has it already: use another", by)
	return err
}

func (c Cluster) validateNetwork(path *field.Path) field.ErrorList {
	cidr := c.Network.NodeCIDR
	if errs := append(c.Network.Validate(path), worksInAzure(c.Network, path)...); len(errs) > 0 {
		return errs
	}
	if cidr.Bits() > longestNodePrefix {
		return field.ErrorList{field.Invalid(path.Child("nodeCIDR"), cidr.String(), fmt.Sprintf(
			"the control plane's subnet is its first eighth, and the nodes' its second half: use /%d or a larger range", longestNodePrefix))}
	}
	workers := 0
	for _, pool := range c.Pools {
		workers += pool.Nodes()
	}
	if workers > topology.MaxCount {
		return field.ErrorList{field.Invalid(field.NewPath("pools"), workers, fmt.Sprintf(
			"more machines than Kubernetes supports in a cluster: use at most %d", topology.MaxCount))}
	}
	if routes := workers + c.ControlPlane.Count; c.Network.Kind.Planned() && routes > mostRoutes {
		return field.ErrorList{field.Invalid(field.NewPath("pools"), routes, fmt.Sprintf(
			"a route table of Azure has at most %d routes, one for each machine: use fewer machines, or an overlay", mostRoutes))}
	}
	_, nodes := c.Subnets()
	if workers > room(nodes) {
		return field.ErrorList{field.Invalid(path.Child("nodeCIDR"), cidr.String(), fmt.Sprintf(
			"the nodes' subnet, its second half, has room for %d machines, and the pools have %d: use a larger range", room(nodes), workers))}
	}
	return nil
}

// worksInAzure refuses what Azure's network does not pass on
// (https://docs.tigera.io/calico/latest/reference/public-cloud/azure).
func worksInAzure(n network.Network, path *field.Path) field.ErrorList {
	if n.Kind != network.CalicoBGP {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("kind"), string(n.Kind),
		"Azure's network drops packets of pods unless its route table has their ranges, and Calico chooses them where nobody writes them down: use calico-vxlan")}
}

// mostRoutes is Azure's limit
// (https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits#networking-limits).
const mostRoutes = 400

// validateBootstrap finds what is wrong with how the machines join, for the addresses
// that Azure would give first.
func (c Cluster) validateBootstrap() field.ErrorList {
	_, subnet := c.Subnets()
	addresses := map[string]netip.Addr{}
	next := uint32(reservedFirst)
	for _, m := range c.Machines() {
		if !m.ControlPlane {
			addresses[m.Name] = nth(subnet, next)
			next++
		}
	}
	return arguments(c.Bootstrap(addresses).Validate(nil), c.argument)
}

// arguments are errors of the bootstrap with paths as in the arguments.
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
	kubeletPath = regexp.MustCompile(`^kubelet\[([^\]]*)\]`)
)

// argument is where the argument is that a field of the bootstrap comes from.
func (c Cluster) argument(path string) string {
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

// poolArgument is the path of the pool of an index: behind the last one is the control
// plane.
func (c Cluster) poolArgument(index string) string {
	if index == strconv.Itoa(len(c.Pools)) {
		return "controlPlane"
	}
	return "pools[" + index + "]"
}

// machineArgument is the path of the pool of the i-th machine.
func (c Cluster) machineArgument(i int) string {
	machines := c.Machines()
	if i >= len(machines) || machines[i].ControlPlane {
		return "controlPlane"
	}
	name := machines[i].Pool.Name
	return fmt.Sprintf("pools[%d]", slices.IndexFunc(c.Pools, func(p topology.Pool) bool { return p.Name == name }))
}

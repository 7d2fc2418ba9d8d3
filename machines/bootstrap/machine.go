package bootstrap

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// machine is all that is known about one node, checked and with defaults.
type machine struct {
	Node
	// pool is the node's, with the topology's defaults.
	pool topology.Pool
	// kubelet are the options of the pool's kubelets.
	kubelet KubeletOptions
	// plan is the node's part of the network's.
	plan network.NodePlan
	// network is the cluster's.
	network network.Defaulted
	// release is what the node runs, and version its minor version; controlPlane is the
	// release of the control plane.
	release      KubernetesRelease
	version      kubeversion.Version
	controlPlane KubernetesRelease
	// releases are the other downloads.
	releases Releases
	// endpoint is the API server's, host:port.
	endpoint string
	// localEndpoint is its address, if the node is to answer it itself.
	localEndpoint netip.Addr
	// ca is the certificate of the cluster's authority, empty if it is not known.
	ca string
	// apiServer are the options of the API servers.
	apiServer APIServerOptions
	// first reports whether the node creates the cluster.
	first bool
	// join is empty if only the public files are requested.
	join Join
}

// machine checks a cluster, and gives all about its node with a name. How it joins is not
// known if j is nil.
func (c Defaulted) machine(name string, j *Join) (machine, error) {
	path := field.NewPath("cluster")
	errs := c.check(path)
	i := slices.IndexFunc(c.Nodes, func(n Node) bool { return n.Name == name })
	if i < 0 {
		errs = append(errs, field.Invalid(path.Child("nodes"), name, fielderrors.Unknown("node", name, c.nodeNames())))
		return machine{}, fielderrors.Join("bootstrap", errs)
	}
	node := c.Nodes[i]
	first := i == c.firstControlPlane()
	if j == nil {
		j = &Join{}
	} else {
		errs = append(errs, j.check(first, node.ControlPlane, c.CACertificate, field.NewPath("join"))...)
	}
	if err := fielderrors.Join("bootstrap", errs); err != nil {
		return machine{}, err
	}
	plan, err := c.Network.Plan(c.networkNodes())
	if err != nil {
		return machine{}, err
	}
	pool, _ := poolNamed(c.Topology.Pools, node.Pool)
	release, version := c.Releases.of(pool.KubernetesVersion)
	controlPlane, _ := c.Releases.of(c.Topology.KubernetesVersion)
	if node.ControlPlane {
		release, version = c.Releases.of(c.Topology.KubernetesVersion)
	}
	var local netip.Addr
	if node.ControlPlane && c.LocalEndpoint {
		local = c.endpointAddress()
	}
	return machine{
		Node: node, pool: pool, kubelet: c.Kubelet[pool.Name], plan: plan.Nodes[i], network: c.Network,
		release: release, version: version, controlPlane: controlPlane, releases: c.Releases,
		endpoint: c.Endpoint, localEndpoint: local, ca: c.CACertificate, apiServer: c.APIServer,
		first: first, join: *j,
	}, nil
}

// Defaulted is a cluster whose topology, network, endpoint and releases have their defaults: it is
// what [Cluster.WithDefaults] returns.
type Defaulted struct {
	Cluster
	Topology topology.Defaulted
	Network  network.Defaulted
}

// WithDefaults returns the cluster with its defaults.
func (c Cluster) WithDefaults() Defaulted {
	if i := c.firstControlPlane(); c.Endpoint == "" && c.controlPlanes() == 1 {
		c.Endpoint = c.Nodes[i].Address.String() + ":6443"
	}
	c.Releases = c.Releases.WithDefaults()
	return Defaulted{c, c.Topology.WithDefaults(), c.Network.WithDefaults()}
}

// oldestKubeadm is the oldest minor version of a control plane that the configuration of
// kubeadm and the scripts are tested with. The kubelets of a pool may be older, by as much
// as the topology lets them.
var oldestKubeadm = kubeversion.Version{Major: 1, Minor: 34}

// isTooOld reports whether the control plane is older than what the files are for.
func (c Defaulted) isTooOld() bool {
	version, known := kubeversion.Parse(c.Topology.KubernetesVersion)
	return known && version.Compare(oldestKubeadm) < 0
}

// check finds everything that is wrong with a cluster.
func (c Defaulted) check(path *field.Path) field.ErrorList {
	at := path.Child("topology")
	errs := c.Topology.Validate(at)
	if c.Topology.KubernetesVersion == "" {
		errs = append(errs, field.Required(at.Child("kubernetesVersion"),
			"set the version of Kubernetes that the nodes run, for example 1.36"))
	}
	if c.isTooOld() {
		errs = append(errs, field.Invalid(at.Child("kubernetesVersion"), c.Topology.KubernetesVersion,
			fmt.Sprintf("the files are for kubeadm %s or newer: use %[1]s or newer", oldestKubeadm)))
	}
	if c.CACertificate != "" {
		errs = append(errs, ValidateCACertificate(c.CACertificate, path.Child("caCertificate"))...)
	}
	errs = append(errs, c.APIServer.Validate(path.Child("apiServer"))...)
	errs = append(errs, c.checkKubelets(path.Child("kubelet"))...)
	errs = append(errs, c.Network.Validate(path.Child("network"))...)
	errs = append(errs, c.Network.ValidateKubeadm(path.Child("network"))...)
	nodes := path.Child("nodes")
	for i, node := range c.Nodes {
		errs = append(errs, node.check(c.Topology.Pools, nodes.Index(i))...)
	}
	errs = append(errs, c.Network.ValidateNodes(c.networkNodes(), nodes)...)
	errs = append(errs, c.checkEndpoint(path.Child("endpoint"))...)
	errs = append(errs, c.checkLocalEndpoint(path)...)
	errs = append(errs, c.checkBlockedEgress(path.Child("network", "blockedEgress"))...)
	return append(errs, c.Releases.check(c.needs(path), path.Child("releases"))...)
}

func (c Defaulted) checkKubelets(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(c.Kubelet)) {
		options := c.Kubelet[name]
		pool, ok := poolNamed(c.Topology.Pools, name)
		if !ok {
			errs = append(errs, field.Invalid(path.Key(name), name,
				fielderrors.Unknown("pool", name, poolNames(c.Topology.Pools))))
			continue
		}
		errs = append(errs, options.validate(path.Key(name), pool)...)
	}
	return errs
}

// needs returns the systems and versions of the nodes.
func (c Defaulted) needs(path *field.Path) needs {
	n := needs{versions: map[kubeversion.Version]wish{}}
	controlPlane, _ := kubeversion.Parse(c.Topology.KubernetesVersion)
	want := func(text string, path *field.Path) {
		version, ok := kubeversion.Parse(text)
		if version == controlPlane && c.isTooOld() {
			return // a release of it would not help
		}
		if _, twice := n.versions[version]; ok && !twice {
			n.versions[version] = wish{path, text}
		}
	}
	want(c.Topology.KubernetesVersion, path.Child("topology", "kubernetesVersion"))
	for i, pool := range c.Topology.Pools {
		used := slices.ContainsFunc(c.Nodes, func(node Node) bool { return node.Pool == pool.Name })
		if !used {
			continue
		}
		n.windows = n.windows || pool.Platform.IsWindows()
		n.linux = n.linux || !pool.Platform.IsWindows()
		want(pool.KubernetesVersion, path.Child("topology", "pools").Index(i).Child("kubernetesVersion"))
	}
	n.kubeProxy = n.windows && c.Network.KubeProxyWindows().Needed
	n.flannel = n.windows && c.Network.Kind == network.FlannelVXLAN
	return n
}

// of returns the release of a version, which may be a minor one.
func (r Releases) of(text string) (KubernetesRelease, kubeversion.Version) {
	version, _ := kubeversion.Parse(text)
	for _, release := range r.Kubernetes {
		if v, ok := exactVersion(release.Version); ok && v == version {
			return release, version
		}
	}
	return KubernetesRelease{}, version
}

// networkNodes returns the nodes as the network sees them.
func (c Defaulted) networkNodes() []network.Node {
	nodes := make([]network.Node, len(c.Nodes))
	for i, node := range c.Nodes {
		pool, _ := poolNamed(c.Topology.Pools, node.Pool)
		nodes[i] = network.Node{Name: node.Name, Address: node.Address, Platform: pool.Platform, PodCIDR: node.PodCIDR}
	}
	return nodes
}

func (c Cluster) nodeNames() []string {
	names := make([]string, len(c.Nodes))
	for i, node := range c.Nodes {
		names[i] = node.Name
	}
	return names
}

// Plan returns the plan of the cluster's network. The error lists everything that is wrong
// with the cluster.
func (c Cluster) Plan() (network.Plan, error) {
	d := c.WithDefaults()
	if err := fielderrors.Join("bootstrap", d.check(field.NewPath("cluster"))); err != nil {
		return network.Plan{}, err
	}
	return d.Network.Plan(d.networkNodes())
}

package plan

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// InAzure is what a cluster is in Azure at the moment.
type InAzure struct {
	// Tags are the cluster's; not nil.
	Tags map[string]string
	// Versions are those of Kubernetes of the pools, by their names in Azure.
	Versions map[string]string
	// LicenseType and GMSA are those of the Windows profile.
	LicenseType LicenseType
	GMSA        GMSA
	// Properties are all that Azure says of the cluster, by the names of its API. They are nil for
	// a cluster that is not there.
	Properties map[string]any
}

// ReadInAzure reads a cluster as Azure describes it.
func ReadInAzure(properties map[string]any) InAzure {
	a := InAzure{
		Tags: textsOf(properties["tags"]), Versions: map[string]string{},
		LicenseType: LicenseType(open(option(properties, "windowsProfile.licenseType"))),
		Properties:  properties,
	}
	if isTrue(option(properties, "windowsProfile.gmsaProfile.enabled")) {
		a.GMSA = GMSA{
			Enabled:        true,
			DNSServer:      open(option(properties, "windowsProfile.gmsaProfile.dnsServer")),
			RootDomainName: open(option(properties, "windowsProfile.gmsaProfile.rootDomainName")),
		}
	}
	for _, profile := range a.profiles() {
		a.Versions[open(profile["name"])] = open(profile["currentOrchestratorVersion"])
	}
	return a
}

// textsOf is a map of texts; not nil.
func textsOf(v any) map[string]string {
	texts := map[string]string{}
	for key, value := range tree.Map(v) {
		texts[key] = open(value)
	}
	return texts
}

// Pools are the names of the pools, sorted.
func (a InAzure) Pools() []string { return slices.Sorted(maps.Keys(a.Versions)) }

// profiles are the pools as Azure describes them.
func (a InAzure) profiles() []map[string]any {
	var profiles []map[string]any
	for _, profile := range tree.List(a.Properties["agentPoolProfiles"]) {
		profiles = append(profiles, tree.Map(profile))
	}
	return profiles
}

// IsForeign says that no program with this library has made or changed the cluster yet.
func (a InAzure) IsForeign() bool {
	_, tagged := a.Tags[FirstPoolTag]
	return !tagged
}

// KubernetesVersion is that of the control plane; empty where Azure does not say it.
func (a InAzure) KubernetesVersion() string {
	return open(option(a.Properties, "currentKubernetesVersion"))
}

// HasWindowsProfile reports whether there can be Windows pools, as far as the profile goes: a cluster
// gets it when it is created, or never.
func (a InAzure) HasWindowsProfile() bool { return option(a.Properties, "windowsProfile") != nil }

// DNSPrefix is the beginning of the API server's host name; false where it has its name in another
// way, or none yet.
func (a InAzure) DNSPrefix() (prefix string, has bool) {
	prefix = open(option(a.Properties, "dnsPrefix"))
	return prefix, prefix != "" || option(a.Properties, "fqdnSubdomain") != nil
}

// WindowsUsername is the name of the administrator of the Windows nodes, which never changes.
func (a InAzure) WindowsUsername() string {
	return open(option(a.Properties, "windowsProfile.adminUsername"))
}

// HasOIDCIssuer reports whether there is one. Once enabled it stays.
func (a InAzure) HasOIDCIssuer() bool {
	return isTrue(option(a.Properties, "oidcIssuerProfile.enabled"))
}

// HasRBAC reports whether the API server asks for rights. It never changes.
func (a InAzure) HasRBAC() bool { return option(a.Properties, "enableRBAC") != false }

// NodeResourceGroup is the group in which Azure keeps the nodes.
func (a InAzure) NodeResourceGroup() string { return open(a.Properties["nodeResourceGroup"]) }

// OIDCIssuerURL is the issuer of the tokens of service accounts; empty if there is none.
func (a InAzure) OIDCIssuerURL() string {
	return open(option(a.Properties, "oidcIssuerProfile.issuerURL"))
}

// apiServer has what matters for a login.
func (a InAzure) apiServer() APIServer {
	return APIServer{DisableLocalAccounts: isTrue(option(a.Properties, "disableLocalAccounts"))}
}

// Network is the cluster's. Its mode is empty where it is none that Windows nodes can be in. The
// subnets are those of the first pool that has some: Azure wants all pools in one virtual network.
func (a InAzure) Network() Network {
	n := Network{
		Policy:       NetworkPolicy(open(option(a.Properties, "networkProfile.networkPolicy"))),
		OutboundType: OutboundType(open(option(a.Properties, "networkProfile.outboundType"))),
	}
	for _, profile := range a.profiles() {
		if n.NodeSubnetID == "" {
			n.NodeSubnetID, n.PodSubnetID = open(profile["vnetSubnetID"]), open(profile["podSubnetID"])
		}
	}
	if open(option(a.Properties, "networkProfile.networkPlugin")) == "azure" {
		switch {
		case open(option(a.Properties, "networkProfile.networkPluginMode")) == "overlay":
			n.Mode = Overlay
		case n.PodSubnetID != "":
			n.Mode = PodSubnet
		default:
			n.Mode = NodeSubnet
		}
	}
	return n
}

// NetworkOf is the network for a pool: a pool that is there under the name has its own subnets.
func (a InAzure) NetworkOf(name string) Network {
	n := a.Network()
	if profile, ok := a.profile(name); ok {
		n.NodeSubnetID, n.PodSubnetID = open(profile["vnetSubnetID"]), open(profile["podSubnetID"])
	}
	return n
}

// OwnerTag is the tag of a pool that says which program has it in a cluster that the program does
// not have: once the program has such a pool no longer, it does not count any more.
const OwnerTag = "mixedkube-pool-of"

// PoolTags are the tags of the pools of a program: the cluster's, with the owner's, except those of
// this library.
func (a InAzure) PoolTags(owner string) map[string]string {
	tags := maps.Clone(a.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	delete(tags, FirstPoolTag)
	delete(tags, TakenOverTag)
	tags[OwnerTag] = owner
	return tags
}

// Topology is the cluster's, with the pools that a program declares, by their names in Azure, as
// their nodes register. Each pool counts once: one that is declared takes the place of the one in
// Azure, and one of the owner's that is declared no longer is on its way out.
func (a InAzure) Topology(owner string, declared map[string]topology.Pool) topology.Topology {
	t := topology.Topology{KubernetesVersion: a.KubernetesVersion()}
	mode := a.Network().Mode
	for _, profile := range a.profiles() {
		there, known := poolInAzure(profile)
		_, replaced := declared[there.Name]
		if open(option(profile, "powerState.code")) == "Stopped" {
			there.Count, there.Empty, there.Autoscaling = 0, true, topology.Autoscaling{}
		}
		if known && !replaced && textsOf(profile["tags"])[OwnerTag] != owner {
			t.Pools = append(t.Pools, Registered(there, optionsInAzure(profile), mode))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		t.Pools = append(t.Pools, declared[name])
	}
	if !a.GMSA.Enabled {
		t.Lacks = []topology.Feature{topology.GMSAWebhook}
	}
	t.Lacks = append(t.Lacks, a.Network().Policy.Lacks()...)
	return t
}

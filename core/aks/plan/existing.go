package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// InAzure is the current state of a cluster in Azure.
type InAzure struct {
	// Tags are the tags of the cluster. They are not nil if [ReadInAzure] has read the cluster.
	Tags map[string]string
	// Versions are the versions of Kubernetes of the pools, by their names in Azure.
	Versions map[string]string
	// LicenseType and GMSA are from the Windows profile.
	LicenseType LicenseType
	GMSA        GMSA
	// Properties are all properties that Azure returns for the cluster, by their names in its API. They are nil if the
	// cluster does not exist.
	Properties map[string]any
}

// ReadInAzure reads a cluster from the properties that Azure returns for it.
func ReadInAzure(properties map[string]any) InAzure {
	a := InAzure{
		Tags: tagsOf(properties["tags"]), Versions: map[string]string{},
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

// textsOf converts a value to a map of strings, which is never nil.
func textsOf(v any) map[string]string {
	texts := map[string]string{}
	for key, value := range tree.Map(v) {
		texts[key] = open(value)
	}
	return texts
}

// Pools returns the names of the pools in Azure, sorted.
func (a InAzure) Pools() []string { return slices.Sorted(maps.Keys(a.Versions)) }

// profiles returns the properties of the pools in Azure.
func (a InAzure) profiles() []map[string]any {
	var profiles []map[string]any
	for _, profile := range tree.List(a.Properties["agentPoolProfiles"]) {
		profiles = append(profiles, tree.Map(profile))
	}
	return profiles
}

// IsUnmanaged reports whether no program with this library has created or changed the cluster yet.
func (a InAzure) IsUnmanaged() bool {
	_, tagged := a.Tags[FirstPoolTag]
	return !tagged
}

// KubernetesVersion returns the version of the control plane, or an empty string if Azure does not return one.
func (a InAzure) KubernetesVersion() string {
	return open(option(a.Properties, "currentKubernetesVersion"))
}

// HasWindowsProfile reports whether the cluster has a Windows profile, which Windows pools need. A cluster gets the
// profile when it is created, or never.
func (a InAzure) HasWindowsProfile() bool { return option(a.Properties, "windowsProfile") != nil }

// DNSPrefix returns the prefix of the API server's host name. It returns true if the cluster has a prefix, or a
// subdomain instead of a prefix.
func (a InAzure) DNSPrefix() (prefix string, has bool) {
	prefix = open(option(a.Properties, "dnsPrefix"))
	return prefix, prefix != "" || option(a.Properties, "fqdnSubdomain") != nil
}

// WindowsUsername returns the name of the administrator of the Windows nodes, which never changes.
func (a InAzure) WindowsUsername() string {
	return open(option(a.Properties, "windowsProfile.adminUsername"))
}

// HasOIDCIssuer reports whether the cluster has an OIDC issuer. Once enabled, it cannot be disabled.
func (a InAzure) HasOIDCIssuer() bool {
	return isTrue(option(a.Properties, "oidcIssuerProfile.enabled"))
}

// HasRBAC reports whether the API server authorizes requests with RBAC. This never changes.
func (a InAzure) HasRBAC() bool { return option(a.Properties, "enableRBAC") != false }

// NodeResourceGroup returns the group in which Azure keeps the nodes.
func (a InAzure) NodeResourceGroup() string { return open(a.Properties["nodeResourceGroup"]) }

// OIDCIssuerURL returns the issuer of the tokens of service accounts, or an empty string if there is none.
func (a InAzure) OIDCIssuerURL() string {
	return open(option(a.Properties, "oidcIssuerProfile.issuerURL"))
}

// IdentityPrincipalID returns the object ID of the managed identity that the cluster acts as, its own or one of the
// user's. It returns an empty string if the cluster acts as a service principal.
func (a InAzure) IdentityPrincipalID() string {
	own := open(option(a.Properties, "identity.principalId"))
	if _, users := a.userAssigned(); own == "" {
		return open(users["principalId"])
	}
	return own
}

// UserAssignedID returns the resource ID of the user's identity that the cluster acts as, or an empty string.
func (a InAzure) UserAssignedID() string {
	id, _ := a.userAssigned()
	return id
}

// userAssigned returns the user's identity that the cluster acts as, with its ID. Azure accepts only one.
func (a InAzure) userAssigned() (id string, identity map[string]any) {
	identities := tree.Map(option(a.Properties, "identity.userAssignedIdentities"))
	for _, id := range slices.Sorted(maps.Keys(identities)) {
		return id, tree.Map(identities[id])
	}
	return "", nil
}

// Kubelet is the name of the kubelet's identity in the profile of a cluster, the only one that Azure accepts.
const Kubelet = "kubeletidentity"

// KubeletIdentity returns a property of the identity of the nodes: clientId, objectId or resourceId.
func (a InAzure) KubeletIdentity(property string) string {
	return open(option(a.Properties, "identityProfile."+Kubelet+"."+property))
}

// apiServer returns the access to the API server, with only the fields that a login depends on.
func (a InAzure) apiServer() APIServer {
	return APIServer{DisableLocalAccounts: isTrue(option(a.Properties, "disableLocalAccounts"))}
}

// Network returns the cluster's network. Its mode is empty if Windows nodes do not support the mode. Its subnets are
// those of the first pool with subnets, because Azure requires all pools to be in one virtual network.
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

// NetworkOf returns the network for a pool. An existing pool with the name has its own subnets.
func (a InAzure) NetworkOf(name string) Network {
	n := a.Network()
	if profile, ok := a.profile(name); ok {
		n.NodeSubnetID, n.PodSubnetID = open(profile["vnetSubnetID"]), open(profile["podSubnetID"])
	}
	return n
}

// PoolTags returns the tags of the pools of a program: the cluster's tags and the owner's, without the tags of this
// library.
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

// Topology returns the topology of the cluster, with the pools that a program declares, by their names in Azure, as
// their nodes register. Each pool counts once: a declared pool replaces the pool with its name in Azure, and a pool of
// the owner that is no longer declared is about to be deleted and does not count. It is one of the pools that leave, as
// those whose nodes a change in place replaces or takes away, which leave as they are in Azure and as declared.
func (a InAzure) Topology(owner string, declared map[string]topology.Pool) topology.Topology {
	t := topology.Topology{KubernetesVersion: a.KubernetesVersion(), Cloud: topology.AKS}
	mode := a.Network().Mode
	for _, profile := range a.profiles() {
		p, known := poolInAzure(profile)
		desired, replaced := declared[p.Name]
		if isStopped(profile) {
			p.Count, p.Empty, p.Autoscaling = 0, true, topology.Autoscaling{}
		}
		// The nodes of a gateway run no pods of users.
		isGateway := strings.EqualFold(open(profile["mode"]), "Gateway")
		switch isOwn := tagsOf(profile["tags"])[OwnerTag] == owner; {
		case !known || isGateway:
		case replaced && a.drains(p.Name, desired):
			t.Leaving = append(t.Leaving, a.registered(profile, desired.Name), desired)
		case replaced:
		case isOwn && p.Empty:
		case isOwn:
			t.Leaving = append(t.Leaving, Registered(p, optionsInAzure(profile), mode))
		default:
			t.Pools = append(t.Pools, Registered(p, optionsInAzure(profile), mode))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		t.Pools = append(t.Pools, declared[name])
	}
	t.MissingFeatures = MissingFeatures(a.GMSA.Enabled, a.Network().Policy)
	t.Partial = Provisions(a.Properties)
	return t
}

// registered returns a pool as its nodes in Azure have registered, with its name in the program.
func (a InAzure) registered(profile map[string]any, name string) topology.Pool {
	p, _ := poolInAzure(profile)
	p = Registered(p, optionsInAzure(profile), a.Network().Mode)
	p.Name = name
	return p
}

package aks

import (
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// configured returns the options. Their profiles are plain: [clusterSpec.plainOptions] refuses others.
func (s clusterSpec) configured() containerservice.ManagedClusterArgs {
	if s.Options == nil {
		return containerservice.ManagedClusterArgs{}
	}
	return *s.Options
}

// managedCluster returns azure-native's arguments for the cluster. The arguments of the component override the options.
func (c construction) managedCluster(group pulumi.StringInput) (*containerservice.ManagedClusterArgs, error) {
	s, first := c.clusterSpec, c.first
	a := s.configured()
	a.ResourceGroupName = group
	a.ResourceName = pulumi.String(s.ClusterName)
	a.Location = input.Optional(s.Location)
	a.KubernetesVersion = pulumi.String(s.KubernetesVersion)
	a.Tags = c.tags()
	a.Identity = c.identity()
	a.DisableLocalAccounts = pulumi.Bool(s.APIServer.DisableLocalAccounts)
	if !c.existing.found || c.existing.HasWindowsProfile() {
		a.WindowsProfile = s.windowsProfile()
	}
	a.NetworkProfile = s.networkProfile()
	a.ApiServerAccessProfile = s.apiServerAccessProfile()
	if a.DnsPrefix == nil && a.FqdnSubdomain == nil {
		// An existing cluster keeps its prefix.
		prefix, has := c.existing.DNSPrefix()
		if !has {
			prefix = dnsPrefix(s.ClusterName)
		}
		a.DnsPrefix = input.NonEmpty(prefix)
	}
	if a.EnableRBAC == nil {
		a.EnableRBAC = pulumi.Bool(!c.existing.found || c.existing.HasRBAC())
	}
	if a.OidcIssuerProfile == nil {
		a.OidcIssuerProfile = containerservice.ManagedClusterOIDCIssuerProfileArgs{
			Enabled: pulumi.Bool(!c.existing.IsTakenOver() || c.existing.HasOIDCIssuer()),
		}
	}
	if pool, ok := s.inline(first); ok {
		profile, err := inlineProfile(agentPool(pool, s.PoolOptions[pool.Name], c.networkOf(pool.Pool), s.Tags))
		if err == nil && s.PoolOptions[pool.Name].NameInAzure != "" {
			err = keepInline(&profile, c.existing.PoolProperties(first.Inline))
		}
		inAzure, exists := c.existing.Pool(first.Inline)
		if exists && c.PoolOptions[pool.Name].Change == InPlace {
			profile.VmSize = pulumi.String(inAzure.Size) // a command changes it
		}
		if exists && c.existing.IsUnmanaged() && pool.Autoscaling.Enabled() {
			profile.Count = pulumi.Int(min(max(inAzure.Count, pool.Autoscaling.Min), pool.Autoscaling.Max))
		}
		if err != nil {
			return nil, err
		}
		a.AgentPoolProfiles = containerservice.ManagedClusterAgentPoolProfileArray{profile}
	}
	return &a, nil
}

// tags returns the user's tags, or else those in Azure, with the tags that record the first pool and a takeover.
func (c construction) tags() pulumi.StringMapInput {
	own := map[string]string{plan.FirstPoolTag: c.first.Tag()}
	if c.existing.IsTakenOver() {
		own[plan.TakenOverTag] = "true"
	}
	if c.Tags == nil {
		return pulumi.ToStringMap(withTags(c.existing.Tags, own))
	}
	return addTags(c.Tags, own)
}

// addTags adds tags of this library to those of the program.
func addTags(tags pulumi.StringMapInput, own map[string]string) pulumi.StringMapInput {
	return tags.ToStringMapOutput().ApplyT(func(tags map[string]string) map[string]string {
		return withTags(tags, own)
	}).(pulumi.StringMapOutput)
}

func withTags(tags, own map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, tags)
	maps.Copy(all, own)
	return all
}

// ignoredByCluster returns the properties whose changes the cluster ignores: those whose change would replace the
// cluster although Azure can change them in place, the number of nodes that an autoscaler changes, and those that an
// existing cluster keeps.
func (c construction) ignoredByCluster(desired *containerservice.ManagedClusterArgs) []string {
	var ignored []string
	// Until a program of this library has changed the cluster, the first pool in the state can be another one.
	first := !c.existing.found || !c.existing.IsUnmanaged()
	if pool, ok := c.inline(c.first); ok && first && pool.Autoscaling.Enabled() {
		ignored = append(ignored, "agentPoolProfiles[0].count")
	}
	ignored = append(ignored, c.existing.Keeps(object(desired))...)
	if c.existing.IsTakenOver() {
		ignored = append(ignored, unsetOfCluster(desired)...)
	}
	slices.Sort(ignored)
	inPlace := []string{"windowsProfile.adminPassword", "windowsProfile.gmsaProfile", "windowsProfile.licenseType"}
	return slices.Compact(append(inPlace, ignored...))
}

// unsetOfCluster returns the properties of a cluster that arguments leave out, except its pools.
func unsetOfCluster(args *containerservice.ManagedClusterArgs) []string {
	names := unset(*args, "")
	if profile, ok := input.Plain[containerservice.ContainerServiceNetworkProfileArgs](args.NetworkProfile); ok {
		names = append(names, unset(profile, "networkProfile.")...)
	}
	if profile, ok := input.Plain[containerservice.ManagedClusterWindowsProfileArgs](args.WindowsProfile); ok {
		names = append(names, unset(profile, "windowsProfile.")...)
	}
	if profile, ok := input.Plain[containerservice.ManagedClusterAPIServerAccessProfileArgs](
		args.ApiServerAccessProfile,
	); ok {
		names = append(names, unset(profile, "apiServerAccessProfile.")...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "agentPoolProfiles" })
}

// identity returns nil if the program sets no identity for a cluster that it takes over: the cluster keeps its own.
func (c construction) identity() containerservice.ManagedClusterIdentityPtrInput {
	switch {
	case c.Identity.UserAssignedID != nil:
		return containerservice.ManagedClusterIdentityArgs{
			Type:                   containerservice.ResourceIdentityTypeUserAssigned,
			UserAssignedIdentities: pulumi.StringArray{c.Identity.UserAssignedID},
		}
	case c.existing.IsTakenOver():
		return nil
	default:
		return containerservice.ManagedClusterIdentityArgs{Type: containerservice.ResourceIdentityTypeSystemAssigned}
	}
}

// windowsProfile returns the profile of the options, completed by the arguments.
func (s clusterSpec) windowsProfile() containerservice.ManagedClusterWindowsProfilePtrInput {
	profile, _ := input.Plain[containerservice.ManagedClusterWindowsProfileArgs](s.configured().WindowsProfile)
	profile.AdminUsername = pulumi.String(s.WindowsAdmin.Username)
	profile.AdminPassword = s.password().ToStringPtrOutput()
	profile.LicenseType = pulumi.String(s.WindowsAdmin.LicenseType)
	if gmsa := s.WindowsAdmin.GMSA; gmsa.Enabled {
		profile.GmsaProfile = containerservice.WindowsGmsaProfileArgs{
			Enabled:        pulumi.Bool(true),
			DnsServer:      input.NonEmpty(gmsa.DNSServer),
			RootDomainName: input.NonEmpty(gmsa.RootDomainName),
		}
	}
	return profile
}

// networkProfile returns the profile of the options, completed by the arguments.
func (s clusterSpec) networkProfile() containerservice.ContainerServiceNetworkProfilePtrInput {
	profile, _ := input.Plain[containerservice.ContainerServiceNetworkProfileArgs](s.configured().NetworkProfile)
	if profile.NetworkPlugin == nil {
		profile.NetworkPlugin = pulumi.String("azure")
	}
	profile.NetworkPluginMode, profile.NetworkPolicy = nil, nil
	if s.Network.Mode == Overlay {
		profile.NetworkPluginMode = pulumi.String("overlay")
	}
	if s.Network.Policy != NoPolicy {
		profile.NetworkPolicy = pulumi.String(s.Network.Policy)
	}
	profile.OutboundType = pulumi.String(s.Network.OutboundType)
	if profile.LoadBalancerSku == nil {
		profile.LoadBalancerSku = pulumi.String("standard")
	}
	return profile
}

// apiServerAccessProfile returns the profile of the options, completed by the arguments.
func (s clusterSpec) apiServerAccessProfile() containerservice.ManagedClusterAPIServerAccessProfilePtrInput {
	profile, _ := input.Plain[containerservice.ManagedClusterAPIServerAccessProfileArgs](
		s.configured().ApiServerAccessProfile)
	if s.APIServer.Private {
		profile.EnablePrivateCluster = pulumi.Bool(true)
	} else {
		// Set even if there are none: if they were left out, Azure would keep the previous ranges.
		profile.AuthorizedIPRanges = s.authorizedIPRanges()
	}
	if s.APIServer.PrivateDNSZone != nil {
		profile.PrivateDNSZone = input.Optional(s.APIServer.PrivateDNSZone)
	}
	return profile
}

func withoutWindowsProfile(a *containerservice.ManagedClusterArgs) containerservice.ManagedClusterArgs {
	without := *a
	without.WindowsProfile = nil
	return without
}

// dnsPrefix returns the beginning of the API server's host name: at most 54 letters, digits and hyphens
// (https://learn.microsoft.com/azure/aks/quotas-skus-regions).
func dnsPrefix(name string) string {
	prefix := strings.ReplaceAll(name, "_", "-")
	if len(prefix) > 54 {
		prefix = strings.TrimRight(prefix[:54], "-")
	}
	return prefix
}

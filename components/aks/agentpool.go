package aks

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

// agentPool returns azure-native's arguments for a pool, except the cluster's name. The fields of the pool override
// those of the options.
func agentPool(
	completed topology.DefaultedPool, options PoolOptions, network Network, tags pulumi.StringMapInput,
) *containerservice.AgentPoolArgs {
	a := containerservice.AgentPoolArgs{}
	if options.Options != nil {
		a = *options.Options
	}
	pool := plan.Declared(completed.Pool)
	a.AgentPoolName = pulumi.String(options.nameInAzure(pool))
	// A pool that keeps its name keeps its type.
	if a.Type == nil && options.NameInAzure == "" {
		a.Type = pulumi.String(plan.DefaultPoolType)
	}
	a.Mode = pulumi.String(pool.Mode)
	a.OsType = pulumi.String("Linux")
	if pool.Platform.IsWindows() {
		a.OsType = pulumi.String("Windows")
	}
	if sku := plan.OSSKU(pool.Platform); sku != "" && a.OsSKU == nil {
		a.OsSKU = pulumi.String(sku)
	}
	a.VmSize = pulumi.String(pool.Size)
	a.OrchestratorVersion = input.NonEmpty(pool.KubernetesVersion)
	if a.Tags == nil {
		a.Tags = tags
	}

	a.Count = pulumi.Int(pool.Count)
	// Set even if it is off: if it were left out, Azure would keep autoscaling on.
	a.EnableAutoScaling = pulumi.Bool(pool.Autoscaling.Enabled())
	if pool.Autoscaling.Enabled() {
		a.MinCount, a.MaxCount = pulumi.Int(pool.Autoscaling.Min), pulumi.Int(pool.Autoscaling.Max)
	}
	// Empty labels and taints are set for the same reason.
	a.NodeLabels = pulumi.ToStringMap(pool.Labels)
	a.NodeTaints = nodeTaints(pool)

	a.MaxPods = nonZero(pool.MaxPods)
	a.OsDiskSizeGB = nonZero(pool.OSDiskSizeGB)
	a.OsDiskType = input.NonEmpty(pool.OSDiskType)
	if len(pool.Zones) > 0 {
		a.AvailabilityZones = pulumi.ToStringArray(pool.Zones)
	}
	a.EnableFIPS = pulumi.Bool(pool.FIPS)
	if pool.Spot {
		a.ScaleSetPriority = pulumi.String("Spot")
		a.SpotMaxPrice = pulumi.Float64(vm.SpotMaxPrice(pool.SpotMaxPrice))
		if a.ScaleSetEvictionPolicy == nil && options.NameInAzure == "" {
			a.ScaleSetEvictionPolicy = pulumi.String(plan.DefaultEvictionPolicy)
		}
	}
	if pool.DisableOutboundNAT {
		a.WindowsProfile = containerservice.AgentPoolWindowsProfileArgs{DisableOutboundNat: pulumi.Bool(true)}
	}
	if u := pool.Upgrade; u != (topology.Upgrade{}) {
		upgrade, _ := input.Plain[containerservice.AgentPoolUpgradeSettingsArgs](a.UpgradeSettings)
		upgrade.MaxSurge = input.NonEmpty(u.MaxSurge)
		upgrade.MaxUnavailable = input.NonEmpty(u.MaxUnavailable)
		upgrade.DrainTimeoutInMinutes = nonZero(u.DrainTimeoutMinutes)
		upgrade.NodeSoakDurationInMinutes = nonZero(u.NodeSoakMinutes)
		upgrade.UndrainableNodeBehavior = input.NonEmpty(u.UndrainableNodes)
		a.UpgradeSettings = upgrade
	}
	a.VnetSubnetID = input.Optional(network.NodeSubnetID)
	if options.NodeSubnetID != nil {
		a.VnetSubnetID = input.Optional(options.NodeSubnetID)
	}
	a.PodSubnetID = input.Optional(network.PodSubnetID)
	if options.PodSubnetID != nil {
		a.PodSubnetID = input.Optional(options.PodSubnetID)
	}
	return &a
}

// retained returns a pool that keeps its name in Azure as it is sent: without the properties that the program leaves
// out. The resource ignores changes of them, so a name that is added to an existing pool changes nothing.
func retained(pool topology.DefaultedPool, own topology.Pool, options PoolOptions) topology.DefaultedPool {
	if options.NameInAzure != "" {
		pool.MaxPods, pool.Zones, pool.Upgrade = own.MaxPods, own.Zones, own.Upgrade
		pool.OSDiskSizeGB, pool.OSDiskType = own.OSDiskSizeGB, own.OSDiskType
	}
	return pool
}

func nodeTaints(pool topology.Pool) pulumi.StringArray {
	taints := pulumi.StringArray{}
	for _, t := range pool.Taints {
		// Azure needs the equals sign even if the value is empty.
		taints = append(taints, pulumi.Sprintf("%s=%s:%s", t.Key, t.Value, t.Effect))
	}
	return taints
}

// nonZero returns nil for 0, so that the property is left out.
func nonZero(n int) pulumi.IntPtrInput {
	if n == 0 {
		return nil
	}
	return pulumi.Int(n)
}

// inlineProfile converts a pool to an inline pool of the cluster: the same fields, in a struct of another name. Azure
// refuses the version of an inline pool unless the versions of all pools are set
// (NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged), so the pool begins with the version of the cluster.
func inlineProfile(pool *containerservice.AgentPoolArgs) (containerservice.ManagedClusterAgentPoolProfileArgs, error) {
	profile := containerservice.ManagedClusterAgentPoolProfileArgs{}
	from, to := reflect.ValueOf(*pool), reflect.ValueOf(&profile).Elem()
	for i := range from.NumField() {
		switch name := from.Type().Field(i).Name; name {
		case "ResourceGroupName", "ResourceName", "OrchestratorVersion":
		case "AgentPoolName":
			profile.Name = pool.AgentPoolName.ToStringPtrOutput().Elem()
		default:
			field := to.FieldByName(name)
			if !field.IsValid() {
				return profile, fmt.Errorf("azure-native has no %s in the pools of a cluster", name)
			}
			field.Set(from.Field(i))
		}
	}
	return profile, nil
}

// newAgentPool registers a pool under its name in Azure. If a property changes that Azure takes only when it creates a
// pool, the pool is another resource, which is created before the old one is removed. azure-native itself replaces a
// pool for few of these properties.
//
// A pool that keeps its name in Azure cannot be replaced. Properties that the program does not set keep their values in
// the state, which an import fills.
func newAgentPool(
	ctx *pulumi.Context, name string, pool topology.DefaultedPool, options PoolOptions,
	args *containerservice.AgentPoolArgs, opts ...pulumi.ResourceOption,
) (*containerservice.AgentPool, error) {
	own := []pulumi.ResourceOption{
		// azure-native would remove the old pool first if both have the same name.
		pulumi.DeleteBeforeReplace(false),
	}
	var ignored []string
	if pool.Autoscaling.Enabled() {
		ignored = append(ignored, "count")
	}
	if options.NameInAzure == "" {
		own = append(own, pulumi.ReplaceOnChanges(plan.Replacing(pool.Pool)))
	} else {
		ignored = append(ignored, unset(*args, "")...)
		if upgrade, ok := args.UpgradeSettings.(containerservice.AgentPoolUpgradeSettingsArgs); ok {
			ignored = append(ignored, unset(upgrade, "upgradeSettings.")...)
		}
	}
	if len(ignored) > 0 {
		own = append(own, pulumi.IgnoreChanges(ignored))
	}
	if options.ImportID != nil {
		id := options.ImportID.ToStringOutput().ApplyT(func(id string) pulumi.ID { return pulumi.ID(id) })
		own = append(own, pulumi.Import(id.(pulumi.IDOutput)))
	}
	return containerservice.NewAgentPool(ctx, name, args, append(own, opts...)...)
}

// unset returns the properties that arguments of azure-native leave out, except those that follow from another one:
// their values in the state would contradict it.
func unset(args pulumi.Input, prefix string) []string {
	var names []string
	v, tags := reflect.ValueOf(args), args.ElementType()
	for i := range v.NumField() {
		field, ok := tags.FieldByName(v.Type().Field(i).Name)
		if name := field.Tag.Get("pulumi"); ok && v.Field(i).IsNil() && !slices.Contains(derived, name) {
			names = append(names, prefix+name)
		}
	}
	slices.Sort(names)
	return names
}

// derived are the properties that follow from others: from enableAutoScaling, and from the version of the cluster.
var derived = []string{"minCount", "maxCount", "orchestratorVersion"}

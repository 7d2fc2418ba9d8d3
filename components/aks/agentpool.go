package aks

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/input"
)

// agentPool is what Azure is to make of a pool, except the cluster's name: what the
// options say, and over it what the pool does.
func agentPool(
	pool topology.Pool, options PoolOptions, network Network, tags pulumi.StringMapInput,
) *containerservice.AgentPoolArgs {
	a := containerservice.AgentPoolArgs{}
	if options.Options != nil {
		a = *options.Options
	}
	pool = plan.Declared(pool)
	a.AgentPoolName = pulumi.String(options.nameInAzure(pool))
	// A pool that keeps its name keeps what it is.
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
	// Said even where it is off: left out, Azure would keep what was on.
	a.EnableAutoScaling = pulumi.Bool(pool.Autoscaling.Enabled())
	if pool.Autoscaling.Enabled() {
		a.MinCount, a.MaxCount = pulumi.Int(pool.Autoscaling.Min), pulumi.Int(pool.Autoscaling.Max)
	}
	// Empty ones for the same reason.
	a.NodeLabels = pulumi.ToStringMap(pool.Labels)
	a.NodeTaints = nodeTaints(pool)

	a.MaxPods = givenInt(pool.MaxPods)
	a.OsDiskSizeGB = givenInt(pool.OSDiskSizeGB)
	a.OsDiskType = input.NonEmpty(pool.OSDiskType)
	if len(pool.Zones) > 0 {
		a.AvailabilityZones = pulumi.ToStringArray(pool.Zones)
	}
	a.EnableFIPS = pulumi.Bool(pool.FIPS)
	if pool.Spot {
		a.ScaleSetPriority = pulumi.String("Spot")
		a.SpotMaxPrice = pulumi.Float64(spotMaxPrice(pool))
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
		upgrade.DrainTimeoutInMinutes = givenInt(u.DrainTimeoutMinutes)
		upgrade.NodeSoakDurationInMinutes = givenInt(u.NodeSoakMinutes)
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

func nodeTaints(pool topology.Pool) pulumi.StringArray {
	taints := pulumi.StringArray{}
	for _, t := range pool.Taints {
		// Azure wants the sign also where the value is empty.
		taints = append(taints, pulumi.Sprintf("%s=%s:%s", t.Key, t.Value, t.Effect))
	}
	return taints
}

// spotMaxPrice is -1 for any price up to that of an ordinary machine.
func spotMaxPrice(pool topology.Pool) float64 {
	if pool.SpotMaxPrice == 0 {
		return -1
	}
	return pool.SpotMaxPrice
}

// givenInt leaves out what is 0.
func givenInt(n int) pulumi.IntPtrInput {
	if n == 0 {
		return nil
	}
	return pulumi.Int(n)
}

// inlineProfile is a pool as the cluster has it inline: the same fields, in a struct
// of another name. Azure refuses a version there, unless those of all pools are given
// (NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged): it begins with the
// cluster's.
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

// newAgentPool registers a pool under its name in Azure: a pool that changes in what
// Azure takes at its creation only is another resource, which is made before the old one
// is removed. azure-native itself replaces a pool for few of these properties.
//
// One that keeps its name in Azure cannot be replaced, and what the program does not say of it stays
// as it is in the state, which an import fills.
func newAgentPool(
	ctx *pulumi.Context, name string, pool topology.Pool, options PoolOptions, args *containerservice.AgentPoolArgs,
	opts ...pulumi.ResourceOption,
) (*containerservice.AgentPool, error) {
	own := []pulumi.ResourceOption{
		// azure-native would remove the old pool first, where both have one name.
		pulumi.DeleteBeforeReplace(false),
	}
	var ignored []string
	if pool.Autoscaling.Enabled() {
		ignored = append(ignored, "count")
	}
	if options.NameInAzure == "" {
		own = append(own, pulumi.ReplaceOnChanges(plan.Replacing(pool)))
	} else {
		ignored = append(ignored, unsaid(*args, "")...)
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

// unsaid are the properties that arguments of azure-native leave out, except those that go with
// another one: what the state has of them would contradict it.
func unsaid(args pulumi.Input, prefix string) []string {
	var names []string
	v, tags := reflect.ValueOf(args), args.ElementType()
	for i := range v.NumField() {
		field, ok := tags.FieldByName(v.Type().Field(i).Name)
		if name := field.Tag.Get("pulumi"); ok && v.Field(i).IsNil() && !slices.Contains(together, name) {
			names = append(names, prefix+name)
		}
	}
	slices.Sort(names)
	return names
}

// together are the properties that follow from others: from enableAutoScaling, and from the version of
// the cluster.
var together = []string{"minCount", "maxCount", "orchestratorVersion"}

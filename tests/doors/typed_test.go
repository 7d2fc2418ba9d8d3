package doors

import (
	"reflect"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// constructors are the constructors of workloads with typed arguments.
var constructors = map[string]reflect.Value{
	"Pod":                   reflect.ValueOf(workload.NewPod),
	"Deployment":            reflect.ValueOf(workload.NewDeployment),
	"ReplicaSet":            reflect.ValueOf(workload.NewReplicaSet),
	"StatefulSet":           reflect.ValueOf(workload.NewStatefulSet),
	"DaemonSet":             reflect.ValueOf(workload.NewDaemonSet),
	"ReplicationController": reflect.ValueOf(workload.NewReplicationController),
	"Job":                   reflect.ValueOf(workload.NewJob),
	"CronJob":               reflect.ValueOf(workload.NewCronJob),
}

// typed are the arguments of a workload that depend only on its object.
type typed struct {
	construct      reflect.Value
	metadata, spec reflect.Value
}

// typedOf returns the arguments for an object. The error names the value whose type differs from the argument's.
func typedOf(kind string, object map[string]any) (*typed, error) {
	made := &typed{construct: constructors[kind]}
	args := made.construct.Type().In(2).Elem()
	metadata, _ := args.FieldByName("Metadata")
	spec, _ := args.FieldByName("Spec")
	var err error
	if made.metadata, err = input.Build(metadata.Type, object["metadata"], arguments...); err != nil {
		return nil, err
	}
	if made.spec, err = input.Build(spec.Type, object["spec"], arguments...); err != nil {
		return nil, err
	}
	return made, nil
}

// register registers the workload for a platform.
func (w *typed) register(
	ctx *pulumi.Context, name string, p platform.Platform, s workload.Scheduling, t topology.Topology,
) error {
	args := reflect.New(w.construct.Type().In(2).Elem())
	for field, value := range map[string]reflect.Value{
		"Platform": reflect.ValueOf(p), "Scheduling": reflect.ValueOf(s), "Topology": reflect.ValueOf(t),
		"Metadata": w.metadata, "Spec": w.spec,
	} {
		if f := args.Elem().FieldByName(field); f.IsValid() { // a DaemonSet has no Scheduling
			f.Set(value)
		}
	}
	made := w.construct.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(name), args})
	err, _ := reflect.TypeAssert[error](made[1])
	return err
}

// arguments are all types in the arguments of workloads, except those that package input knows.
var arguments = []any{
	pulumi.IntArray{},
	corev1.AWSElasticBlockStoreVolumeSourceArgs{},
	corev1.AffinityArgs{},
	corev1.AppArmorProfileArgs{},
	corev1.AzureDiskVolumeSourceArgs{},
	corev1.AzureFileVolumeSourceArgs{},
	corev1.CSIVolumeSourceArgs{},
	corev1.CapabilitiesArgs{},
	corev1.CephFSVolumeSourceArgs{},
	corev1.CinderVolumeSourceArgs{},
	corev1.ClaimSourceArgs{},
	corev1.ClusterTrustBundleProjectionArgs{},
	corev1.ConfigMapEnvSourceArgs{},
	corev1.ConfigMapKeySelectorArgs{},
	corev1.ConfigMapProjectionArgs{},
	corev1.ConfigMapVolumeSourceArgs{},
	corev1.ContainerArgs{},
	corev1.ContainerArray{},
	corev1.ContainerPortArgs{},
	corev1.ContainerPortArray{},
	corev1.ContainerResizePolicyArgs{},
	corev1.ContainerResizePolicyArray{},
	corev1.DownwardAPIProjectionArgs{},
	corev1.DownwardAPIVolumeFileArgs{},
	corev1.DownwardAPIVolumeFileArray{},
	corev1.DownwardAPIVolumeSourceArgs{},
	corev1.EmptyDirVolumeSourceArgs{},
	corev1.EnvFromSourceArgs{},
	corev1.EnvFromSourceArray{},
	corev1.EnvVarArgs{},
	corev1.EnvVarArray{},
	corev1.EnvVarSourceArgs{},
	corev1.EphemeralContainerArgs{},
	corev1.EphemeralContainerArray{},
	corev1.EphemeralVolumeSourceArgs{},
	corev1.ExecActionArgs{},
	corev1.FCVolumeSourceArgs{},
	corev1.FlexVolumeSourceArgs{},
	corev1.FlockerVolumeSourceArgs{},
	corev1.GCEPersistentDiskVolumeSourceArgs{},
	corev1.GRPCActionArgs{},
	corev1.GitRepoVolumeSourceArgs{},
	corev1.GlusterfsVolumeSourceArgs{},
	corev1.HTTPGetActionArgs{},
	corev1.HTTPHeaderArgs{},
	corev1.HTTPHeaderArray{},
	corev1.HostAliasArgs{},
	corev1.HostAliasArray{},
	corev1.HostPathVolumeSourceArgs{},
	corev1.ISCSIVolumeSourceArgs{},
	corev1.ImageVolumeSourceArgs{},
	corev1.KeyToPathArgs{},
	corev1.KeyToPathArray{},
	corev1.LifecycleArgs{},
	corev1.LifecycleHandlerArgs{},
	corev1.LocalObjectReferenceArgs{},
	corev1.LocalObjectReferenceArray{},
	corev1.ModifyVolumeStatusArgs{},
	corev1.NFSVolumeSourceArgs{},
	corev1.NodeAffinityArgs{},
	corev1.NodeSelectorArgs{},
	corev1.NodeSelectorRequirementArgs{},
	corev1.NodeSelectorRequirementArray{},
	corev1.NodeSelectorTermArgs{},
	corev1.NodeSelectorTermArray{},
	corev1.ObjectFieldSelectorArgs{},
	corev1.PersistentVolumeClaimConditionArgs{},
	corev1.PersistentVolumeClaimConditionArray{},
	corev1.PersistentVolumeClaimSpecArgs{},
	corev1.PersistentVolumeClaimStatusArgs{},
	corev1.PersistentVolumeClaimTemplateArgs{},
	corev1.PersistentVolumeClaimTypeArgs{},
	corev1.PersistentVolumeClaimTypeArray{},
	corev1.PersistentVolumeClaimVolumeSourceArgs{},
	corev1.PhotonPersistentDiskVolumeSourceArgs{},
	corev1.PodAffinityArgs{},
	corev1.PodAffinityTermArgs{},
	corev1.PodAffinityTermArray{},
	corev1.PodAntiAffinityArgs{},
	corev1.PodDNSConfigArgs{},
	corev1.PodDNSConfigOptionArgs{},
	corev1.PodDNSConfigOptionArray{},
	corev1.PodOSArgs{},
	corev1.PodReadinessGateArgs{},
	corev1.PodReadinessGateArray{},
	corev1.PodResourceClaimArgs{},
	corev1.PodResourceClaimArray{},
	corev1.PodSchedulingGateArgs{},
	corev1.PodSchedulingGateArray{},
	corev1.PodSecurityContextArgs{},
	corev1.PodSpecArgs{},
	corev1.PodTemplateSpecArgs{},
	corev1.PortworxVolumeSourceArgs{},
	corev1.PreferredSchedulingTermArgs{},
	corev1.PreferredSchedulingTermArray{},
	corev1.ProbeArgs{},
	corev1.ProjectedVolumeSourceArgs{},
	corev1.QuobyteVolumeSourceArgs{},
	corev1.RBDVolumeSourceArgs{},
	corev1.ReplicationControllerSpecArgs{},
	corev1.ResourceClaimArgs{},
	corev1.ResourceClaimArray{},
	corev1.ResourceFieldSelectorArgs{},
	corev1.ResourceRequirementsArgs{},
	corev1.SELinuxOptionsArgs{},
	corev1.ScaleIOVolumeSourceArgs{},
	corev1.SeccompProfileArgs{},
	corev1.SecretEnvSourceArgs{},
	corev1.SecretKeySelectorArgs{},
	corev1.SecretProjectionArgs{},
	corev1.SecretVolumeSourceArgs{},
	corev1.SecurityContextArgs{},
	corev1.ServiceAccountTokenProjectionArgs{},
	corev1.SleepActionArgs{},
	corev1.StorageOSVolumeSourceArgs{},
	corev1.SysctlArgs{},
	corev1.SysctlArray{},
	corev1.TCPSocketActionArgs{},
	corev1.TolerationArgs{},
	corev1.TolerationArray{},
	corev1.TopologySpreadConstraintArgs{},
	corev1.TopologySpreadConstraintArray{},
	corev1.TypedLocalObjectReferenceArgs{},
	corev1.TypedObjectReferenceArgs{},
	corev1.VolumeArgs{},
	corev1.VolumeArray{},
	corev1.VolumeDeviceArgs{},
	corev1.VolumeDeviceArray{},
	corev1.VolumeMountArgs{},
	corev1.VolumeMountArray{},
	corev1.VolumeProjectionArgs{},
	corev1.VolumeProjectionArray{},
	corev1.VolumeResourceRequirementsArgs{},
	corev1.VsphereVirtualDiskVolumeSourceArgs{},
	corev1.WeightedPodAffinityTermArgs{},
	corev1.WeightedPodAffinityTermArray{},
	corev1.WindowsSecurityContextOptionsArgs{},
	metav1.LabelSelectorArgs{},
	metav1.LabelSelectorRequirementArgs{},
	metav1.LabelSelectorRequirementArray{},
	metav1.ManagedFieldsEntryArgs{},
	metav1.ManagedFieldsEntryArray{},
	metav1.ObjectMetaArgs{},
	metav1.OwnerReferenceArgs{},
	metav1.OwnerReferenceArray{},
	appsv1.DaemonSetSpecArgs{},
	appsv1.DaemonSetUpdateStrategyArgs{},
	appsv1.DeploymentSpecArgs{},
	appsv1.DeploymentStrategyArgs{},
	appsv1.ReplicaSetSpecArgs{},
	appsv1.RollingUpdateDaemonSetArgs{},
	appsv1.RollingUpdateDeploymentArgs{},
	appsv1.RollingUpdateStatefulSetStrategyArgs{},
	appsv1.StatefulSetOrdinalsArgs{},
	appsv1.StatefulSetPersistentVolumeClaimRetentionPolicyArgs{},
	appsv1.StatefulSetSpecArgs{},
	appsv1.StatefulSetUpdateStrategyArgs{},
	batchv1.CronJobSpecArgs{},
	batchv1.JobSpecArgs{},
	batchv1.JobTemplateSpecArgs{},
	batchv1.PodFailurePolicyArgs{},
	batchv1.PodFailurePolicyOnExitCodesRequirementArgs{},
	batchv1.PodFailurePolicyOnPodConditionsPatternArgs{},
	batchv1.PodFailurePolicyOnPodConditionsPatternArray{},
	batchv1.PodFailurePolicyRuleArgs{},
	batchv1.PodFailurePolicyRuleArray{},
	batchv1.SuccessPolicyArgs{},
	batchv1.SuccessPolicyRuleArgs{},
	batchv1.SuccessPolicyRuleArray{},
}

package components_test

import (
	"net/netip"
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	size     = "Standard_D4s_v5"
	password = "Correct-Horse-Battery-9"
	endpoint = "api.example.com:6443"
	sshKey   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH someone"
)

// existing is the only cluster in Azure.
var existing = akstest.Cluster{Name: "existing", Properties: map[string]any{
	"currentKubernetesVersion": "1.35.4",
	"networkProfile":           map[string]any{"networkPlugin": "azure", "networkPluginMode": "overlay"},
	"windowsProfile":           map[string]any{"adminUsername": "azureuser"},
	"agentPoolProfiles": []any{map[string]any{
		"name": "sys", "mode": "System", "osType": "Linux", "count": 1, "vmSize": size,
		"currentOrchestratorVersion": "1.35.4",
	}},
}}

func inExisting(
	ctx *pulumi.Context, name string, args *aks.PoolArgs, opts ...pulumi.ResourceOption,
) (*aks.NodePool, error) {
	cluster, err := aks.Existing(ctx, existing.Name, &aks.ExistingArgs{ResourceGroupName: "shop"})
	if err != nil {
		return nil, err
	}
	return cluster.NewNodePool(ctx, name, args, opts...)
}

// instances returns all constructors with valid arguments. The arguments decide which resources exist that options can
// reach.
func instances(t *testing.T) map[string]constructor {
	t.Helper()
	pools := []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1, Size: size},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: size},
	}
	cluster := topology.Topology{Pools: pools}
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	selects := metav1.LabelSelectorArgs{MatchLabels: labels}
	pods := corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("web"), Image: pulumi.String("example.com/web:ltsc2022"),
	}}}
	template := corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods}
	once := pods
	once.RestartPolicy = pulumi.String("Never")
	job := batchv1.JobSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: once}}
	ofKind := func(k network.Kind) network.Network {
		return network.Network{Kind: k, NodeCIDR: netip.MustParsePrefix("10.240.0.0/24")}
	}
	const on = platform.WindowsServer2022
	return map[string]constructor{
		"aks.Existing": {
			aks.Existing, &aks.ExistingArgs{ResourceGroupName: "shop", ClusterName: existing.Name},
		},
		"aks.ExistingCluster.NewNodePool": {inExisting, &aks.PoolArgs{Pool: pools[1]}},
		"aks.NewCluster": {aks.NewCluster, &aks.ClusterArgs{
			KubernetesVersion: "1.35", Pools: pools, WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String(password)},
		}},
		"aks.NewNodePool": {aks.NewNodePool, &aks.NodePoolArgs{
			ResourceGroupName: pulumi.String("shop"), ClusterName: pulumi.String("shop"), KubernetesVersion: "1.35",
			Pool: pools[1],
		}},
		"connectivity.NewSuite": {connectivity.NewSuite, &connectivity.SuiteArgs{Topology: cluster}},
		"gmsa.NewCRD":           {gmsa.NewCRD, nil},
		"gmsa.NewCredentialSpec": {gmsa.NewCredentialSpec, &gmsa.CredentialSpecArgs{
			Account: "WebApp1",
			Domain: gmsa.Domain{
				DNSName: "contoso.com", NetBIOSName: "CONTOSO", SID: "S-1-5-21-2126449477-2524075714-3094792973",
				GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
			},
		}},
		"gmsa.NewWebhook":         {gmsa.NewWebhook, &gmsa.WebhookArgs{}},
		"hostprocess.NewCSIProxy": {hostprocess.NewCSIProxy, &hostprocess.CSIProxyArgs{}},
		"hostprocess.NewDaemonSet": {
			hostprocess.NewDaemonSet, &hostprocess.DaemonSetArgs{User: hostprocess.LocalService, Pods: pods},
		},
		"hostprocess.NewFlannel": {
			hostprocess.NewFlannel,
			&hostprocess.FlannelArgs{Network: ofKind(network.FlannelVXLAN), Endpoint: pulumi.String(endpoint)},
		},
		"hostprocess.NewKubeProxy": {
			hostprocess.NewKubeProxy,
			&hostprocess.KubeProxyArgs{Network: ofKind(network.UpstreamL3), Endpoint: pulumi.String(endpoint)},
		},
		"hostprocess.NewNodeLogs": {hostprocess.NewNodeLogs, &hostprocess.NodeLogsArgs{Node: "win22-0"}},
		"hostprocess.NewNodeProblemDetector": {
			hostprocess.NewNodeProblemDetector, &hostprocess.NodeProblemDetectorArgs{Endpoint: pulumi.String(endpoint)},
		},
		"hostprocess.NewWindowsExporter": {hostprocess.NewWindowsExporter, &hostprocess.WindowsExporterArgs{}},
		"kubeadm.NewCluster": {kubeadm.NewCluster, &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools:             pools[1:],
			LinuxAdmin:        kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(sshKey)},
			WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String(password)},
			Releases:          releases(t),
		}},
		"kubeadm.NewNodePool": {kubeadm.NewNodePool, &kubeadm.NodePoolArgs{
			ResourceGroupName: pulumi.String("shop"), ClusterName: "shop", KubernetesVersion: "1.36", Pool: pools[1],
			SubnetID: pulumi.String("/subscriptions/s/subnets/nodes"), Endpoint: pulumi.String(endpoint),
			Network:      ofKind(""),
			CACertHashes: pulumi.StringArray{pulumi.String("sha256:" + strings.Repeat("0", 64))},
			Token:        pulumi.String("tests0.notarealtoken000"),
			WindowsAdmin: kubeadm.WindowsAdmin{Password: pulumi.String(password)}, Releases: releases(t),
		}},
		"logmonitor.NewConfig": {logmonitor.NewConfig, &logmonitor.ConfigArgs{Sources: logmonitor.IIS()}},
		"manifest.NewChart": {manifest.NewChart, &manifest.ChartArgs{
			Chart: helmv4.ChartArgs{Chart: pulumi.String("./shop")}, Options: manifest.Options{Topology: cluster},
		}},
		"manifest.NewGroup": {manifest.NewGroup, &manifest.GroupArgs{
			YAML:    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n",
			Options: manifest.Options{Topology: cluster},
		}},
		"runtimeclass.NewSet": {runtimeclass.NewSet, &runtimeclass.SetArgs{Topology: cluster}},
		"workload.NewCronJob": {workload.NewCronJob, &workload.CronJobArgs{Platform: on, Spec: batchv1.CronJobSpecArgs{
			Schedule: pulumi.String("0 3 * * *"), JobTemplate: batchv1.JobTemplateSpecArgs{Spec: job},
		}}},
		"workload.NewDaemonSet": {workload.NewDaemonSet, &workload.DaemonSetArgs{
			Platform: on, Spec: appsv1.DaemonSetSpecArgs{Selector: selects, Template: template},
		}},
		"workload.NewDeployment": {workload.NewDeployment, &workload.DeploymentArgs{
			Platform: on, Spec: appsv1.DeploymentSpecArgs{Selector: selects, Template: template},
		}},
		"workload.NewJob": {workload.NewJob, &workload.JobArgs{Platform: on, Spec: job}},
		"workload.NewPod": {workload.NewPod, &workload.PodArgs{Platform: on, Spec: pods}},
		"workload.NewReplicaSet": {workload.NewReplicaSet, &workload.ReplicaSetArgs{
			Platform: on, Spec: appsv1.ReplicaSetSpecArgs{Selector: selects, Template: template},
		}},
		"workload.NewReplicationController": {workload.NewReplicationController, &workload.ReplicationControllerArgs{
			Platform: on, Spec: corev1.ReplicationControllerSpecArgs{Selector: labels, Template: template},
		}},
		"workload.NewStatefulSet": {workload.NewStatefulSet, &workload.StatefulSetArgs{
			Platform: on, Spec: appsv1.StatefulSetSpecArgs{Selector: selects, Template: template},
		}},
	}
}

// releases returns the known releases with the missing hashes.
func releases(t *testing.T) bootstrap.Releases {
	t.Helper()
	hashes := map[string]string{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	r, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return r
}

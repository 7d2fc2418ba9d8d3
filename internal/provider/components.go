package provider

import (
	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
)

// Components returns the components that the plugin serves. Their outputs are the fields with a tag and the outputs
// listed here. An output cannot be called id: to Pulumi, a component has no ID.
func Components() []Component {
	return []Component{
		component(aks.NewCluster, output{"clusterID", "ID"}, output{"topology", "Topology"}),
		component(
			aks.Existing, output{"clusterID", "ID"}, output{"kubernetesVersion", "KubernetesVersion"},
			output{"topology", "Topology"},
		),
		component(aks.NewNodePool, output{"poolID", "ID"}),
		component(connectivity.NewSuite),
		component(gmsa.NewCredentialSpec),
		component(gmsa.NewWebhook),
		component(hostprocess.NewCSIProxy),
		component(hostprocess.NewDaemonSet),
		component(hostprocess.NewFlannel),
		component(hostprocess.NewKubeProxy),
		component(hostprocess.NewNodeLogs, output{"archive", "Archive"}, output{"fetchCommand", "FetchCommand"}),
		component(hostprocess.NewNodeProblemDetector),
		component(hostprocess.NewWindowsExporter),
		component(
			kubeadm.NewCluster, output{"egressPolicies", "EgressPolicies"}, output{"topology", "Topology"},
		),
		component(kubeadm.NewNodePool),
		component(logmonitor.NewConfig),
		component(manifest.NewChart),
		component(manifest.NewGroup),
		component(runtimeclass.NewSet),
		component(workload.NewCronJob),
		component(workload.NewDaemonSet),
		component(workload.NewDeployment),
		component(workload.NewJob),
		component(workload.NewPod),
		component(workload.NewReplicaSet),
		component(workload.NewReplicationController),
		component(workload.NewStatefulSet),
	}
}

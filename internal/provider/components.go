package provider

import (
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
)

// Components are the components that the plugin serves.
func Components() []Component {
	return []Component{
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

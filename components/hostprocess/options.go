package hostprocess

import (
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
)

const (
	daemonSetType = "kubernetes:apps/v1:DaemonSet"
	jobType       = "kubernetes:batch/v1:Job"
)

// runs returns what the options of a component can reach: the resource that runs its pods. Some nodes have
// pulled no image of Windows yet.
func runs(token, name, typ, child string) childoptions.Component {
	return childoptions.Component{
		Token: token, Name: name, Main: childoptions.Child{Type: typ, Name: name + child},
		Timeouts: childoptions.Start(childoptions.WindowsStart),
	}
}

package guard

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Args are the arguments of [Enforce].
type Args struct {
	// Topology is the cluster that the program deploys to. Without it, only what
	// fails on every cluster is an error, and nothing is said about pools.
	Topology topology.Topology

	// KubernetesVersion is the API server's version, for programs without a
	// Topology. The default is the topology's.
	KubernetesVersion string

	// Matching is how well an image's Windows release must match its host's. The
	// default is [platform.Strict].
	Matching platform.Matching

	// Place completes pods that name no operating system: with os.name, node selector
	// and tolerations for the Windows release that their images say, or with the node
	// selector for Linux where they say Linux. os.name is left out where the API server
	// would refuse fields of Linux for it. A word of a tag, such as alpine, is not
	// enough for Linux: images for Windows have such tags, too. It needs a Topology.
	//
	// A pod template that changes restarts the pods of Deployments, StatefulSets and
	// DaemonSets: the first update with Place does that to each one that it completes, and
	// so does a Topology that changes what they need. Pulumi would replace Jobs and Pods,
	// and a Job would run again. So these are completed when they are created, or replaced
	// for another reason, and stay as they are otherwise: what Place adds to them stands
	// under IgnoreChanges. Where they have tolerations of their own and Place adds more,
	// the whole list does, and later changes of it do not reach an object that exists.
	// A program that is run without Place again takes the additions back: pods restart,
	// and Jobs that have them are replaced. The preview says how many workloads Place
	// completes.
	Place bool

	// AssumeLinux lets Place take pods for Linux whose images say neither Linux
	// nor Windows, as most images of Linux Deployments and Helm charts do. They
	// are listed. Pods are left alone if something else hints at Windows, such as a
	// toleration or the name of an image, or if no Linux pool takes them.
	AssumeLinux bool
}

func (a Args) validate() error {
	errs := a.options().Validate(nil)
	if a.Place && len(a.Topology.Pools) == 0 {
		errs = append(errs, field.Required(field.NewPath("topology"), "place needs to know the pools of the cluster"))
	}
	if a.AssumeLinux && !a.Place {
		errs = append(errs, field.Invalid(field.NewPath("assumeLinux"), true, "is an option of place: set Place, or remove it"))
	}
	return fielderrors.Join("guard", errs)
}

func (a Args) options() preflight.Options {
	return preflight.Options{Topology: a.Topology, KubernetesVersion: a.KubernetesVersion, Matching: a.Matching}
}

package guard

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/images"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Args are the arguments of [Enforce].
type Args struct {
	// Topology is the cluster that the program deploys to. Without it, only what
	// fails on every cluster is an error, and nothing is said about pools. With Clusters it
	// is that of the resources whose provider is not among them.
	Topology topology.Topology

	// Clusters are those of a program that deploys to several: one for each provider. The
	// default is one cluster, that of Topology.
	Clusters []Cluster

	// KubernetesVersion is the API server's version, for programs without a
	// Topology. The default is the topology's.
	KubernetesVersion string

	// Matching is how well an image's Windows release must match its host's. The
	// default is the topology's, and [platform.Strict] where that says nothing.
	Matching platform.Matching

	// Images is the path of a lock file, which says what registries have said about images:
	//
	//	mixedkube images lock deploy/
	//
	// writes it, and a preview with the environment variable MIXEDKUBE_IMAGES=write adds the images
	// of the program, which mixedkube images lock then looks up:
	//
	//	MIXEDKUBE_IMAGES=write pulumi preview
	//
	// Nobody is asked here, so a preview is repeatable. Of an image that is not in the
	// file the name says what it is for. A relative path is as that of Baseline. The default is
	// mixedkube.images.yaml, if there is such a file.
	Images string

	// Place adds to pods what they lack to land on the nodes of their operating system and
	// on no others. It replaces nothing. It needs a Topology.
	//
	// What pods are for is known from, in this order: os.name; the nodes that they select,
	// by node selector (a label agentpool with the name of a pool counts), by required
	// node affinity, or because all pools that they select have the same operating system;
	// a RuntimeClass that has the name of a platform of the Topology; host-process
	// containers; the annotation mixedkube.dev/platform; the images. A word of a tag, such
	// as alpine, is not enough for Linux: images for Windows have such tags, too.
	//
	// Linux pods get the node selector of Linux, and tolerations for the taints that all
	// Linux pools share, unless what they select is Linux already. Windows pods get what
	// they lack of the node selector of their release, and of the tolerations for the taints
	// that its pools share; or of kubernetes.io/os=windows and the tolerations for all
	// Windows pools where no pool has the release, where it does not matter (host process),
	// and where it is not known and the Topology has several. A RuntimeClass brings both,
	// except to DaemonSets, whose controller does not look at it. All Windows pods, and the
	// Linux pods that get anything, get os.name too, unless the API server would then refuse
	// another field of theirs.
	//
	// Pods stay as they are if nothing says what they are for, if they contradict
	// themselves, if their annotation is wrong, and if they name their node. So they do
	// while one of os, nodeName, nodeSelector, affinity, tolerations, runtimeClassName and
	// securityContext is not known yet as a whole: a preview reports what they lack, an
	// error among it, though an update would add it. Give such fields plain values.
	//
	// A pod template that changes restarts the pods of Deployments, StatefulSets and
	// DaemonSets: the first update with Place does that to each one that it completes, and
	// so does a Topology that changes what they need. Pulumi would replace Jobs and Pods,
	// and a Job would run again. So these are completed when they are created, or replaced
	// for another reason, and stay as they are otherwise: what Place adds to them stands
	// under IgnoreChanges. Where they have tolerations of their own and Place adds more,
	// the whole list does, and later changes of it do not reach an object that exists.
	// Under the SDK's mocks nothing is completed: a test sees what the program gives. Findings and
	// landings are those of the completed pods.
	//
	// A program that is run without Place again takes the additions back: pods restart,
	// and Jobs that have them are replaced. The preview says how many workloads Place
	// completes.
	Place bool

	// PlaceOnly are the objects that Place completes, so that not all pods restart at once. The
	// default is all.
	PlaceOnly []Selection

	// AssumeLinux lets Place take pods for Linux of which nothing says what they are for:
	// most images of Linux Deployments and Helm charts do not. They are listed. Pods are
	// left alone if their images contradict each other, if something hints at Windows,
	// such as a toleration or the name of an image, if they name a RuntimeClass, and if no
	// Linux pool takes them.
	AssumeLinux bool

	// EnforcementLevel says what errors do. The default is [Mandatory].
	EnforcementLevel EnforcementLevel

	// Ignore lists findings that stop nothing and are counted in one line for each element. An
	// element that matches no finding is a warning. Objects can ignore rules themselves, see
	// [preflight.IgnoreAnnotation].
	Ignore []Ignore

	// Baseline is the path of a file with known findings. They stop nothing and are counted;
	// new ones stop the program. Those that are gone are named, so that the file becomes
	// shorter. A preview with the environment variable MIXEDKUBE_BASELINE=write writes the file:
	//
	//	MIXEDKUBE_BASELINE=write pulumi preview
	//
	// A finding is known by its resource, rule and field, not by its text: see
	// [report.Known]. Stacks that have different resources need a file each. A relative path is
	// relative to the folder in which Pulumi runs the program. The default is no file.
	Baseline string

	// SARIF is the path of a file to which a preview writes all findings for code scanning, in
	// the format SARIF 2.1.0. The environment variable MIXEDKUBE_SARIF overrides it. A relative
	// path is as that of Baseline. The default is no file.
	SARIF string
}

// Cluster is one of several clusters of a program.
type Cluster struct {
	// Provider is the name of the provider resource, such as "prod" for
	// kubernetes.NewProvider(ctx, "prod", …). It is required. A provider is named, and not given
	// itself, because Enforce comes before it. Components name the providers that they register:
	// that of aks.NewCluster and aks.Existing with the name "shop" is "shop-kubernetes". Two
	// providers of one name below different parents are one cluster to the guard: name them
	// differently.
	Provider string
	// Topology is the cluster. Its pools are required.
	Topology topology.Topology
	// KubernetesVersion is the API server's version. The default is the topology's.
	KubernetesVersion string
}

// EnforcementLevel says what errors do, in the words of Pulumi's policies.
type EnforcementLevel string

const (
	// Mandatory lets errors stop the program.
	Mandatory EnforcementLevel = "mandatory"
	// Advisory shows errors as warnings, which say that they would stop the program. Nothing is
	// stopped or changed for them.
	Advisory EnforcementLevel = "advisory"
)

type (
	// Ignore says which findings are ignored.
	Ignore = report.Ignore
	// Selection are objects.
	Selection = report.Selection
)

func (a Args) validate() field.ErrorList {
	errs := a.options().Validate(nil)
	pools := len(a.Topology.Pools)
	seen := map[string]bool{}
	for i, c := range a.Clusters {
		at := field.NewPath("clusters").Index(i)
		switch {
		case c.Provider == "":
			errs = append(errs, field.Required(at.Child("provider"), "give the name of the provider resource"))
		case seen[c.Provider]:
			errs = append(errs, field.Duplicate(at.Child("provider"), c.Provider))
		}
		seen[c.Provider] = true
		if !c.Topology.Given() {
			errs = append(errs, field.Required(at.Child("topology"), "say which pools the cluster has"))
		}
		errs = append(errs, a.optionsOf(c).Validate(at)...)
		pools += len(c.Topology.Pools)
	}
	if a.Place && pools == 0 {
		errs = append(errs, field.Required(field.NewPath("topology"), "place needs to know the pools of the cluster"))
	}
	if len(a.PlaceOnly) > 0 && !a.Place {
		errs = append(errs, field.Forbidden(field.NewPath("placeOnly"),
			"is an option of place: set Place, or remove it"))
	}
	errs = append(errs, report.ValidateSelections(field.NewPath("placeOnly"), a.PlaceOnly)...)
	if a.AssumeLinux && !a.Place {
		errs = append(errs, field.Invalid(field.NewPath("assumeLinux"), true,
			"is an option of place: set Place, or remove it"))
	}
	if levels := []EnforcementLevel{Mandatory, Advisory}; !slices.Contains(append(levels, ""), a.EnforcementLevel) {
		errs = append(errs, field.NotSupported(field.NewPath("enforcementLevel"), a.EnforcementLevel, levels))
	}
	return append(errs, report.ValidateIgnores(field.NewPath("ignore"), rules, a.Ignore)...)
}

func (a Args) options() preflight.Options {
	return preflight.Options{Topology: a.Topology, KubernetesVersion: a.KubernetesVersion, Matching: a.Matching}
}

func (a Args) optionsOf(c Cluster) preflight.Options {
	return preflight.Options{Topology: c.Topology, KubernetesVersion: c.KubernetesVersion, Matching: a.Matching}
}

// known are options with what is known about images.
func known(o preflight.Options, lock *images.Lock) preflight.Options {
	o.Images = lock
	return o
}

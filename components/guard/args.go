package guard

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// Args are the arguments of [Enforce].
type Args struct {
	// Topology is the cluster that the program deploys to. Without it, only mistakes that fail on every cluster are
	// errors, and pools are not checked. With Clusters it is the cluster of resources whose provider is not listed
	// there.
	Topology topology.Topology

	// TopologyFile is the path of a file with the topology, instead of Topology. This command writes it:
	//
	//	mixedkube topology --live > cluster.yaml
	//
	// A relative path is resolved in the same way as Baseline.
	TopologyFile string

	// To is what the cluster of Topology is planned to become, for example with pools of another Windows release. Pods,
	// RuntimeClasses, StorageClasses and volumes that have a pool in Topology and none in To are errors then, in a
	// preview and in an update. Set it for a preview before the change, and remove it for the update. Without it,
	// nothing is compared.
	To topology.Topology

	// Clusters lists the clusters of a program that deploys to several, one for each provider. The default is one
	// cluster, which is Topology.
	Clusters []Cluster

	// KubernetesVersion is the API server's version, for programs without a
	// Topology. The default is the topology's.
	KubernetesVersion string

	// Matching is how well an image's Windows release must match its host's. The default is the topology's, or
	// [platform.Strict] if the topology does not set it.
	Matching platform.Matching

	// Horizon is how many days before the end of AKS' support of a Windows release the guard reports the pools that
	// have it (MK853), for a topology with the cloud [topology.AKS]. It must not be negative. The default, 0, is two
	// years.
	Horizon int

	// Images is the path of a lock file with facts about images, as looked up in their registries. This command writes
	// it:
	//
	//	mixedkube images lock deploy/
	//
	// A preview with the environment variable MIXEDKUBE_IMAGES=write adds the images of the program, which the command
	// then looks up:
	//
	//	MIXEDKUBE_IMAGES=write pulumi preview
	//
	// The guard itself sends no request to a registry, so a preview is repeatable. The platform of an image that is not
	// in the file follows from the image's name. A relative path is resolved in the same way as Baseline. The default
	// is mixedkube.images.yaml, if there is such a file.
	Images string

	// Place adds the missing fields that make pods land on the nodes of their operating system and on no others. It
	// replaces nothing. It needs a Topology.
	//
	// The operating system of pods follows from, in this order: os.name; the nodes that they select, by node selector
	// (a label agentpool with the name of a pool counts), by required node affinity, or because all pools that they
	// select have the same operating system; a RuntimeClass that has the name of a platform of the Topology;
	// host-process containers; the annotation mixedkube.dev/platform; the images. A word of a tag, such as alpine,
	// shows Linux only for Docker's official images (redis:8-alpine), whose tags follow rules: other images for Windows
	// have such tags, too. A tag without such a word (redis:8, nginx:1.29) shows nothing: set the annotation or
	// AssumeLinux, or look the images up, see Images.
	//
	// Linux pods get the node selector of Linux, and tolerations for the taints that all Linux pools share, unless they
	// already select only Linux nodes. Windows pods get the missing parts of the node selector of their release, and of
	// the tolerations for the taints that its pools share. They get the node selector kubernetes.io/os=windows and the
	// tolerations for all Windows pools if no pool has the release, if the release does not matter (host process), or
	// if it is not known and the Topology has several. With [platform.Relaxed], they get what selects all releases that
	// run their images, a required node affinity if a selector does not suffice. A RuntimeClass provides both, except
	// for DaemonSets, whose controller does not look at it. All Windows pods, and the Linux pods that get anything, get
	// os.name too, unless the API server would then refuse another of their fields.
	//
	// Pods stay unchanged if nothing indicates their operating system, if they contradict themselves, if their
	// annotation is wrong, or if they name their node. They also stay unchanged while one of os, nodeName,
	// nodeSelector, affinity, tolerations, runtimeClassName and securityContext is not fully known: a preview then
	// reports the missing fields, even as errors, although an update would add them. Give such fields plain values.
	//
	// A pod template that changes restarts the pods of Deployments, StatefulSets and DaemonSets: the first update with
	// Place does that to each one that it completes, and so does a Topology that changes what they need. Pulumi would
	// replace Jobs and Pods, and a Job would run again. So Place completes these only when they are created, or
	// replaced for another reason: it lists its additions under IgnoreChanges. If they have tolerations and Place adds
	// more, IgnoreChanges covers the whole list, and later changes of the list do not reach an existing object. Under
	// the SDK's mocks Place changes nothing: a test sees the inputs of the program. Findings and landings always
	// describe the completed pods.
	//
	// If the program runs without Place again, the additions are removed: pods restart, and Jobs that have them are
	// replaced. The preview reports how many workloads Place completes.
	Place bool

	// PlaceOnly selects the objects that Place completes, so that not all pods restart at once. The default is all.
	PlaceOnly []Selection

	// AssumeLinux makes Place treat pods as Linux pods if nothing indicates their operating system, as in most Linux
	// Deployments and Helm charts. The log lists these pods. Place leaves pods unchanged if their images contradict
	// each other, if something hints at Windows, such as a toleration or the name of an image, if they name a
	// RuntimeClass, or if no Linux pool accepts them.
	AssumeLinux bool

	// MovePins makes Place move the node selectors that earlier versions of mixedkube wrote into manifests without a
	// mark: see [conversion.Options.MovePins]. The default is that they stay; marked ones move anyway. It also changes
	// existing Jobs and Pods, which Pulumi replaces.
	MovePins bool

	// EnforcementLevel is the effect of errors. The default is [Mandatory].
	EnforcementLevel EnforcementLevel

	// Ignore lists findings that do not stop the program. One line for each element counts them. An element that
	// matches no finding is a warning. Objects can ignore rules themselves, see [preflight.IgnoreAnnotation].
	Ignore []Ignore

	// Baseline is the path of a file with known findings. They are counted and do not stop the program; new ones do.
	// The log names the known findings that no longer occur, so that you can remove them from the file. A preview with
	// the environment variable MIXEDKUBE_BASELINE=write writes the file:
	//
	//	MIXEDKUBE_BASELINE=write pulumi preview
	//
	// A finding is known by its resource, rule and field, not by its text: see [report.Known]. Stacks with different
	// resources need separate files. A relative path is relative to the directory in which Pulumi runs the program. By
	// default there is no file.
	Baseline string

	// SARIF is the path of a file to which a preview writes all findings for code scanning, in the format SARIF 2.1.0.
	// The environment variable MIXEDKUBE_SARIF overrides it. A relative path is resolved in the same way as Baseline.
	// By default there is no file.
	SARIF string
}

// Cluster is one of several clusters of a program.
type Cluster struct {
	// Provider is the name of the provider resource, such as "prod" for kubernetes.NewProvider(ctx, "prod", …). It is
	// required. It is a name, and not the provider itself, because Enforce comes before the provider. Components choose
	// the names of the providers that they register: for aks.NewCluster and aks.Existing with the name "shop" it is
	// "shop-kubernetes". The guard treats two providers with the same name below different parents as one cluster: name
	// them differently.
	Provider string
	// Topology is the cluster. Its pools are required.
	Topology topology.Topology
	// To is what the cluster is planned to become, see [Args.To].
	To topology.Topology
	// KubernetesVersion is the API server's version. The default is the topology's.
	KubernetesVersion string
}

// EnforcementLevel is the effect of errors, in the terms of Pulumi's policies.
type EnforcementLevel string

const (
	// Mandatory makes errors stop the program.
	Mandatory EnforcementLevel = "mandatory"
	// Advisory shows errors as warnings, which add that they would stop the program. They stop and change nothing.
	Advisory EnforcementLevel = "advisory"
)

type (
	// Ignore selects the findings to ignore.
	Ignore = report.Ignore
	// Selection selects objects.
	Selection = report.Selection
)

// rules are all rules that the guard checks.
var rules = rule.NewSet(slices.Concat(preflight.Rules(), preflight.ClusterRules(), helmchart.Rules())...)

func (a Args) validate() field.ErrorList {
	options := a.options()
	if a.TopologyFile != "" && !a.Topology.IsSet() {
		options.To = topology.Topology{} // there is nothing to compare it with, which is reported
	}
	errs := options.Validate(nil)
	if a.To.IsSet() && !options.To.IsSet() {
		errs = append(errs, a.To.Validate(field.NewPath("to"))...)
	}
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
		if !c.Topology.IsSet() {
			errs = append(errs, field.Required(at.Child("topology"), "list the pools of the cluster"))
		}
		options := a.optionsOf(c)
		options.Horizon = 0 // it is an argument of all clusters
		errs = append(errs, options.Validate(at)...)
		pools += len(c.Topology.Pools)
	}
	if a.Place && pools == 0 && a.TopologyFile == "" {
		errs = append(errs, field.Required(field.NewPath("topology"), "place needs to know the pools of the cluster"))
	}
	if len(a.PlaceOnly) > 0 && !a.Place {
		errs = append(errs, field.Forbidden(field.NewPath("placeOnly"),
			"is an option of place: set Place, or remove it"))
	}
	errs = append(errs, report.ValidateSelections(field.NewPath("placeOnly"), a.PlaceOnly)...)
	if a.MovePins && !a.Place {
		errs = append(errs, field.Invalid(field.NewPath("movePins"), true, "moves what Place adds: set Place as well"))
	}
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
	return preflight.Options{
		Topology: a.Topology, To: a.To, KubernetesVersion: a.KubernetesVersion, Matching: a.Matching,
		Horizon: a.Horizon, Today: clock.Today(),
	}
}

func (a Args) optionsOf(c Cluster) preflight.Options {
	options := a.options()
	options.Topology, options.To, options.KubernetesVersion = c.Topology, c.To, c.KubernetesVersion
	return options
}

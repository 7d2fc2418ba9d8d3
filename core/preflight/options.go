package preflight

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Options are facts in addition to the object.
type Options struct {
	// Topology is the cluster that the object is for. Without pools the cluster is unknown: only problems that fail on
	// every cluster are errors then.
	Topology topology.Topology `pulumi:"topology,optional"`

	// To is what the cluster is planned to become, for example with pools of another Windows release. What can land on
	// a pool of Topology and on no pool of To is an error then: pods, RuntimeClasses, StorageClasses and
	// PersistentVolumes. A plan needs a Topology. Without a plan, nothing is compared.
	To topology.Topology `pulumi:"to,optional"`

	// KubernetesVersion is the version of the API server, for example "1.36". The default is the topology's version. If
	// neither is known, problems that only some versions refuse are warnings.
	KubernetesVersion string `pulumi:"kubernetesVersion,optional"`

	// Platform is what the pods are for, if the caller knows better than the object. The default comes from the object:
	// os.name, node selector, RuntimeClass, images.
	Platform platform.Platform `pulumi:"platform,optional"`

	// OS is the operating system that the pods are for, if the caller knows no Platform. The default is the operating
	// system of [Options.Platform].
	OS platform.OS `pulumi:"os,optional"`

	// Matching is how closely an image's Windows release must match its host's. The default is the topology's matching,
	// and [platform.Strict] if the topology does not set one.
	Matching platform.Matching `pulumi:"matching,optional"`

	// Images are facts about images from their registries, see [images.Decode]. Without facts, the name of an image
	// determines what it is for.
	Images *images.Lock `pulumi:"-"`

	// Horizon is how many days before the end of AKS' support of a Windows release [Checker.CheckCluster] reports it
	// (MK853). It must not be negative. The default, 0, is two years.
	Horizon int `pulumi:"-"`

	// Today is the day with which [Checker.CheckCluster] compares the end of support. If it is zero, that is not
	// reported.
	Today time.Time `pulumi:"-"`
}

// Validate returns what is wrong with the options, with paths below path (nil for
// the root).
func (o Options) Validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if o.Topology.IsSet() {
		errs = o.Topology.Validate(path.Child("topology"))
	}
	errs = append(errs, o.validateTo(path)...)
	at := path.Child("kubernetesVersion")
	if explicit, ok := parseMinor(o.KubernetesVersion); o.KubernetesVersion != "" && !ok {
		errs = append(errs, field.Invalid(at, o.KubernetesVersion, "not a Kubernetes version: write 1.36 or 1.36.3"))
	} else if cluster, known := parseMinor(o.Topology.KubernetesVersion); ok && known && explicit != cluster {
		errs = append(errs, field.Invalid(at, o.KubernetesVersion,
			"the topology has "+o.Topology.KubernetesVersion+": give one of the two"))
	}
	at = path.Child("matching")
	errs = append(errs, topology.ValidateMatching(o.Matching, at)...)
	if o.Matching != "" && o.Topology.Matching != "" && o.Matching != o.Topology.Matching {
		errs = append(errs, field.Invalid(at, string(o.Matching),
			"the topology has "+string(o.Topology.Matching)+": give one of the two"))
	}
	if o.Horizon < 0 {
		errs = append(errs, field.Invalid(path.Child("horizon"), o.Horizon,
			"must not be negative: give a number of days, or 0 for two years"))
	}
	if o.Matching != "" && o.To.Matching != "" && o.Matching != o.To.Matching {
		errs = append(errs, field.Invalid(at, string(o.Matching),
			"the planned topology has "+string(o.To.Matching)+": give one of the two"))
	}
	return errs
}

// validateTo validates the planned topology, with paths below the path of the options.
func (o Options) validateTo(path *field.Path) field.ErrorList {
	if !o.To.IsSet() {
		return nil
	}
	errs := o.To.Validate(path.Child("to"))
	if len(o.Topology.Pools) == 0 {
		errs = append(errs, field.Required(path.Child("topology"),
			"a planned topology is compared with the current one: give the pools that the cluster has"))
	}
	return errs
}

// matching returns the matching for the nodes.
func (o Options) matching() platform.Matching { return cmp.Or(o.Matching, o.Topology.Matching) }

// planned returns the matching for the nodes of the plan.
func (o Options) planned() platform.Matching { return cmp.Or(o.Matching, o.To.Matching) }

// minor returns the minor version of the API server, 0 if it is unknown.
func (o Options) minor() int {
	m, _ := parseMinor(cmp.Or(o.KubernetesVersion, o.Topology.KubernetesVersion))
	return m
}

package guard

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// prepare checks the arguments, and reads the topology, the baseline and the lock of images.
func prepare(ctx *pulumi.Context, args Args) (record.Options, error) {
	current, errs, others := userfiles.TopologyArgument(args.TopologyFile, args.Topology.IsSet())
	if args.TopologyFile != "" && len(errs)+len(others) == 0 {
		args.Topology = current
	}
	baseline, wrong, err := record.ReadBaseline(ctx, args.Baseline)
	errs = slices.Concat(errs, args.validate(), wrong)
	if err != nil {
		others = append(others, fielderrors.At{Path: "baseline", Err: err})
	}
	locked, err := record.ReadImages(ctx, args.Images)
	if err != nil {
		others = append(others, fielderrors.At{Path: "images", Err: err})
	}
	options := record.Options{
		Clusters: args.clusters(locked.Lock), Rules: rules, Ignore: args.Ignore,
		Advisory: args.EnforcementLevel == Advisory,
		Baseline: baseline, Images: locked, SARIF: args.SARIF, Stopping: newError,
	}
	if args.Place {
		options.Place = &record.Placing{
			Only: args.PlaceOnly, Policy: mutate.Policy{AssumeLinux: args.AssumeLinux, MovePins: args.MovePins},
		}
	}
	return options, fielderrors.Join("guard", errs, others...)
}

// clusters returns the clusters, starting with the one for objects of all providers that are not listed.
func (a Args) clusters(lock *images.Lock) []record.Cluster {
	all := []record.Cluster{{Options: a.options()}}
	for _, c := range a.Clusters {
		all = append(all, record.Cluster{Provider: c.Provider, Options: a.optionsOf(c)})
	}
	for i := range all {
		all[i].Options.Images = lock
	}
	return all
}

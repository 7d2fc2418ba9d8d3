package topology

import (
	"fmt"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// validateNumber validates numbers whose default is 0. Kubernetes and Azure store them in 32 bits, and Pulumi would
// change a number with more than 53 bits.
func validateNumber(n int, path *field.Path) field.ErrorList {
	switch {
	case n < 0:
		return field.ErrorList{field.Invalid(path, n, "must not be negative: use 0 for the default")}
	case n > math.MaxInt32:
		return field.ErrorList{field.Invalid(path, n,
			fmt.Sprintf("must be at most %d: use 0 for the default", math.MaxInt32))}
	default:
		return nil
	}
}

// validateChoice allows the listed values, and an empty one.
func validateChoice[T ~string](value T, intro string, path *field.Path, valid ...T) field.ErrorList {
	if value != "" && !slices.Contains(valid, value) {
		return field.ErrorList{field.Invalid(path, value, choose(intro, value, valid))}
	}
	return nil
}

func validateZones(zones []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, zone := range zones {
		if zone == "" {
			errs = append(errs, field.Required(path.Index(i), "name the zone, or remove it from the list"))
		} else if j, ok := first[zone]; ok {
			errs = append(errs, duplicate(path.Index(i), zone,
				fmt.Sprintf("%s is this zone already: list each zone once", path.Index(j))))
		} else {
			first[zone] = i
		}
	}
	return errs
}

// validateSpot takes the path of the pool.
func validateSpot(p Pool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Spot && p.Mode == System {
		errs = append(errs, field.Invalid(path.Child("spot"), p.Spot,
			"the cluster's system pods need nodes that the cloud does not reclaim: remove it, or use the mode User"))
	}
	price := p.SpotMaxPrice
	if price < 0 || math.IsNaN(price) || math.IsInf(price, 0) {
		errs = append(errs, field.Invalid(path.Child("spotMaxPrice"), price,
			"must be US dollars per hour, and not negative: use 0 for any price up to that of a regular machine"))
	}
	if price != 0 && !p.Spot {
		errs = append(errs, field.Invalid(path.Child("spotMaxPrice"), price,
			"only spot nodes have a maximum price: remove it, or set spot"))
	}
	return errs
}

func validateOutboundNAT(p Pool, path *field.Path) field.ErrorList {
	// A pool without a valid platform may be a Windows one.
	if p.DisableOutboundNAT && p.Platform == platform.Linux {
		return field.ErrorList{field.Invalid(path, p.DisableOutboundNAT, "only for Windows nodes: remove it")}
	}
	return nil
}

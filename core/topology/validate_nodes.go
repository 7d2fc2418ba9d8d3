package topology

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateNodes validates the number of nodes, with paths below the path of the pool.
func validateNodes(p Pool, path *field.Path) field.ErrorList {
	errs := validateCount(p, path)
	errs = append(errs, validateAutoscaling(p.Autoscaling, path.Child("autoscaling"))...)
	// An invalid range implies nothing about the count.
	if len(errs) == 0 {
		errs = validateInRange(p, path.Child("count"))
	}
	return errs
}

// validateCount takes the path of the pool.
func validateCount(p Pool, path *field.Path) field.ErrorList {
	switch at := path.Child("count"); {
	case p.Count < 0:
		return field.ErrorList{field.Invalid(at, p.Count,
			"must not be negative: set empty for a pool that has no nodes for now")}
	case p.Count > MaxCount:
		return field.ErrorList{tooManyNodes(at, p.Count)}
	case p.Empty && p.Count > 0:
		return field.ErrorList{field.Invalid(path.Child("empty"), p.Empty,
			fmt.Sprintf("count is %d: remove one of the two", p.Count))}
	default:
		return nil
	}
}

func tooManyNodes(path *field.Path, count int) *field.Error {
	return field.Invalid(path, count,
		fmt.Sprintf("more nodes than Kubernetes supports in a cluster: use at most %d", MaxCount))
}

func validateAutoscaling(a Autoscaling, path *field.Path) field.ErrorList {
	if !a.Enabled() {
		return nil
	}
	var errs field.ErrorList
	least := 1
	switch {
	case a.Min < 0:
		errs = append(errs, field.Invalid(path.Child("min"), a.Min,
			"must not be negative: use 0 for a pool that may have none"))
	case a.Min > MaxCount:
		errs = append(errs, tooManyNodes(path.Child("min"), a.Min))
	default:
		least = max(least, a.Min)
	}
	switch {
	case a.Max < least:
		errs = append(errs, field.Invalid(path.Child("max"), a.Max,
			fmt.Sprintf("must be at least 1, and not less than min: use %d or more", least)))
	case a.Max > MaxCount:
		errs = append(errs, tooManyNodes(path.Child("max"), a.Max))
	}
	return errs
}

func validateInRange(p Pool, path *field.Path) field.ErrorList {
	a, count := p.Autoscaling, p.Count
	if !a.Enabled() || a.Min <= count && count <= a.Max {
		return nil
	}
	valid := fmt.Sprintf("between %d and %d", a.Min, a.Max)
	if a.Min == a.Max {
		valid = strconv.Itoa(a.Min)
	}
	return field.ErrorList{field.Invalid(path, count,
		fmt.Sprintf("outside the range of autoscaling: use %s, or leave it out", valid))}
}

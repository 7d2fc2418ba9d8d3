package topology

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
)

// Validate returns everything that is wrong with the topology, with paths
// below path (nil for the root). It expects defaults to be applied.
func (t Topology) Validate(path *field.Path) field.ErrorList {
	errs := validateVersion(t.KubernetesVersion, path.Child("kubernetesVersion"))
	controlPlane, _ := parseVersion(t.KubernetesVersion)

	pools := path.Child("pools")
	if len(t.PoolsOf(platform.Linux)) == 0 {
		errs = append(errs, field.Required(pools, "at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only"))
	}
	first := map[string]int{}
	for i, pool := range t.Pools {
		errs = append(errs, pool.validate(controlPlane, pools.Index(i))...)
		if j, ok := first[pool.Name]; ok && pool.Name != "" {
			errs = append(errs, duplicate(pools.Index(i).Child("name"), pool.Name,
				fmt.Sprintf("%s has this name already: give each pool a name of its own", pools.Index(j))))
		} else {
			first[pool.Name] = i
		}
	}
	return errs
}

func (p Pool) validate(controlPlane version, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	errs = append(errs, validateName(p.Name, path.Child("name"))...)
	errs = append(errs, validatePlatform(p.Platform, path.Child("platform"))...)
	errs = append(errs, validateMode(p, path.Child("mode"))...)
	if p.Count < NoNodes || p.Count > MaxCount {
		errs = append(errs, field.Invalid(path.Child("count"), p.Count, fmt.Sprintf("must be between 0 and %d", MaxCount)))
	}
	errs = append(errs, validateNodeVersion(p.KubernetesVersion, controlPlane, path.Child("kubernetesVersion"))...)
	errs = append(errs, validateLabels(p.Labels, path.Child("labels"))...)
	errs = append(errs, validateTaints(p.Taints, path.Child("taints"))...)
	return errs
}

func validateName(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "name the pool, for example win22")}
	}
	var errs field.ErrorList
	for _, msg := range validation.IsDNS1123Label(name) {
		errs = append(errs, field.Invalid(path, name, msg))
	}
	return errs
}

func validatePlatform(p platform.Platform, path *field.Path) field.ErrorList {
	pools := PoolPlatforms()
	if slices.Contains(pools, p) {
		return nil
	}
	choice := "a pool runs " + joinOr(pools)
	switch release, ok := p.Release(); {
	case p == "":
		return field.ErrorList{field.Required(path, choice)}
	case ok:
		return field.ErrorList{field.Invalid(path, p, release.Name+" is not supported as a node any more: "+choice)}
	default:
		return field.ErrorList{field.Invalid(path, p, "unknown platform: "+choice)}
	}
}

// PoolPlatforms are the platforms that a pool can have: those that Kubernetes
// supports as nodes today.
func PoolPlatforms() []platform.Platform {
	return []platform.Platform{
		platform.Linux, platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025,
	}
}

func joinOr(platforms []platform.Platform) string {
	names := make([]string, len(platforms))
	for i, p := range platforms {
		names[i] = p.String()
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func validateMode(p Pool, path *field.Path) field.ErrorList {
	switch {
	case p.Mode != User && p.Mode != System:
		return field.ErrorList{field.NotSupported(path, p.Mode, []Mode{User, System})}
	case p.Mode == System && p.Platform.IsWindows():
		return field.ErrorList{field.Invalid(path, p.Mode,
			"a Windows pool cannot host the cluster's system pods: use User, and a Linux pool for System")}
	default:
		return nil
	}
}

func validateTaints(taints []corev1.Taint, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	type identity struct {
		key    string
		effect corev1.TaintEffect
	}
	first := map[identity]int{}
	for i, taint := range taints {
		errs = append(errs, validateTaint(taint, path.Index(i))...)
		id := identity{taint.Key, taint.Effect}
		if j, ok := first[id]; ok {
			errs = append(errs, duplicate(path.Index(i), FormatTaint(taint),
				fmt.Sprintf("%s has this key and effect already: a node can have each pair once", path.Index(j))))
		} else {
			first[id] = i
		}
	}
	return errs
}

// duplicate is field.Duplicate with the fix.
func duplicate(path *field.Path, value any, detail string) *field.Error {
	err := field.Duplicate(path, value)
	err.Detail = detail
	return err
}

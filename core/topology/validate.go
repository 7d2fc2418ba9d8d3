package topology

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Validate returns everything that is wrong with the topology, with paths below path (nil for the root). Unset fields
// count as their defaults.
func (t Topology) Validate(path *field.Path) field.ErrorList { return t.WithDefaults().Validate(path) }

// Validate is [Topology.Validate] for a topology that has its defaults.
func (t Defaulted) Validate(path *field.Path) field.ErrorList {
	errs := validateVersion(t.KubernetesVersion, path.Child("kubernetesVersion"))
	errs = append(errs, validateCloud(t.Cloud, path.Child("cloud"))...)

	pools := path.Child("pools")
	// A pool without a valid platform may be the Linux one.
	if !slices.ContainsFunc(t.Pools, func(p Pool) bool { return !p.Platform.IsWindows() }) {
		errs = append(errs, field.Required(pools,
			"at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only"))
	}
	first := map[string]int{}
	for i, pool := range t.DefaultedPools() {
		errs = append(errs, pool.Validate(t.KubernetesVersion, pools.Index(i))...)
		if j, ok := first[pool.Name]; ok && pool.Name != "" {
			errs = append(errs, duplicate(pools.Index(i).Child("name"), pool.Name,
				fmt.Sprintf("%s has this name already: give each pool a name of its own", pools.Index(j))))
		} else {
			first[pool.Name] = i
		}
	}
	errs = append(errs, validateMissingFeatures(t.MissingFeatures, path.Child("missingFeatures"))...)
	errs = append(errs, ValidateMatching(t.Matching, path.Child("matching"))...)
	return append(errs, validateRuntimeClasses(t.RuntimeClasses, path.Child("runtimeClasses"))...)
}

// ValidateMatching validates a matching, which may be empty.
func ValidateMatching(m platform.Matching, path *field.Path) field.ErrorList {
	if m == "" || slices.Contains(platform.Matchings(), m) {
		return nil
	}
	names := make([]string, len(platform.Matchings()))
	for i, known := range platform.Matchings() {
		names[i] = string(known)
	}
	return field.ErrorList{
		field.Invalid(path, string(m), fielderrors.Unknown("matching", string(m), names)),
	}
}

// Validate returns everything that is wrong with one pool of an existing cluster, with paths below path (nil for the
// root). The version of the cluster's control plane is empty if it is unknown. Unset fields count as their defaults.
func (p Pool) Validate(controlPlane string, path *field.Path) field.ErrorList {
	return p.WithDefaults(controlPlane).Validate(controlPlane, path)
}

// Validate is [Pool.Validate] for a pool that has its defaults.
func (d DefaultedPool) Validate(controlPlane string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	p := d.Pool
	errs = append(errs, validateName(p.Name, path.Child("name"))...)
	errs = append(errs, ValidatePlatform(p.Platform, path.Child("platform"))...)
	errs = append(errs, validateMode(p, path.Child("mode"))...)
	errs = append(errs, validateNodes(p, path)...)
	errs = append(errs, validateSize(p, path.Child("size"))...)
	errs = append(errs, validateNumber(p.OSDiskSizeGB, path.Child("osDiskSizeGB"))...)
	errs = append(errs, validateChoice(p.OSDiskType, "valid types are", path.Child("osDiskType"), ManagedDisk,
		EphemeralDisk)...)
	errs = append(errs, validateZones(p.Zones, path.Child("zones"))...)
	errs = append(errs, validateSpot(p, path)...)
	errs = append(errs, validateOutboundNAT(p, path.Child("disableOutboundNAT"))...)
	errs = append(errs, validateNumber(p.MaxPods, path.Child("maxPods"))...)
	errs = append(errs, validateAmounts(p.Reserved, path.Child("reserved"))...)
	errs = append(errs, validateReported(p, path.Child("reported"))...)
	errs = append(errs, validateUpgrade(p.Upgrade, path.Child("upgrade"))...)
	// Errors in the control plane's own version are reported there, once.
	if p.KubernetesVersion != controlPlane {
		v, _ := kubeversion.Parse(controlPlane)
		errs = append(errs, validateNodeVersion(p.KubernetesVersion, v, path.Child("kubernetesVersion"))...)
	}
	errs = append(errs, validateLabels(p.Labels, path.Child("labels"))...)
	errs = append(errs, validateTaints(p.Taints, path.Child("taints"))...)
	if p.Untainted && len(p.Taints) > 0 {
		errs = append(errs, field.Invalid(path.Child("untainted"), p.Untainted,
			"the pool has taints: remove one of the two"))
	}
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

// ValidatePlatform validates the platform of a pool or of the pods of a workload: it must be one of [PoolPlatforms].
func ValidatePlatform(p platform.Platform, path *field.Path) field.ErrorList {
	pools := PoolPlatforms()
	if slices.Contains(pools, p) {
		return nil
	}
	choice := "a pool runs " + joinOr(pools)
	if p == "" {
		return field.ErrorList{field.Required(path, choice)}
	}
	parsed, err := platform.Parse(p.String())
	if err == nil && slices.Contains(pools, parsed) {
		// A spelling that only platform.Parse understands, such as "ltsc2022".
		return field.ErrorList{field.Invalid(path, p.String(),
			fmt.Sprintf("use platform.Parse for this spelling, or write %q", parsed))}
	}
	if release, ok := parsed.Release(); ok {
		return field.ErrorList{field.Invalid(path, p.String(),
			release.Name+" is no longer supported as a node: "+choice)}
	}
	if unknown, ok := errors.AsType[*platform.UnknownError](err); ok && slices.Contains(pools, unknown.Nearest) {
		choice = fmt.Sprintf("did you mean %q? %s", unknown.Nearest, choice)
	}
	return field.ErrorList{field.Invalid(path, p.String(), "unknown platform: "+choice)}
}

// validateSize also refuses what no cloud has in the name of a size. The kubelet of a cloud labels its node with the
// size (node.kubernetes.io/instance-type), and commands that change a pool have it.
func validateSize(p Pool, path *field.Path) field.ErrorList {
	switch {
	case len(validation.IsValidLabelValue(p.Size)) > 0:
		return field.ErrorList{
			field.Invalid(path, p.Size, fmt.Sprintf("the label %s of a node cannot have this value: "+
				"use the name of the cloud, for example Standard_D4s_v5, with at most %d letters, digits, hyphens, "+
				"underscores and periods, and a letter or digit at both ends", corev1.LabelInstanceTypeStable,
				validation.LabelValueMaxLength)),
		}
	case !p.Platform.IsWindows() || !vm.IsArm64(p.Size):
		return nil
	case vm.IsAzure(p.Size):
		return field.ErrorList{field.Invalid(path, p.Size,
			"an Arm64 size (the letter p), and Windows Server nodes are amd64 only: use a size without p, for "+
				"example Standard_D4s_v5")}
	default:
		return field.ErrorList{field.Invalid(path, p.Size,
			"an Arm64 size, and Windows Server nodes are amd64 only: use one with Intel or AMD processors, "+
				"for example m6i.xlarge or n2-standard-4")}
	}
}

// PoolPlatforms returns the platforms that a pool can have: those that Kubernetes supports as nodes today.
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
	return fielderrors.OneOf(names)
}

func validateMode(p Pool, path *field.Path) field.ErrorList {
	switch modes := []Mode{User, System}; {
	case !slices.Contains(modes, p.Mode):
		return field.ErrorList{field.Invalid(path, p.Mode, choose("valid modes are", p.Mode, modes))}
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
				fmt.Sprintf("%s has this key and effect already: a node can have each pair once, remove one of the two",
					path.Index(j))))
		} else {
			first[id] = i
		}
	}
	return errs
}

// choose lists the valid values, the most similar one first.
func choose[T ~string](intro string, value T, valid []T) string {
	names := make([]string, len(valid))
	for i, v := range valid {
		names[i] = string(v)
	}
	list := intro + " " + strings.Join(names, ", ")
	if near, ok := fielderrors.Nearest(string(value), names); ok {
		return fmt.Sprintf("did you mean %q? %s", near, list)
	}
	return list
}

// duplicate is field.Duplicate with a fix.
func duplicate(path *field.Path, value any, detail string) *field.Error {
	err := field.Duplicate(path, value)
	err.Detail = detail
	return err
}

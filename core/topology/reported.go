package topology

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Reported is what the nodes of a pool report. The zero value means that only the size is known.
type Reported struct {
	// Architecture is the architecture of the nodes, for example "amd64" or "arm64". The default follows from the size.
	Architecture string `json:"architecture,omitzero" pulumi:"architecture,optional"`
	// Capacity is the cpu and memory of the smallest node (status.capacity). The default follows from the size.
	Capacity corev1.ResourceList `json:"capacity,omitzero" pulumi:"capacity,optional"`
	// OSVersion is the build of Windows with its revision, such as "10.0.17763.973" (status.nodeInfo.kernelVersion), of
	// the node with the oldest revision. The build must be the platform's. Empty means unknown.
	OSVersion string `json:"osVersion,omitzero" pulumi:"osVersion,optional"`
}

func (r Reported) clone() Reported {
	r.Capacity = r.Capacity.DeepCopy()
	return r
}

// complete reports whether a list has both cpu and memory.
func complete(list corev1.ResourceList) bool {
	_, cpu := list[corev1.ResourceCPU]
	_, memory := list[corev1.ResourceMemory]
	return cpu && memory
}

func validateReported(p Pool, path *field.Path) field.ErrorList {
	r := p.Reported
	var errs field.ErrorList
	switch {
	case r.Architecture == "":
	case p.Platform.IsWindows() && r.Architecture != WindowsArchitecture:
		errs = append(errs, field.Invalid(path.Child("architecture"), r.Architecture,
			"Windows Server nodes are amd64 only: remove it"))
	case !slices.Contains(architectures, r.Architecture):
		errs = append(errs, field.Invalid(path.Child("architecture"), r.Architecture,
			choose("valid architectures are", r.Architecture, architectures)))
	}
	if err := validateOSVersion(p, path.Child("osVersion")); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, validateAmounts(r.Capacity, path.Child("capacity"))...)
	for _, name := range measured {
		if _, ok := r.Capacity[name]; !ok && len(r.Capacity) > 0 {
			errs = append(errs, field.Required(path.Child("capacity").Key(string(name)), "set both cpu and memory"))
		}
	}
	return errs
}

func validateOSVersion(p Pool, path *field.Path) *field.Error {
	version, build := p.Reported.OSVersion, p.Platform.Build()
	switch {
	case version == "":
		return nil
	case p.Platform == platform.Linux:
		return field.Invalid(path, version, "only revisions of Windows are compared with those of images: remove it")
	case build == "": // an invalid platform is reported elsewhere
		return nil
	}
	if _, ok := p.Platform.Revision(version); !ok {
		return field.Invalid(path, version, fmt.Sprintf("must be the build of %s and a revision, as %s.1", p.Platform,
			build))
	}
	return nil
}

// architectures are the architectures for which Kubernetes publishes node binaries
// (https://kubernetes.io/releases/download/#binaries).
var architectures = []string{amd64, arm64, "386", "ppc64le", "s390x"}

// measured are the resources whose capacity the library knows.
var measured = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

func validateAmounts(list corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(list)) {
		quantity := list[name]
		if !slices.Contains(measured, name) {
			errs = append(errs, field.Invalid(path.Key(string(name)), quantity.String(),
				"only cpu and memory are compared with what pods request: remove it"))
		} else if quantity.Sign() < 0 {
			errs = append(errs, field.Invalid(path.Key(string(name)), quantity.String(), "must not be negative"))
		}
	}
	return errs
}

package topology

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Labels of nodes that every kubelet sets, in addition to the stable ones that k8s.io/api names.
const (
	// LabelWindowsBuild is set to the Windows build, "10.0.20348". The kubelet of a Windows node maintains it and would
	// overwrite a label set by hand.
	LabelWindowsBuild = corev1.LabelWindowsBuild

	// LabelBetaOS and LabelBetaArch are the names of [corev1.LabelOSStable] and [corev1.LabelArchStable] before
	// Kubernetes 1.14. Kubelets still set them.
	LabelBetaOS   = "beta.kubernetes.io/os"
	LabelBetaArch = "beta.kubernetes.io/arch"
)

// LabelPlatform is a label of this library, set to the name of a node's platform, "windows-2022". Only the cloud's
// description of a pool sets it. A cluster autoscaler therefore knows it for a pool without nodes, unlike
// [LabelWindowsBuild]: see [Pool.ScalesFromZero]. Components that create pools add it to Windows pools that need it;
// other pools set it like any other label.
const LabelPlatform = "mixedkube.dev/platform"

// WindowsArchitecture is the only architecture of Windows Server nodes. AKS has no Arm64 sizes for Windows either
// (https://learn.microsoft.com/azure/aks/use-arm64-vms).
const WindowsArchitecture = amd64

// NodeLabels returns the labels of the pool's nodes: those that the kubelet sets (without the host name, which differs
// for each node), the instance type if the size is known, and the labels of the pool.
func (p Pool) NodeLabels() map[string]string {
	labels := map[string]string{
		corev1.LabelOSStable:   string(p.Platform.OS()),
		corev1.LabelArchStable: p.Architecture(),
		LabelBetaOS:            string(p.Platform.OS()),
		LabelBetaArch:          p.Architecture(),
	}
	if build := p.Platform.Build(); build != "" {
		labels[LabelWindowsBuild] = build
	}
	if p.Size != "" {
		labels[corev1.LabelInstanceTypeStable] = p.Size
	}
	maps.Copy(labels, p.Labels)
	return labels
}

// NodeSelector selects only the nodes of one platform: by operating system and, for Windows, by architecture and build.
// Linux nodes of all architectures are selected.
func NodeSelector(p platform.Platform) map[string]string {
	selector := map[string]string{corev1.LabelOSStable: string(p.OS())}
	if p.IsWindows() {
		selector[corev1.LabelArchStable] = WindowsArchitecture
		selector[LabelWindowsBuild] = p.Build()
	}
	return selector
}

// validateLabels applies the API server's rules for labels, and the kubelet's rules for labels in the namespaces of
// Kubernetes (k8s.io/kubelet/pkg/apis/well_known_labels.go, used by the NodeRestriction admission plugin and by the
// kubelet's --node-labels).
func validateLabels(labels map[string]string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		value, at := labels[key], path.Key(key)
		for _, msg := range validation.IsQualifiedName(key) {
			errs = append(errs, field.Invalid(at, key, "not a label key: "+msg))
		}
		for _, msg := range validation.IsValidLabelValue(value) {
			errs = append(errs, field.Invalid(at, value, msg))
		}
		switch namespace, _, ok := strings.Cut(key, "/"); {
		case slices.Contains(derivedLabels, key):
			errs = append(errs, field.Forbidden(at, "every kubelet sets this label itself: remove it"))
		case slices.Contains(sizeLabels, key):
			errs = append(errs, field.Forbidden(at, "the pool's size sets this label: remove it, and set the size"))
		case slices.Contains(zoneLabels, key):
		case ok && inNamespace(namespace, "kubernetes.io", "k8s.io") &&
			!inNamespace(namespace, "kubelet.kubernetes.io", "node.kubernetes.io"):
			errs = append(errs, field.Forbidden(at,
				"a kubelet must not set labels in this namespace: use a domain of your own, node.kubernetes.io/ or "+
					"kubelet.kubernetes.io/"))
		}
	}
	return errs
}

var (
	// derivedLabels follow from the platform, or differ for each node.
	derivedLabels = []string{
		corev1.LabelHostname, corev1.LabelOSStable, corev1.LabelArchStable, LabelBetaOS, LabelBetaArch,
		LabelWindowsBuild,
	}
	sizeLabels = []string{corev1.LabelInstanceTypeStable, corev1.LabelInstanceType}
	// zoneLabels can be set on a kubelet although they are in a namespace of Kubernetes: without a cloud provider,
	// nothing else sets them.
	zoneLabels = []string{
		corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone,
		corev1.LabelFailureDomainBetaRegion,
	}
)

func inNamespace(namespace string, domains ...string) bool {
	return slices.ContainsFunc(domains, func(domain string) bool {
		return namespace == domain || strings.HasSuffix(namespace, "."+domain)
	})
}

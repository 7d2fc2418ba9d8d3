package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

var (
	// kubeletLabels are set by every kubelet, or by every kubelet on Windows.
	kubeletLabels = []string{
		corev1.LabelOSStable, corev1.LabelArchStable, topology.LabelBetaOS, topology.LabelBetaArch,
		topology.LabelWindowsBuild,
	}
	// cloudLabels are set by cloud providers, so that a pool may have one without
	// declaring it. AKS sets the labels without a domain, which are deprecated
	// (https://learn.microsoft.com/azure/aks/use-labels#deprecated-labels).
	cloudLabels = []string{
		corev1.LabelInstanceTypeStable, corev1.LabelInstanceType,
		corev1.LabelTopologyZone, corev1.LabelTopologyRegion,
		corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion,
		"agentpool", "storageprofile", "storagetier", "accelerator",
	}
)

// knowledge is what is known about a label of a pool's nodes.
type knowledge int

const (
	unknown knowledge = iota
	present
	absent
	// assumed is present with a likely value: it can match, but never refuses a pod.
	assumed
)

// label returns the value of a label and what is known about it.
func (n *Nodes) label(node *node, key string) (string, knowledge) {
	if key == corev1.LabelHostname {
		return "", unknown
	}
	if value, ok := node.object.Labels[key]; ok {
		if node.guessedArchitecture && (key == corev1.LabelArchStable || key == topology.LabelBetaArch) {
			return value, assumed
		}
		if n.guessedSKU[[2]string{node.pool.Name, key}] {
			return value, assumed
		}
		return value, present
	}
	if n.own[strings.ToLower(key)] || n.mistaken(key) {
		return "", absent
	}
	return "", unknown
}

// mistaken reports whether a key is a key of n.own without its domain, such as os for
// kubernetes.io/os, or with a typo. Something outside the topology may set other
// labels.
func (n *Nodes) mistaken(key string) bool {
	if answer, ok := n.mistakes.Load(key); ok {
		return answer.(bool)
	}
	answer := !slices.Contains(cloudLabels, key) && n.resemblesOwn(key)
	n.mistakes.Store(key, answer)
	return answer
}

func (n *Nodes) resemblesOwn(key string) bool {
	domain, name := splitKey(strings.ToLower(key))
	for own := range n.own {
		ownDomain, ownName := splitKey(own)
		if domain == "" && name == ownName || (domain == "" || domain == ownDomain) && fielderrors.Typo(name, ownName) {
			return true
		}
	}
	return false
}

// compare returns whether a node has a label with a value.
func (n *Nodes) compare(node *node, key, value string) platform.Answer {
	switch has, known := n.label(node, key); {
	case n.neverHas(node, key, []string{value}):
		return platform.No
	case known == unknown || known == assumed && has != value:
		return platform.Unknown
	case known == absent || has != value:
		return platform.No
	default:
		return platform.Yes
	}
}

// nearKey returns a suggestion for a key: the same key in another case, the same name
// in another domain, such as kubernetes.io/os for os, or a key with a similar
// spelling.
func nearKey(key string, keys []string) (string, bool) {
	for _, equal := range []func(string) bool{
		func(k string) bool { return strings.EqualFold(k, key) },
		func(k string) bool {
			_, name := splitKey(k)
			_, keyName := splitKey(key)
			return strings.EqualFold(name, keyName)
		},
	} {
		if i := slices.IndexFunc(keys, equal); i >= 0 {
			return keys[i], true
		}
	}
	return fielderrors.Nearest(key, keys)
}

// splitKey returns the domain of a key, "" if it has none, and its name.
func splitKey(key string) (domain, name string) {
	i := strings.LastIndexByte(key, '/')
	return key[:max(i, 0)], key[i+1:]
}

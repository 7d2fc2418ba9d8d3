package placement

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Cluster is a topology with the matching of its nodes.
type Cluster struct {
	topology.Defaulted

	Matching platform.Matching
}

// NewChange prepares a cluster and what it is planned to become, so that the answers for both can be compared. A
// comparison knows more about labels than [NewNodes] does for one topology:
//
//   - A label that a pool of the cluster has is missing in the plan unless a pool of the plan has it, except for labels
//     in the domains of Kubernetes and of clouds, which something else may set.
//   - A cluster that may be one of AKS has the labels that AKS sets: to the names of pools, and to their osSKU. A pod
//     that selects one of them lands nowhere in a cluster of another kind, before the change and after it.
//   - The name of a node of AKS shows its pool.
func NewChange(cluster, planned Cluster) (today, plan *Nodes) {
	today, plan = compared(cluster, nil), compared(planned, cluster.Pools)
	for _, p := range cluster.Pools {
		for key := range p.Labels {
			if !setByOthers(key) {
				plan.own[strings.ToLower(key)] = true
			}
		}
	}
	if mayBeAKS(cluster.Defaulted) {
		names := map[string]string{}
		for _, n := range slices.Concat(plan.nodes, today.nodes) {
			names[n.object.Labels[PoolLabels()[0]]] = n.pool.Name
		}
		today.named, plan.named = names, names
	}
	return today, plan
}

func compared(c Cluster, before []topology.Pool) *Nodes {
	labeled, guessed := withAKSLabels(c.Defaulted, before)
	n := NewNodes(labeled, c.Matching)
	n.compared, n.guessedSKU = true, guessed
	return n
}

// neverHas reports whether a label has none of the values on any node of the pool, although it is not known whether or
// with which value the nodes have it: the names of nodes of other pools, and names of other platforms.
func (n *Nodes) neverHas(node *node, key string, values []string) bool {
	if !n.compared || len(values) == 0 {
		return false
	}
	_, known := n.label(node, key)
	switch key {
	case corev1.LabelHostname, metav1.ObjectNameField:
		return n.isOther(node, values)
	case topology.LabelPlatform:
		return known == unknown && !slices.Contains(values, node.pool.Platform.String())
	default:
		return known == assumed && ofWindows(key, values)
	}
}

// selectsNever reports whether an expression selects only values that the nodes never have.
func (c *check) selectsNever(e *expression) bool {
	return e.Operator == corev1.NodeSelectorOpIn && e.onField == (e.Key == metav1.ObjectNameField) &&
		c.nodes.neverHas(c.node, e.Key, e.Values)
}

// requiresNoLabel reports whether an expression requires that nodes do not have a label whose value alone is not known.
func (c *check) requiresNoLabel(e *expression) bool {
	return c.nodes.compared && e.Operator == corev1.NodeSelectorOpDoesNotExist
}

// explainNever explains neverHas, after a text that has the values.
func (c *check) explainNever(key string, values []string) string {
	if key == corev1.LabelHostname || key == metav1.ObjectNameField {
		return c.explainOther(values)
	}
	return ", but its nodes run " + c.node.pool.Platform.DisplayName()
}

// othersDomains are the domains of labels that Kubernetes, clouds, and add-ons such as drivers set.
var othersDomains = []string{
	"kubernetes.io", "k8s.io", "azure.com", "amazonaws.com", "aws.com", "k8s.aws", "eksctl.io", "karpenter.sh",
	"cloud.google.com", "gke.io", "nvidia.com",
}

// setByOthers reports whether nodes may have a label although no pool of a topology lists it.
func setByOthers(key string) bool {
	domain, _ := splitKey(strings.ToLower(key))
	return key == topology.LabelPlatform || slices.Contains(cloudLabels, key) ||
		slices.ContainsFunc(othersDomains, func(of string) bool {
			return domain == of || strings.HasSuffix(domain, "."+of)
		})
}

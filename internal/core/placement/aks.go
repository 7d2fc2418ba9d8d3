package placement

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// PoolLabels returns the labels that AKS sets to the name of the pool:
// https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels.
func PoolLabels() []string { return []string{"agentpool", "kubernetes.azure.com/agentpool"} }

// SKULabels returns the labels that AKS sets to the osSKU of the pool:
// https://learn.microsoft.com/azure/aks/use-labels#reserved-system-labels.
func SKULabels() []string {
	return []string{
		"kubernetes.azure.com/os-sku", "kubernetes.azure.com/os-sku-effective", "kubernetes.azure.com/os-sku-requested",
	}
}

// likelyLinuxSKU is the osSKU of a Linux pool of AKS unless it has another one, which a topology does not show.
const likelyLinuxSKU = "Ubuntu"

// mayBeAKS reports whether a cluster is one of AKS for all that the topology shows.
func mayBeAKS(t topology.Defaulted) bool { return t.Cloud == "" || t.Cloud == topology.AKS }

// withAKSLabels returns the topology with the labels that AKS sets on the nodes of a pool, unless the pool has them. A
// pool that stays as it was before keeps the labels that it had: package aks adds a suffix to the names of pools in
// Azure. The second result are the Linux pools and the labels whose osSKU is only the likely one.
func withAKSLabels(t topology.Defaulted, before []topology.Pool) (topology.Defaulted, map[[2]string]bool) {
	guessed := map[[2]string]bool{}
	if !mayBeAKS(t) {
		return t, guessed
	}
	t.Pools = slices.Clone(t.Pools)
	for i := range t.Pools {
		p := &t.Pools[i]
		labels := map[string]string{}
		for _, key := range PoolLabels() {
			labels[key] = p.Name
		}
		sku, known := skuOf(p.Platform)
		had := labelsBefore(p, before)
		maps.Copy(labels, had)
		maps.Copy(labels, p.Labels)
		for _, key := range SKULabels() {
			guessed[[2]string{p.Name, key}] = !known && labels[key] == ""
			// AKS sets the osSKU. Another one is left from before the pool had this platform, for example in a copy.
			if sku != "" && (known || labels[key] == "") {
				labels[key] = sku
			}
		}
		p.Labels = labels
	}
	return t, guessed
}

// labelsBefore returns the labels of AKS that a pool had before, if the change does not replace its nodes.
func labelsBefore(p *topology.Pool, before []topology.Pool) map[string]string {
	had := map[string]string{}
	for i := range before {
		b := &before[i]
		if b.Name != p.Name || b.Platform != p.Platform || b.Size != p.Size && p.Size != "" {
			continue
		}
		for _, key := range slices.Concat(PoolLabels(), SKULabels()) {
			if value, ok := b.Labels[key]; ok {
				had[key] = value
			}
		}
	}
	return had
}

// skuOf returns the osSKU of a platform; false if there are several. It is empty for a platform without one.
func skuOf(p platform.Platform) (string, bool) {
	if p == platform.Linux {
		return likelyLinuxSKU, false
	}
	i := slices.IndexFunc(facts.SKUs, func(s facts.SKU) bool { return s.Platform == p.String() })
	if i < 0 {
		return "", true
	}
	return facts.SKUs[i].Name, true
}

// ofWindows reports whether all values of a label are osSKUs of Windows, which no Linux pool has.
func ofWindows(key string, values []string) bool {
	return slices.Contains(SKULabels(), key) && !slices.ContainsFunc(values, func(value string) bool {
		sku, _ := facts.SKUNamed(value)
		return !sku.Windows
	})
}

// linuxNode matches the name of a Linux node of AKS, aks-apps-12345678-vmss00000a, with the name of its pool.
var linuxNode = regexp.MustCompile(`^aks-([a-z0-9]+)-[0-9]{8}-(?:vmss[0-9a-z]{6}|[0-9]+)$`)

// windowsCounter is what follows the name of the pool in the name of a Windows node: akswin22000001.
var windowsCounter = regexp.MustCompile(`^[0-9a-z]{6}$`)

// PoolOf returns the pool that the name of a node of AKS shows, if it is a pool of the compared topologies. It returns
// false for the name of any other node. A name has the number of the machine in six digits of base 36:
// https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-instance-ids.
func (n *Nodes) PoolOf(name string) (string, bool) {
	if match := linuxNode.FindStringSubmatch(name); match != nil {
		pool, known := n.named[match[1]]
		return pool, known
	}
	if head := len(name) - len("000000"); head > len("aks") && strings.HasPrefix(name, "aks") {
		pool, known := n.named[name[len("aks"):head]]
		return pool, known && windowsCounter.MatchString(name[head:])
	}
	return "", false
}

// isOther reports whether the names of nodes show that none of them is a node of the pool.
func (n *Nodes) isOther(node *node, names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		pool, shown := n.PoolOf(name)
		return !shown || pool == node.pool.Name
	})
}

// checkNodeName refuses pods that name a node of another pool. The name of any other node shows no pool.
func (c *check) checkNodeName() {
	c.template.unsure = true
	if c.nodes.isOther(c.node, []string{c.pod.NodeName}) {
		c.refuse(&c.template, KindNode, func() (string, string) {
			return "names the node " + c.pod.NodeName + c.explainOther([]string{c.pod.NodeName}),
				"remove nodeName"
		})
	}
}

// explainOther describes names of nodes of other pools, after a text that has them.
func (c *check) explainOther(names []string) string {
	var others []string
	for _, name := range names {
		if pool, _ := c.nodes.PoolOf(name); !slices.Contains(others, pool) {
			others = append(others, pool)
		}
	}
	return ", of pool " + strings.Join(others, " or ")
}

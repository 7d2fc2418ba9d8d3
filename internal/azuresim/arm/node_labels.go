package arm

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

const azureLabel = "kubernetes.azure.com/"

// nodeLabels returns the pool's own labels and those of https://learn.microsoft.com/azure/aks/use-labels, as seen on
// nodes.
func nodeLabels(cluster, stored *resource, p poolProperties) map[string]string {
	name, osSKU := nameOf(stored.ID), string(value(p.OSSKU))
	current, _ := resolve(value(p.CurrentOrchestratorVersion))
	labels := map[string]string{
		"agentpool":                       name,
		azureLabel + "agentpool":          name,
		azureLabel + "cluster":            groupLabel(textAt(cluster.Body, "properties.nodeResourceGroup")),
		azureLabel + "mode":               strings.ToLower(string(value(p.Mode))),
		azureLabel + "node-image-version": value(p.NodeImageVersion),
		azureLabel + "nodepool-type":      string(value(p.Type)),
		azureLabel + "os-sku":             osSKU,
		azureLabel + "os-sku-effective":   effectiveOSSKU(osSKU, current, value(p.EnableFIPS)),
		azureLabel + "os-sku-requested":   osSKU,
		azureLabel + "role":               "agent",
		corev1.LabelTopologyRegion:        textAt(cluster.Body, "location"),
	}
	// With several zones, the zone differs from node to node.
	if len(p.AvailabilityZones) == 0 {
		labels[corev1.LabelTopologyZone] = "0"
	}
	if value(p.ScaleSetPriority) == "Spot" {
		labels[azureLabel+"priority"] = "spot"
	}
	if value(p.EnableFIPS) {
		labels[azureLabel+"fips_enabled"] = "true"
	}
	size, _ := sizeNamed(value(p.VMSize))
	addSizeLabels(labels, size)
	// A node has these two labels only for managed disks, both in two spellings.
	if value(p.OSDiskType) == "Managed" {
		for _, prefix := range []string{"", azureLabel} {
			labels[prefix+"storageprofile"] = "managed"
			labels[prefix+"storagetier"] = size.diskTier()
		}
	}
	addNetworkLabels(labels, cluster, p)
	for key, text := range p.NodeLabels {
		labels[key] = value(text)
	}
	return labels
}

// groupLabel returns the name of a resource group as the value of a label: AKS replaces invalid characters, and
// truncates it (AgentBaker, pkg/agent/baker.go).
func groupLabel(group string) string {
	const longest = 63
	text := shorten(strings.NewReplacer("(", "-", ")", "-").Replace(group), longest)
	if strings.TrimRight(text, "-_.") != text {
		text = shorten(text, longest-1) + "z"
	}
	return text
}

// addSizeLabels adds the CPUs, and the memory in MiB.
func addSizeLabels(labels map[string]string, size vmSize) {
	if size.cpus > 0 {
		labels[azureLabel+"sku-cpu"] = strconv.Itoa(size.cpus)
	}
	if size.memoryGiB > 0 {
		labels[azureLabel+"sku-memory"] = strconv.Itoa(int(size.memoryGiB * 1024))
	}
}

// addNetworkLabels adds the names of the network and the subnet if they are the user's.
func addNetworkLabels(labels map[string]string, cluster *resource, p poolProperties) {
	subnet, err := parseID(value(p.VnetSubnetID))
	if err != nil || textAt(cluster.Body, "properties.networkProfile.networkPlugin") != "azure" {
		return
	}
	labels[azureLabel+"network-name"] = shorten(nameOf(subnet.parent), 63)
	labels[azureLabel+"network-subnet"] = shorten(subnet.name(), 63)
}

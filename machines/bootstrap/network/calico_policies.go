package network

// calicoTier is before all others, so that no NetworkPolicy allows what it denies.
const calicoTier = "mixedkube-egress"

// calicoEgress keeps pods from BlockedEgress: a policy in a tier of its own, which passes all
// else on to the next tiers. In the tier of other policies it would either be the last word
// on all else, or leave pods without a policy with nothing
// (https://docs.tigera.io/calico/latest/network-policy/policy-tiers/tiered-policy). Its name
// begins with that of the tier, as older releases ask for.
//
// Calico has tiers from release 3.29 on.
func (n Defaulted) calicoPolicies() []map[string]any {
	var rules []any
	for _, d := range n.BlockedEgress {
		rule := map[string]any{"action": "Deny"}
		destination := map[string]any{"nets": []any{d.CIDR.String()}}
		if len(d.TCPPorts) > 0 {
			rule["protocol"] = "TCP"
			destination["ports"] = portNumbers(d.TCPPorts)
		}
		rule["destination"] = destination
		rules = append(rules, rule)
	}
	rules = append(rules, map[string]any{"action": "Pass"})
	return []map[string]any{
		{
			"apiVersion": "projectcalico.org/v3",
			"kind":       "Tier",
			"metadata":   map[string]any{"name": calicoTier},
			"spec":       map[string]any{"order": int64(1)},
		},
		{
			"apiVersion": "projectcalico.org/v3",
			"kind":       "GlobalNetworkPolicy",
			"metadata":   map[string]any{"name": calicoTier + ".blocked"},
			"spec": map[string]any{
				"tier":  calicoTier,
				"order": int64(1),
				// Pods only: a HostEndpoint has no namespace.
				"namespaceSelector": "has(projectcalico.org/name)",
				"types":             []any{"Egress"},
				"egress":            rules,
			},
		},
	}
}

// portNumbers are numbers as in an object of Kubernetes.
func portNumbers(ports []int) []any {
	numbers := make([]any, len(ports))
	for i, port := range ports {
		numbers[i] = int64(port)
	}
	return numbers
}

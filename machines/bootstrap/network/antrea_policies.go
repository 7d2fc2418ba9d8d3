package network

// antreaPolicies keep pods from BlockedEgress: a ClusterNetworkPolicy in Antrea's first tier,
// so that no other policy allows what it drops. All else continues to the other tiers
// (https://github.com/antrea-io/antrea/blob/main/docs/antrea-network-policy.md).
func (n Defaulted) antreaPolicies() []map[string]any {
	var rules []any
	for _, d := range n.BlockedEgress {
		rule := map[string]any{
			"action": "Drop",
			"to":     []any{map[string]any{"ipBlock": map[string]any{"cidr": d.CIDR.String()}}},
		}
		var ports []any
		for _, port := range portNumbers(d.TCPPorts) {
			ports = append(ports, map[string]any{"protocol": "TCP", "port": port})
		}
		if len(ports) > 0 {
			rule["ports"] = ports
		}
		rules = append(rules, rule)
	}
	return []map[string]any{{
		"apiVersion": "crd.antrea.io/v1beta1",
		"kind":       "ClusterNetworkPolicy",
		"metadata":   map[string]any{"name": "mixedkube-egress"},
		"spec": map[string]any{
			"tier":      "emergency",
			"priority":  int64(1),
			"appliedTo": []any{map[string]any{"namespaceSelector": map[string]any{}}},
			"egress":    rules,
		},
	}}
}

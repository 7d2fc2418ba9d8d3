package plan

import (
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var sourceMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK649", Severity: rule.Error, Title: "a source of packets that is neither an address nor a range",
		Page: rulepages.Kubeadm,
		Reason: "A rule of a security group lets in addresses and ranges in CIDR notation. A range begins with its " +
			"first address.",
		Source: securityGroupsPage,
	},
	Checks: []engine.Check{engine.On(clients, malformedSources)},
}

func malformedSources(s clientSources) []rule.Problem {
	var found []rule.Problem
	for i, text := range s.texts {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			if prefix != prefix.Masked() {
				found = append(found, invalid(s.path.Index(i), text, "has host bits set",
					"write "+prefix.Masked().String()))
			}
			continue
		}
		if _, err := netip.ParseAddr(text); err != nil {
			found = append(found, invalid(s.path.Index(i), text,
				"must be an address or a CIDR, 203.0.113.0/24 for example", ""))
		}
	}
	return found
}

var servicePortImpossible = engine.Rule{
	Rule: rule.Rule{
		ID: "MK650", Severity: rule.Error, Title: "a port of a Service that the load balancer of the pools cannot have",
		Page: rulepages.Kubeadm,
		Reason: "The load balancer has one rule for each port, at most 300, and forwards the port to a node port " +
			"from 30000 to 32767, the range that the security group of the nodes allows.",
		Source: limitsPage + "#load-balancer, " +
			"https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(clusters, impossiblePorts)},
}

// mostServicePorts leaves room for other rules.
const mostServicePorts = facts.LoadBalancerRules - 50

func impossiblePorts(c Defaulted) []rule.Problem {
	ports, path := c.ServicePorts, field.NewPath("servicePorts")
	var found []rule.Problem
	if len(ports) > mostServicePorts {
		found = append(found, problemOf(field.TooMany(path, len(ports), mostServicePorts)))
	}
	for i, p := range ports {
		at := path.Index(i)
		if p.Port < 1 || p.Port > 65534 {
			found = append(found, invalid(at.Child("port"), p.Port,
				"must be from 1 to 65534", "it is the port that clients connect to"))
		}
		if p.NodePort < 30000 || p.NodePort > 32767 {
			found = append(found, invalid(at.Child("nodePort"), p.NodePort,
				"must be from 30000 to 32767", "give the Service the same nodePort"))
		}
		for j, other := range ports[:i] {
			if p.Port == other.Port {
				found = append(found, duplicate(at.Child("port"), p.Port, path.Index(j)))
			}
			if p.NodePort == other.NodePort {
				found = append(found, duplicate(at.Child("nodePort"), p.NodePort, path.Index(j)))
			}
		}
	}
	return found
}

func duplicate(path *field.Path, value int, by *field.Path) rule.Problem {
	return rule.Problem{
		Path: path.String(), Type: field.ErrorTypeDuplicate, Value: value,
		Detail: fmt.Sprintf("%s has it already", by), Fix: "use another",
	}
}

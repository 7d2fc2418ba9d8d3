package plan

import (
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
)

var sourceMalformed = rule.Rule{
	ID: "MK649", Severity: rule.Error, Title: "a source of packets that is neither an address nor a range",
	Reason: "A rule of a security group lets in addresses and ranges in CIDR notation. A range begins with its " +
		"first address.",
	Source: securityGroupsPage,
}

// CheckSources returns what is wrong with sources that become known later than the other arguments.
func CheckSources(sources []string, path *field.Path) []rule.Finding {
	run := &check{}
	run.ranges(sources, path)
	return run.result()
}

func (c *check) ranges(ranges []string, path *field.Path) {
	for i, text := range ranges {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			if prefix != prefix.Masked() {
				c.Report(sourceMalformed, invalid(path.Index(i), text,
					"has host bits set", "write "+prefix.Masked().String()))
			}
			continue
		}
		if _, err := netip.ParseAddr(text); err != nil {
			c.Report(sourceMalformed, invalid(path.Index(i), text,
				"must be an address or a CIDR, 203.0.113.0/24 for example", ""))
		}
	}
}

var servicePortImpossible = rule.Rule{
	ID: "MK650", Severity: rule.Error, Title: "a port of a Service that the load balancer of the pools cannot have",
	Reason: "The load balancer has one rule for each port, at most 300, and forwards the port to a node port from " +
		"30000 to 32767, the range that the security group of the nodes allows.",
	Source: limitsPage + "#load-balancer, " +
		"https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport",
	Mandatory: true,
}

// mostServicePorts leaves room for other rules: Azure has at most 300 load-balancing rules
// for a network interface.
const mostServicePorts = 250

func (c *check) servicePorts(ports []ServicePort, path *field.Path) {
	report := func(p rule.Problem) { c.Report(servicePortImpossible, p) }
	if len(ports) > mostServicePorts {
		report(problemOf(field.TooMany(path, len(ports), mostServicePorts)))
	}
	for i, p := range ports {
		at := path.Index(i)
		if p.Port < 1 || p.Port > 65534 {
			report(invalid(at.Child("port"), p.Port,
				"must be from 1 to 65534", "it is the port that clients connect to"))
		}
		if p.NodePort < 30000 || p.NodePort > 32767 {
			report(invalid(at.Child("nodePort"), p.NodePort,
				"must be from 30000 to 32767", "give the Service the same nodePort"))
		}
		for j, other := range ports[:i] {
			if p.Port == other.Port {
				report(duplicate(at.Child("port"), p.Port, path.Index(j)))
			}
			if p.NodePort == other.NodePort {
				report(duplicate(at.Child("nodePort"), p.NodePort, path.Index(j)))
			}
		}
		c.ranges(p.Sources, at.Child("sources"))
	}
}

func duplicate(path *field.Path, value int, by *field.Path) rule.Problem {
	return rule.Problem{
		Path: path.String(), Type: field.ErrorTypeDuplicate, Value: value,
		Detail: fmt.Sprintf("%s has it already", by), Fix: "use another",
	}
}

package plan

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	identityWithoutIssuer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK867", Severity: rule.Error, Title: "workload identity without the OIDC issuer",
			Page:   rulepages.AKS,
			Reason: "Microsoft Entra ID trusts the tokens of the issuer of a cluster.",
			Fix:    "set options.oidcIssuerProfile.enabled to true",
			Source: aks + "workload-identity-overview",
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			const identity, issuer = "securityProfile.workloadIdentity.enabled", "oidcIssuerProfile.enabled"
			if !isTrue(option(c.Options, identity)) || option(c.Options, issuer) != false {
				return nil
			}
			return []rule.Problem{{
				Path: "options." + identity, Value: true, Detail: "the OIDC issuer of the cluster is off",
			}}
		})},
	}
	networksDiffer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK869", Severity: rule.Error, Title: "subnets of several virtual networks",
			Page:   rulepages.AKSNetworks,
			Reason: "All nodes and pods of a cluster are in one virtual network.",
			Fix:    "use subnets of one network",
			Source: aks + "node-pool-unique-subnet",
		},
		Checks: []engine.Check{engine.On(allSubnets, severalNetworks)},
	}
	optionOutside = engine.Rule{
		Rule: rule.Rule{
			ID: "MK882", Severity: rule.Error, Title: "a number that AKS does not accept",
			Page: rulepages.AKS,
			Reason: "Image Cleaner runs every day to every three months, a cluster has at most 10 certificate authorities, " +
				"and an HTTP proxy at most 20 certificates.",
			Source: aks + "image-cleaner, " + aks + "custom-certificate-authority, " + aks + "http-proxy",
		},
		Checks: []engine.Check{engine.On(programs, outsideOptions)},
	}
	tooManyRanges = engine.Rule{
		Rule: rule.Rule{
			ID: "MK883", Severity: rule.Error, Title: "too many authorized IP ranges",
			Page:   rulepages.AKSNetworks,
			Reason: "An API server accepts 200 authorized ranges, or 2000 with API Server VNet Integration.",
			Source: authorizedPage,
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			most := facts.AKSAuthorizedRanges.Max
			if v := option(c.Options, integration); v != nil && v != false {
				most = facts.AKSAuthorizedRangesInVNet.Max
			}
			n := len(c.APIServer.AuthorizedIPRanges)
			if n <= most {
				return nil
			}
			return []rule.Problem{{
				Path: authorizedIPRanges, Value: n, Detail: fmt.Sprintf("more than %d ranges", most),
				Fix: "join ranges that are next to each other, or use API Server VNet Integration",
			}}
		})},
	}
)

// severalNetworks compares the networks of subnets that are known.
func severalNetworks(s subnets) []rule.Problem {
	var first, path string
	var problems []rule.Problem
	compare := func(at, id string) {
		network, _, isSubnet := strings.Cut(strings.ToLower(id), "/subnets/")
		switch {
		case !isSubnet:
		case first == "":
			first, path = network, at
		case network != first:
			problems = append(problems, rule.Problem{
				Path: at, Value: id, Detail: "not in the virtual network of " + path,
			})
		}
	}
	compare("network.nodeSubnetID", s.network.NodeSubnetID)
	compare("network.podSubnetID", s.network.PodSubnetID)
	seen := map[string]bool{}
	for _, p := range s.pools {
		if seen[p.optionsAt] { // two pools with the same name share their options
			continue
		}
		seen[p.optionsAt] = true
		compare(p.optionsAt+"nodeSubnetID", p.options.NodeSubnetID)
		compare(p.optionsAt+"podSubnetID", p.options.PodSubnetID)
	}
	return problems
}

func outsideOptions(c program) []rule.Problem {
	const cleaner = "securityProfile.imageCleaner."
	var problems []rule.Problem
	hours, known := openInt(option(c.Options, cleaner+"intervalHours"))
	if known && !facts.AKSImageCleanerHours.Has(hours) {
		problems = append(problems, rule.Problem{
			Path: "options." + cleaner + "intervalHours", Value: hours,
			Detail: fmt.Sprintf("not between %d and %d", facts.AKSImageCleanerHours.Min, facts.AKSImageCleanerHours.Max),
			Fix:    "use a number in this range",
		})
	}
	const authorities, certificates = "securityProfile.customCATrustCertificates", "httpProxyConfig.trustedCa"
	if n := len(tree.List(option(c.Options, authorities))); n > facts.AKSCertificates.Max {
		problems = append(problems, rule.Problem{
			Path: "options." + authorities, Value: n,
			Detail: fmt.Sprintf("more than %d certificate authorities", facts.AKSCertificates.Max),
			Fix:    "remove those that nodes do not need",
		})
	}
	bundle, err := base64.StdEncoding.DecodeString(open(option(c.Options, certificates)))
	if n := strings.Count(string(bundle), "-----BEGIN CERTIFICATE-----"); err == nil && n > facts.AKSProxyCertificates.Max {
		problems = append(problems, rule.Problem{
			Path: "options." + certificates, Value: n,
			Detail: fmt.Sprintf("more than %d certificates", facts.AKSProxyCertificates.Max),
			Fix:    "remove those that nodes do not need",
		})
	}
	return problems
}

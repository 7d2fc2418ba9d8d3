package plan

import (
	"encoding/base64"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
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
			ID: "MK882", Severity: rule.Error, Title: "an option that AKS does not accept",
			Page: rulepages.AKS,
			Reason: "Image Cleaner runs every day to every three months, a cluster has at most 10 certificate " +
				"authorities, in PEM and base64, an HTTP proxy at most 20 certificates, and application routing at " +
				"most five DNS zones: the public ones in one resource group, and the private ones in one.",
			Source: aks + "image-cleaner, " + aks + "custom-certificate-authority, " + aks + "http-proxy, " + aks +
				"app-routing",
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
			if c.mayIntegrate() {
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

var (
	securityWithoutCilium = engine.Rule{
		Rule: rule.Rule{
			ID: "MK889", Severity: rule.Error, Title: "network security of Cilium without its dataplane",
			Page: rulepages.AKSNetworks,
			Reason: "Advanced Container Networking Services filter names and protocols with Cilium. Observability " +
				"works without it.",
			Fix:    "set it to false, or use the dataplane cilium in a cluster without Windows pools",
			Source: aks + "advanced-container-networking-services-overview",
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			const path = "networkProfile.advancedNetworking.security.enabled"
			dataplane := option(c.Options, "networkProfile.networkDataplane")
			if !isTrue(option(c.Options, path)) || c.MayExist && dataplane == nil || tree.IsUnknown(dataplane) ||
				tree.Reveal(dataplane) == "cilium" {
				return nil
			}
			return []rule.Problem{{Path: "options." + path, Value: true, Detail: "needs the dataplane cilium"}}
		})},
	}
	addressesOutsideRanges = engine.Rule{
		Rule: rule.Rule{
			ID: "MK890", Severity: rule.Error, Title: "public addresses of nodes with authorized IP ranges",
			Page: rulepages.AKSNetworks,
			Reason: "Nodes with addresses of their own reach the API server from these addresses, which are not " +
				"known before. AKS supports them only from a prefix, which can be one of the ranges.",
			Fix:    "set nodePublicIPPrefixID, and add the range of the prefix; or remove the addresses",
			Source: authorizedPage,
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			var found []rule.Problem
			for _, p := range c.of.pools {
				if len(c.APIServer.AuthorizedIPRanges) > 0 && isTrue(option(p.options.Options, "enableNodePublicIP")) &&
					option(p.options.Options, "nodePublicIPPrefixID") == nil {
					found = append(found, rule.Problem{
						Path: p.optionsAt + "options.enableNodePublicIP", Value: true,
						Detail: "the API server has authorized IP ranges, and these addresses are not of a prefix",
					})
				}
			}
			return found
		})},
	}
	longTermWithOldUbuntu = engine.Rule{
		Rule: rule.Rule{
			ID: "MK891", Severity: rule.Warning, Title: "long-term support with Ubuntu 22.04",
			Page: rulepages.AKS,
			Reason: "AKS supports Ubuntu 22.04 until " + retires(longestOfOld) + ", and long-term support of " +
				"Kubernetes 1.33 and newer lasts longer. Ubuntu without a release is 22.04 before Kubernetes 1.35.",
			Fix:    "set osSKU to Ubuntu2404",
			Source: aks + "upgrade-os-version, " + aks + "long-term-support",
		},
		Checks: []engine.Check{engine.On(programs, oldUbuntu)},
	}
	overlayNameTooLong = engine.Rule{
		Rule: rule.Rule{
			ID: "MK794", Severity: rule.Error, Title: "a name of a network that is too long for the mode overlay",
			Page: rulepages.AKSNetworks,
			Reason: "In mode overlay, the names of the subnet, of its virtual network and of the network's resource " +
				"group become labels of the nodes, which have at most 63 characters.",
			Fix:    "use a network with shorter names",
			Source: aks + "concepts-network-azure-cni-overlay",
		},
		Checks: []engine.Check{engine.On(allSubnets, longNames)},
	}
	subdomainWithoutZone = engine.Rule{
		Rule: rule.Rule{
			ID: "MK892", Severity: rule.Error, Title: "fqdnSubdomain without a private DNS zone of your own",
			Page:   rulepages.AKSNetworks,
			Reason: "The subdomain is a name in a zone of yours, which only a private API server has.",
			Fix:    "use dnsPrefix, or set apiServer.private and the ID of a zone in apiServer.privateDNSZone",
			Source: aks + "private-clusters",
		},
		Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
			name, zone := option(c.Options, "fqdnSubdomain"), c.APIServer.PrivateDNSZone
			if name == nil || c.APIServer.Private && (zone == Later || strings.HasPrefix(zone, "/")) {
				return nil
			}
			found := rule.Problem{Path: "options.fqdnSubdomain", Detail: "the API server has no private DNS zone of " +
				"yours"}
			if text := open(name); text != "" {
				found.Value = text
			}
			return []rule.Problem{found}
		})},
	}
)

// longestOfOld is the osSKU of the release of Ubuntu that ends before long-term support.
const longestOfOld = "Ubuntu2204"

// retires returns the day on which AKS ends its support of an osSKU.
func retires(name string) string {
	sku, _ := facts.SKUNamed(name)
	return sku.Retires
}

// oldUbuntu finds Linux pools with Ubuntu 22.04 in a cluster with long-term support.
func oldUbuntu(c program) []rule.Problem {
	if open(option(c.Options, supportPlan)) != longTermSupport {
		return nil
	}
	var found []rule.Problem
	for _, p := range c.of.pools {
		version, known := kubeversion.Parse(p.KubernetesVersion)
		release, listed := facts.AKSReleaseOf(version)
		if p.Platform != platform.Linux || !known || !listed || release.LTSEnds <= retires(longestOfOld) {
			continue
		}
		osSKU := option(p.options.Options, "osSKU")
		configured := open(osSKU)
		if osSKU == nil {
			configured = ubuntu
		}
		if effectiveSKU(configured, p.KubernetesVersion, p.FIPS) != longestOfOld || p.FIPS {
			continue
		}
		problem := rule.Problem{
			Path: p.optionsAt + "options.osSKU",
			Detail: fmt.Sprintf("AKS supports Ubuntu 22.04 until %s, and the version until %s",
				retires(longestOfOld), release.LTSEnds),
		}
		if osSKU != nil {
			problem.Value = configured
		}
		found = append(found, problem)
	}
	return found
}

// severalNetworks compares the networks of subnets that are known.
func severalNetworks(s subnets) []rule.Problem {
	var first, path string
	var problems []rule.Problem
	for at, id := range s.all() {
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
	return problems
}

// all returns the paths and IDs of the subnets of the cluster and its pools.
func (s subnets) all() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if !yield("network.nodeSubnetID", s.network.NodeSubnetID) ||
			!yield("network.podSubnetID", s.network.PodSubnetID) {
			return
		}
		seen := map[string]bool{}
		for _, p := range s.pools {
			if seen[p.optionsAt] { // two pools with the same name share their options
				continue
			}
			seen[p.optionsAt] = true
			if !yield(p.optionsAt+"nodeSubnetID", p.options.NodeSubnetID) ||
				!yield(p.optionsAt+"podSubnetID", p.options.PodSubnetID) {
				return
			}
		}
	}
}

const beginCertificate = "-----BEGIN CERTIFICATE-----"

func outsideOptions(c program) []rule.Problem {
	const cleaner = "securityProfile.imageCleaner."
	var problems []rule.Problem
	hours, known := openInt(option(c.Options, cleaner+"intervalHours"))
	if known && !facts.AKSImageCleanerHours.Has(hours) {
		problems = append(problems, rule.Problem{
			Path: "options." + cleaner + "intervalHours", Value: hours,
			Detail: fmt.Sprintf("not between %d and %d", facts.AKSImageCleanerHours.Min,
				facts.AKSImageCleanerHours.Max),
			Fix: "use a number in this range",
		})
	}
	all := tree.List(option(c.Options, authorities))
	if n := len(all); n > facts.AKSCertificates.Max {
		problems = append(problems, rule.Problem{
			Path: "options." + authorities, Value: n,
			Detail: fmt.Sprintf("more than %d certificate authorities", facts.AKSCertificates.Max),
			Fix:    "remove those that nodes do not need",
		})
	}
	for i, item := range all {
		text := open(item)
		if content, err := base64.StdEncoding.DecodeString(text); text != "" &&
			(err != nil || !strings.Contains(string(content), beginCertificate)) {
			problems = append(problems, rule.Problem{
				Path:   fmt.Sprintf("options.%s[%d]", authorities, i),
				Detail: "not a certificate in PEM, encoded in base64",
				Fix:    "encode the file of the certificate, with its line BEGIN CERTIFICATE",
			})
		}
	}
	problems = append(problems, routingZones(c)...)
	bundle, err := base64.StdEncoding.DecodeString(open(option(c.Options, certificates)))
	if n := strings.Count(string(bundle), beginCertificate); err == nil && n > facts.AKSProxyCertificates.Max {
		problems = append(problems, rule.Problem{
			Path: "options." + certificates, Value: n,
			Detail: fmt.Sprintf("more than %d certificates", facts.AKSProxyCertificates.Max),
			Fix:    "remove those that nodes do not need",
		})
	}
	return problems
}

// routingZones looks at the DNS zones of application routing.
func routingZones(c program) []rule.Problem {
	const path = "ingressProfile.webAppRouting.dnsZoneResourceIds"
	zones := tree.List(option(c.Options, path))
	if n := len(zones); n > facts.AKSRoutingZones.Max {
		return []rule.Problem{{
			Path: "options." + path, Value: n, Detail: fmt.Sprintf("more than %d zones", facts.AKSRoutingZones.Max),
			Fix: "remove some, or use another controller for their names",
		}}
	}
	var found []rule.Problem
	groups := map[string]string{}
	for i, zone := range zones {
		id := open(zone)
		group, kind, isID := strings.Cut(strings.ToLower(id), "/providers/microsoft.network/")
		kind, _, _ = strings.Cut(kind, "/")
		if first, seen := groups[kind]; isID && seen && first != group {
			found = append(found, rule.Problem{
				Path: fmt.Sprintf("options.%s[%d]", path, i), Value: id,
				Detail: "not in the resource group of another zone",
				Fix:    "use public zones of one resource group, and private zones of one",
			})
		} else if isID {
			groups[kind] = group
		}
	}
	return found
}

func longNames(s subnets) []rule.Problem {
	if s.network.Mode != Overlay {
		return nil
	}
	var found []rule.Problem
	for path, id := range s.all() {
		parts := strings.Split(id, "/")
		for i, part := range parts {
			if i > 0 && len(part) > facts.AKSOverlayNames.Max && slices.ContainsFunc(
				[]string{"resourceGroups", "virtualNetworks", "subnets"},
				func(kind string) bool { return strings.EqualFold(kind, parts[i-1]) }) {
				found = append(found, rule.Problem{
					Path: path, Value: part,
					Detail: fmt.Sprintf("longer than %d characters", facts.AKSOverlayNames.Max),
				})
			}
		}
	}
	return found
}

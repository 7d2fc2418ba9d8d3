package plan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var clusterNameFormat = regexp.MustCompile(`^[A-Za-z0-9]([-_A-Za-z0-9]{0,61}[A-Za-z0-9])?$`)

var (
	clusterNameMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK709", Severity: rule.Error, Title: "a name that is not valid for a cluster",
			Page: rulepages.AKS,
			Reason: "The name has 1 to 63 letters, digits, hyphens and underscores, with a letter or digit at both " +
				"ends.",
			Fix:       anotherName,
			Source:    clusterAPI,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(names, func(name clusterName) []rule.Problem {
			if name == "" || clusterNameFormat.MatchString(string(name)) {
				return nil
			}
			return []rule.Problem{{
				Path: "clusterName", Value: string(name),
				Detail: "a cluster's name has 1 to 63 letters, digits, hyphens and underscores, with a letter or " +
					"digit at both ends",
			}}
		})},
	}
	clusterNameReserved = engine.Rule{
		Rule: rule.Rule{
			ID: "MK718", Severity: rule.Error, Title: "a reserved word in the name of a cluster",
			Page: rulepages.AKS,
			Reason: "Azure refuses a name that contains microsoft or windows, that begins with login or xbox, or " +
				"that is one of its reserved words, such as azure. Case does not matter.",
			Fix: anotherName,
			Source: "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/" +
				"invalidparameter-error, https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/" +
				"error-reserved-resource-name",
		},
		Checks: []engine.Check{engine.On(names, reservedName)},
	}
)

var (
	reservedInside = []string{"microsoft", "windows"}
	reservedFirst  = []string{"login", "xbox"}
	// reservedWords are the reserved words that would otherwise be valid names of a cluster.
	reservedWords = []string{
		"access", "app_code", "app_themes", "app_data", "app_globalresources", "app_localresources",
		"app_webreferences", "app_browsers", "azure", "bing", "bizspark", "biztalk", "cortana", "directx", "dotnet",
		"dynamics", "excel", "exchange", "forefront", "groove", "hololens", "hyperv", "kinect", "lync", "msdn", "o365",
		"office", "office365", "onedrive", "onenote", "outlook", "powerpoint", "sharepoint", "skype", "visio",
		"visualstudio", "xbox",
	}
)

const anotherName = "use another one, for example shop"

func reservedName(name clusterName) []rule.Problem {
	lower := strings.ToLower(string(name))
	var found []rule.Problem
	reserved := func(detail string) {
		found = append(found, rule.Problem{Path: "clusterName", Value: string(name), Detail: detail})
	}
	for _, word := range reservedInside {
		if strings.Contains(lower, word) {
			reserved("Azure refuses names that contain " + word)
		}
	}
	for _, word := range reservedFirst {
		if strings.HasPrefix(lower, word) {
			reserved("Azure refuses names that begin with " + word)
			return found
		}
	}
	if slices.Contains(reservedWords, lower) {
		reserved("Azure has reserved this word")
	}
	return found
}

// maxNodeGroup is the maximum length of the name of a node resource group.
const maxNodeGroup = 80

var (
	nodeGroupTooLong = engine.Rule{
		Rule: rule.Rule{
			ID: "MK719", Severity: rule.Error, Title: "the name of the node resource group is too long",
			Page: rulepages.AKS,
			Reason: "The name has at most 80 characters. By default it is MC_, the resource group, the cluster and " +
				"the region, joined with underscores, and Azure does not shorten it. A name that is an output is " +
				"checked when it is known.",
			Source: "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/" +
				"aks-common-issues-faq, https://aka.ms/aks-naming-rules",
		},
		Checks: []engine.Check{engine.On(nodeGroups, longNodeGroup)},
	}
	nodeGroupOfCluster = engine.Rule{
		Rule: rule.Rule{
			ID: "MK720", Severity: rule.Error, Title: "a node resource group that is the cluster's own group",
			Page: rulepages.AKS,
			Reason: "Azure creates the group for the nodes itself, and removes it with the cluster: it refuses a " +
				"group that already exists.",
			Fix:    "use a name that no group has, or remove it",
			Source: clusterAPI + ", " + aks + "faq",
		},
		Checks: []engine.Check{engine.On(nodeGroups, func(g NodeGroup) []rule.Problem {
			if g.Configured == "" || g.Configured == Later || !strings.EqualFold(g.Configured, g.ResourceGroup) {
				return nil
			}
			return []rule.Problem{{
				Path: nodeGroupPath, Value: g.Configured, Detail: "this is the resource group of the cluster itself",
			}}
		})},
	}
)

// MaxResourceGroup is the maximum length of the name of a resource group
// (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftresources).
const MaxResourceGroup = 90

// NodeGroup has the parts of the name of the node resource group, in which Azure keeps the nodes. Fields that are not
// known are empty.
type NodeGroup struct {
	ResourceGroup, Cluster, Location string
	// Configured is the name that the options set. It is [Later] if it is not known yet.
	Configured string
}

const nodeGroupPath = "options.nodeResourceGroup"

func longNodeGroup(g NodeGroup) []rule.Problem {
	switch {
	case g.Configured == Later:
	case g.Configured != "":
		if n := utf8.RuneCountInString(g.Configured); n > maxNodeGroup {
			return []rule.Problem{{
				Path: nodeGroupPath, Value: g.Configured,
				Detail: fmt.Sprintf("%d characters, and the name of a node resource group has at most %d", n,
					maxNodeGroup),
				Fix: "use a shorter one",
			}}
		}
	case g.ResourceGroup != "" && utf8.RuneCountInString(g.ResourceGroup) <= MaxResourceGroup:
		// A region that is not known counts as empty.
		region := location(g.Location)
		name := "MC_" + g.ResourceGroup + "_" + g.Cluster + "_"
		if utf8.RuneCountInString(name+region) > maxNodeGroup {
			return []rule.Problem{{
				Path: nodeGroupPath,
				Detail: fmt.Sprintf("Azure would name it %s%s, which has more than %d characters", name,
					cmp.Or(region, "REGION"), maxNodeGroup),
				Fix: "set a shorter one, or shorten the name of the resource group or of the cluster",
			}}
		}
	}
	return nil
}

// location returns a region as Azure writes it in names: West Europe is westeurope.
func location(region string) string { return strings.ToLower(strings.ReplaceAll(region, " ", "")) }

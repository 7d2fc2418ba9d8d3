package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// kubeletOnWindows are the kubelet settings that AKS supports on Windows nodes.
var kubeletOnWindows = []string{
	"imageGcHighThreshold", "imageGcLowThreshold", "containerLogMaxSizeMB",
	"containerLogMaxFiles",
}

var (
	trustedLaunchOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK741", Severity: rule.Error, Title: "trusted launch on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "Secure boot and a virtual TPM are for Linux nodes only.",
			Fix:    "remove it",
			Source: aks + "use-trusted-launch",
		},
		Checks: []engine.Check{
			notOnWindows(true, isTrue, "securityProfile.enableSecureBoot", "securityProfile.enableVTPM"),
		},
	}
	artifactStreamingOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK742", Severity: rule.Error, Title: "artifact streaming on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "Images are streamed to Linux nodes only.",
			Fix:    "remove it",
			Source: aks + "artifact-streaming",
		},
		Checks: []engine.Check{notOnWindows(true, isTrue, "artifactStreamingProfile.enabled")},
	}
	gpuPartitionsOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK743", Severity: rule.Error, Title: "GPU partitions on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "Multi-instance GPUs are for Linux nodes only.",
			Fix:    "remove it",
			Source: aks + "gpu-multi-instance",
		},
		Checks: []engine.Check{notOnWindows(nil, isSet, "gpuInstanceProfile")},
	}
	linuxConfigOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK744", Severity: rule.Error, Title: "linuxOSConfig on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "linuxOSConfig sets parameters of the Linux kernel.",
			Fix:    "remove it",
			Source: kubeletConfigPage,
		},
		Checks: []engine.Check{notOnWindows(nil, isSet, "linuxOSConfig")},
	}
	messageOfTheDayOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK745", Severity: rule.Error, Title: "messageOfTheDay on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "The message is the file /etc/motd of Linux. Azure refuses the option for Windows nodes.",
			Fix:    "remove it",
			Source: poolAPI,
		},
		Checks: []engine.Check{notOnWindows(nil, isSet, "messageOfTheDay")},
	}
	runtimeOnWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK746", Severity: rule.Error, Title: "a runtime other than containerd on a Windows pool",
			Page:   rulepages.AKSPools,
			Reason: "Kata and WebAssembly are for Linux nodes only.",
			Fix:    "remove it, or use OCIContainer",
			Source: windowsVsLinux,
		},
		Checks: []engine.Check{engine.On(windowsPools, otherRuntime)},
	}
)

// notOnWindows returns the check that a Windows pool does not have an option for which refused returns true. The value
// is shown, nil if it must not be.
func notOnWindows(value any, refused func(v any) bool, paths ...string) engine.Check {
	return engine.On(windowsPools, func(p pool) []rule.Problem {
		var found []rule.Problem
		for _, path := range paths {
			if refused(option(p.options.Options, path)) {
				found = append(found, rule.Problem{
					Path: p.optionsAt + "options." + path, Value: value, Detail: "not supported on Windows nodes",
				})
			}
		}
		return found
	})
}

func isSet(v any) bool { return v != nil }

func otherRuntime(p pool) []rule.Problem {
	runtime := open(option(p.options.Options, "workloadRuntime"))
	if runtime == "" || runtime == "OCIContainer" {
		return nil
	}
	return []rule.Problem{{
		Path: p.optionsAt + "options.workloadRuntime", Value: runtime, Detail: "Windows nodes run only containerd",
	}}
}

var kubeletSettingOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK747", Severity: rule.Error, Title: "a kubelet setting that Windows nodes do not have",
		Page: rulepages.AKSPools,
		Reason: "On Windows, AKS accepts only the thresholds of image garbage collection, and the size and number of " +
			"log files.",
		Fix:    "remove it; the supported settings are " + strings.Join(kubeletOnWindows, ", "),
		Source: kubeletConfigPage,
	},
	Checks: []engine.Check{engine.On(windowsPools, kubeletSettings)},
}

func kubeletSettings(p pool) []rule.Problem {
	var found []rule.Problem
	config := tree.Map(option(p.options.Options, "kubeletConfig"))
	for _, key := range slices.Sorted(maps.Keys(config)) {
		if tree.Reveal(config[key]) != nil && !slices.Contains(kubeletOnWindows, key) {
			found = append(found, rule.Problem{
				Path: p.optionsAt + "options.kubeletConfig." + key, Detail: "not supported on Windows nodes",
			})
		}
	}
	return found
}

var (
	autoProvisioningWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK781", Severity: rule.Warning, Title: "node auto-provisioning with Windows pools",
			Page: rulepages.AKS,
			Reason: "Microsoft does not support Windows pools in a cluster with node auto-provisioning. The " +
				"documentation does not say that Azure refuses them. Karpenter's provider for Azure, which it is " +
				"based on, has no release with Windows nodes yet.",
			Fix: "use Manual, and the autoscaling of pools",
			Source: aks + "node-auto-provisioning, https://github.com/Azure/karpenter-provider-azure/issues/557, " +
				"https://github.com/Azure/AKS/issues/5203",
		},
		Checks: []engine.Check{optionWithWindows("nodeProvisioningProfile.mode", func(v any, at string) *rule.Problem {
			if open(v) != "Auto" {
				return nil
			}
			return &rule.Problem{
				Value:  "Auto",
				Detail: fmt.Sprintf("Microsoft does not support Windows pools in such a cluster, and %s is one", at),
			}
		})},
	}
	isolatedWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK782", Severity: rule.Error, Title: "a network-isolated cluster with Windows pools",
			Page: rulepages.AKS,
			Reason: "A network-isolated cluster has a private registry with the artifacts that Linux nodes need to " +
				"start. Windows nodes cannot start from this registry.",
			Source: aks + "concepts-network-isolated",
		},
		Checks: []engine.Check{
			optionWithWindows("bootstrapProfile.artifactSource", func(v any, at string) *rule.Problem {
				if open(v) != "Cache" {
					return nil
				}
				return &rule.Problem{Value: "Cache", Detail: notIsolated(at), Fix: "use Direct"}
			}),
			engine.On(networks, isolatedNetwork),
		},
	}
	imageCleanerWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK783", Severity: rule.Warning, Title: "Image Cleaner with Windows pools",
			Page:   rulepages.AKS,
			Reason: "Image Cleaner removes images from Linux nodes only.",
			Source: aks + "image-cleaner",
		},
		Checks: []engine.Check{
			optionWithWindows("securityProfile.imageCleaner.enabled", func(v any, at string) *rule.Problem {
				if !isTrue(v) {
					return nil
				}
				return &rule.Problem{
					Value: true, Detail: "it does nothing on Windows nodes", Fix: "do not rely on it for " + at,
				}
			}),
		},
	}
	authoritiesWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK784", Severity: rule.Warning, Title: "certificate authorities with Windows pools",
			Page:   rulepages.AKS,
			Reason: "AKS adds certificate authorities to the trust store of Linux nodes only.",
			Source: aks + "custom-certificate-authority",
		},
		Checks: []engine.Check{
			optionWithWindows("securityProfile.customCATrustCertificates", func(v any, at string) *rule.Problem {
				if len(tree.List(v)) == 0 {
					return nil
				}
				return &rule.Problem{
					Detail: "AKS does not add the authorities to Windows nodes", Fix: "do not rely on them for " + at,
				}
			}),
		},
	}
	istioWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK785", Severity: rule.Warning, Title: "the Istio add-on with Windows pools",
			Page:   rulepages.AKS,
			Reason: "The proxy of Istio runs in Linux pods only: Windows pods are not part of the mesh.",
			Source: aks + "istio-about",
		},
		Checks: []engine.Check{optionWithWindows("serviceMeshProfile.mode", func(v any, at string) *rule.Problem {
			if open(v) != "Istio" {
				return nil
			}
			return &rule.Problem{
				Value: "Istio", Detail: "its proxy does not run on Windows nodes",
				Fix: "keep the pods of " + at + " out of the mesh",
			}
		})},
	}
	openServiceMeshWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK865", Severity: rule.Warning, Title: "the Open Service Mesh add-on with Windows pools",
			Page: rulepages.AKS,
			Reason: "The proxy of Open Service Mesh runs in Linux pods only: Windows pods are not part of the mesh. " +
				"The project has ended, and AKS supports the add-on until " +
				facts.AKSOptionEnd(openServiceMesh, "").Ends + ".",
			Source: aks + "open-service-mesh-about",
		},
		Checks: []engine.Check{
			optionWithWindows(openServiceMesh, func(v any, at string) *rule.Problem {
				if !isTrue(v) {
					return nil
				}
				return &rule.Problem{
					Value: true, Detail: "its proxy does not run on Windows nodes",
					Fix: "keep the pods of " + at + " out of the mesh",
				}
			}),
		},
	}
	proxyWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK786", Severity: rule.Warning, Title: "an HTTP proxy with Windows pools",
			Page: rulepages.AKS,
			Reason: "Microsoft does not support an HTTP proxy with Windows pools: Azure has created such a cluster, " +
				"and then refused its upgrade.",
			Fix:    "remove it",
			Source: aks + "http-proxy, https://github.com/MicrosoftDocs/azure-aks-docs/issues/37",
		},
		Checks: []engine.Check{optionWithWindows("httpProxyConfig", func(v any, at string) *rule.Problem {
			enabled, known := tree.Bool(tree.At(v, "enabled"))
			if v == nil || known && !enabled {
				return nil
			}
			return &rule.Problem{Detail: fmt.Sprintf("not supported with Windows pools, and %s is one", at)}
		})},
	}
)

// optionWithWindows returns the check that a cluster with Windows pools does not have an option. The problem gets the
// path, and is nil if the value is right; at is a Windows pool.
func optionWithWindows(path string, wrong func(v any, at string) *rule.Problem) engine.Check {
	return engine.On(clusters, func(c withWindows) []rule.Problem {
		at, _ := c.windowsPool()
		found := wrong(option(c.options, path), at)
		if found == nil {
			return nil
		}
		found.Path = "options." + path
		return []rule.Problem{*found}
	})
}

// isolatedNetwork finds an outbound type that is the other way to create a network-isolated cluster.
func isolatedNetwork(n network) []rule.Problem {
	at, ok := n.windowsPool()
	outbound := string(n.network.OutboundType)
	if !ok || !slices.Contains(isolatedTypes, outbound) {
		return nil
	}
	return []rule.Problem{{
		Path: "network.outboundType", Value: outbound, Detail: notIsolated(at),
		Fix: "use another outbound type, for example loadBalancer",
	}}
}

func notIsolated(at string) string {
	return fmt.Sprintf("a network-isolated cluster cannot have Windows nodes, and %s is a Windows pool", at)
}

// openServiceMesh is a path in [facts.AKSOptionEnds].
const openServiceMesh = "addonProfiles.openServiceMesh.enabled"

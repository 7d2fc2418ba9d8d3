package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// kubeletOnWindows are the kubelet settings that AKS supports on Windows nodes.
var kubeletOnWindows = []string{
	"imageGcHighThreshold", "imageGcLowThreshold", "containerLogMaxSizeMB",
	"containerLogMaxFiles",
}

var (
	trustedLaunchOnWindows = rule.Rule{
		ID: "MK741", Severity: rule.Error, Title: "trusted launch on a Windows pool",
		Reason: "Secure boot and a virtual TPM are for Linux nodes only.",
		Source: aks + "use-trusted-launch",
	}
	artifactStreamingOnWindows = rule.Rule{
		ID: "MK742", Severity: rule.Error, Title: "artifact streaming on a Windows pool",
		Reason: "Images are streamed to Linux nodes only.",
		Source: aks + "artifact-streaming",
	}
	gpuPartitionsOnWindows = rule.Rule{
		ID: "MK743", Severity: rule.Error, Title: "GPU partitions on a Windows pool",
		Reason: "Multi-instance GPUs are for Linux nodes only.",
		Source: aks + "gpu-multi-instance",
	}
	linuxConfigOnWindows = rule.Rule{
		ID: "MK744", Severity: rule.Error, Title: "linuxOSConfig on a Windows pool",
		Reason: "linuxOSConfig sets parameters of the Linux kernel.",
		Source: kubeletConfigPage,
	}
	messageOfTheDayOnWindows = rule.Rule{
		ID: "MK745", Severity: rule.Error, Title: "messageOfTheDay on a Windows pool",
		Reason: "The message is the file /etc/motd of Linux. Azure refuses the option for Windows nodes.",
		Source: poolAPI,
	}
	runtimeOnWindows = rule.Rule{
		ID: "MK746", Severity: rule.Error, Title: "a runtime other than containerd on a Windows pool",
		Reason: "Kata and WebAssembly are for Linux nodes only.",
		Source: windowsVsLinux,
	}
)

// optionsOfWindowsPool reports options that a Windows pool cannot have.
func (c *check) optionsOfWindowsPool(p pool) {
	if !p.Platform.IsWindows() {
		return
	}
	at := p.optionsAt + "options."
	not := func(broken rule.Rule, path string, value any) {
		c.Report(broken, rule.Problem{
			Path: at + path, Value: value, Detail: "not supported on Windows nodes", Fix: "remove it",
		})
	}
	for _, path := range []string{"securityProfile.enableSecureBoot", "securityProfile.enableVTPM"} {
		if isTrue(option(p.options.Options, path)) {
			not(trustedLaunchOnWindows, path, true)
		}
	}
	if path := "artifactStreamingProfile.enabled"; isTrue(option(p.options.Options, path)) {
		not(artifactStreamingOnWindows, path, true)
	}
	for _, only := range []struct {
		broken rule.Rule
		path   string
	}{
		{gpuPartitionsOnWindows, "gpuInstanceProfile"},
		{linuxConfigOnWindows, "linuxOSConfig"},
		{messageOfTheDayOnWindows, "messageOfTheDay"},
	} {
		if option(p.options.Options, only.path) != nil {
			not(only.broken, only.path, nil)
		}
	}
	if runtime := open(option(p.options.Options, "workloadRuntime")); runtime != "" && runtime != "OCIContainer" {
		c.Report(runtimeOnWindows, rule.Problem{
			Path: at + "workloadRuntime", Value: runtime, Detail: "Windows nodes run only containerd",
			Fix: "remove it, or use OCIContainer",
		})
	}
	c.kubeletConfig(at+"kubeletConfig", tree.Map(option(p.options.Options, "kubeletConfig")))
}

var kubeletSettingOnWindows = rule.Rule{
	ID: "MK747", Severity: rule.Error, Title: "a kubelet setting that Windows nodes do not have",
	Reason: "On Windows, AKS accepts only the thresholds of image garbage collection, and the size and number of log " +
		"files.",
	Source: kubeletConfigPage,
}

func (c *check) kubeletConfig(path string, config map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		if tree.Reveal(config[key]) != nil && !slices.Contains(kubeletOnWindows, key) {
			c.Report(kubeletSettingOnWindows, rule.Problem{
				Path: path + "." + key, Detail: "not supported on Windows nodes",
				Fix: "remove it; the supported settings are " + strings.Join(kubeletOnWindows, ", "),
			})
		}
	}
}

var (
	autoProvisioningWithWindows = rule.Rule{
		ID: "MK781", Severity: rule.Warning, Title: "node auto-provisioning with Windows pools",
		Reason: "Microsoft does not support Windows pools in a cluster with node auto-provisioning. The " +
			"documentation does not say that Azure refuses them. Karpenter's provider for Azure, which it is based " +
			"on, has no release with Windows nodes yet.",
		Source: aks + "node-auto-provisioning, https://github.com/Azure/karpenter-provider-azure/issues/557, " +
			"https://github.com/Azure/AKS/issues/5203",
	}
	isolatedWithWindows = rule.Rule{
		ID: "MK782", Severity: rule.Error, Title: "a network-isolated cluster with Windows pools",
		Reason: "A network-isolated cluster has a private registry with the artifacts that Linux nodes need to " +
			"start. Windows nodes cannot start from this registry.",
		Source: aks + "concepts-network-isolated",
	}
	imageCleanerWithWindows = rule.Rule{
		ID: "MK783", Severity: rule.Warning, Title: "Image Cleaner with Windows pools",
		Reason: "Image Cleaner removes images from Linux nodes only.",
		Source: aks + "image-cleaner",
	}
	authoritiesWithWindows = rule.Rule{
		ID: "MK784", Severity: rule.Warning, Title: "certificate authorities with Windows pools",
		Reason: "AKS adds certificate authorities to the trust store of Linux nodes only.",
		Source: aks + "custom-certificate-authority",
	}
	istioWithWindows = rule.Rule{
		ID: "MK785", Severity: rule.Warning, Title: "the Istio add-on with Windows pools",
		Reason: "The proxy of Istio runs in Linux pods only: Windows pods are not part of the mesh.",
		Source: aks + "istio-about",
	}
	proxyWithWindows = rule.Rule{
		ID: "MK786", Severity: rule.Warning, Title: "an HTTP proxy with Windows pools",
		Reason: "Microsoft does not support an HTTP proxy with Windows pools: Azure has created such a cluster, and " +
			"then refused its upgrade.",
		Source: aks + "http-proxy, https://github.com/MicrosoftDocs/azure-aks-docs/issues/37",
	}
)

// withWindows reports options that a cluster with Windows pools cannot have.
func (c *check) withWindows() {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	const options = "options."
	if path := "nodeProvisioningProfile.mode"; Provisions(c.options) {
		c.Report(autoProvisioningWithWindows, rule.Problem{
			Path: options + path, Value: "Auto",
			Detail: fmt.Sprintf("Microsoft does not support Windows pools in such a cluster, and %s is one", at),
			Fix:    "use Manual, and the autoscaling of pools",
		})
	}
	if path := "bootstrapProfile.artifactSource"; open(option(c.options, path)) == "Cache" {
		c.Report(isolatedWithWindows,
			rule.Problem{Path: options + path, Value: "Cache", Detail: notIsolated(at), Fix: "use Direct"})
	}
	if path := "securityProfile.imageCleaner.enabled"; isTrue(option(c.options, path)) {
		c.Report(imageCleanerWithWindows,
			rule.Problem{
				Path: options + path, Value: true, Detail: "it does nothing on Windows nodes",
				Fix: "do not rely on it for " + at,
			})
	}
	if path := "securityProfile.customCATrustCertificates"; len(tree.List(option(c.options, path))) > 0 {
		c.Report(authoritiesWithWindows,
			rule.Problem{
				Path: options + path, Detail: "AKS does not add the authorities to Windows nodes",
				Fix: "do not rely on them for " + at,
			})
	}
	if path := "serviceMeshProfile.mode"; open(option(c.options, path)) == "Istio" {
		c.Report(istioWithWindows, rule.Problem{
			Path: options + path, Value: "Istio", Detail: "its proxy does not run on Windows nodes",
			Fix: "keep the pods of " + at + " out of the mesh",
		})
	}
	if path := "httpProxyConfig"; option(c.options, path) != nil {
		if enabled, known := tree.Bool(option(c.options, path+".enabled")); enabled || !known {
			c.Report(proxyWithWindows,
				rule.Problem{
					Path:   options + path,
					Detail: fmt.Sprintf("not supported with Windows pools, and %s is one", at), Fix: "remove it",
				})
		}
	}
}

// isolated checks the outbound type, which is the other way to create a network-isolated cluster.
func (c *check) isolated(path, outbound string) {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	if slices.Contains(isolatedTypes, outbound) {
		c.Report(isolatedWithWindows,
			rule.Problem{
				Path: path, Value: outbound, Detail: notIsolated(at),
				Fix: "use another outbound type, for example loadBalancer",
			})
	}
}

func notIsolated(at string) string {
	return fmt.Sprintf("a network-isolated cluster cannot have Windows nodes, and %s is a Windows pool", at)
}

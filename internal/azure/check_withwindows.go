package azure

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// withWindows looks for options that a cluster with Windows pools cannot have.
func (c *check) withWindows() {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	const options = "options."
	if path := "nodeProvisioningProfile.mode"; open(option(c.options, path)) == "Auto" {
		c.report("MK781", problem{
			path: options + path, value: "Auto", detail: fmt.Sprintf("Microsoft does not support Windows pools in such a cluster, and %s is one", at),
			fix: "use Manual, and the autoscaling of pools",
		})
	}
	if path := "bootstrapProfile.artifactSource"; open(option(c.options, path)) == "Cache" {
		c.report("MK782", problem{path: options + path, value: "Cache", detail: notIsolated(at), fix: "use Direct"})
	}
	if path := "securityProfile.imageCleaner.enabled"; isTrue(option(c.options, path)) {
		c.report("MK783", problem{path: options + path, value: true, detail: "it does nothing on Windows nodes", fix: "do not count on it for " + at})
	}
	if path := "securityProfile.customCATrustCertificates"; len(tree.List(option(c.options, path))) > 0 {
		c.report("MK784", problem{path: options + path, detail: "they are not added on Windows nodes", fix: "do not count on them for " + at})
	}
	if path := "serviceMeshProfile.mode"; open(option(c.options, path)) == "Istio" {
		c.report("MK785", problem{
			path: options + path, value: "Istio", detail: "its proxy does not run on Windows nodes", fix: "keep the pods of " + at + " out of the mesh",
		})
	}
	if path := "httpProxyConfig"; option(c.options, path) != nil {
		if enabled, known := tree.Bool(option(c.options, path+".enabled")); enabled || !known {
			c.report("MK786", problem{path: options + path, detail: fmt.Sprintf("not supported with Windows pools, and %s is one", at), fix: "remove it"})
		}
	}
}

// isolated is the other way to make a network-isolated cluster.
func (c *check) isolated(path, outbound string) {
	at, ok := c.windowsPool()
	if !ok {
		return
	}
	if slices.Contains(isolatedTypes, outbound) {
		c.report("MK782", problem{path: path, value: outbound, detail: notIsolated(at), fix: "use another way out, loadBalancer for example"})
	}
}

func notIsolated(at string) string {
	return fmt.Sprintf("there are no Windows nodes in a network-isolated cluster, and %s is a Windows pool", at)
}

package examples

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// clusterExamples are examples of the API server, and of features that need more than Windows pools have.
var clusterExamples = []Example{
	{
		"ranges of a private API server", func(c *plan.Cluster) {
			c.APIServer = plan.APIServer{Private: true, AuthorizedIPRanges: []string{"203.0.113.0/24"}}
		}, func(c *plan.Cluster) { c.APIServer = plan.APIServer{Private: true} },
		[]string{"error: apiServer.authorizedIPRanges (MK761)"},
	},
	{
		"ranges that are not valid", func(c *plan.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/33", "203.0.113.7", "office", "fe80::1%eth0", ""}
		}, func(c *plan.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/24", "203.0.113.7", "0.0.0.0/32"}
		}, []string{
			"error: apiServer.authorizedIPRanges[0] (MK762)",
			"error: apiServer.authorizedIPRanges[2] (MK762)",
			"error: apiServer.authorizedIPRanges[3] (MK762)",
			"error: apiServer.authorizedIPRanges[4] (MK762)",
		},
	},
	{
		"no accounts", func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
		Both(func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
			Options(obj{"aadProfile": tree.Unknown{}})),
		[]string{"error: apiServer.disableLocalAccounts (MK763)"},
	},

	{
		"node auto-provisioning", Options(obj{"nodeProvisioningProfile": obj{"mode": "Auto"}}),
		Options(obj{"nodeProvisioningProfile": obj{"mode": "Manual"}}),
		[]string{"warning: options.nodeProvisioningProfile.mode (MK781)"},
	},
	{
		"a network-isolated cluster", func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}, Both(LinuxOnly, func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}), []string{"error: network.outboundType (MK782)", "error: options.bootstrapProfile.artifactSource (MK782)"},
	},
	{
		"Image Cleaner", Options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": true}}}),
		Options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": false}}}),
		[]string{"warning: options.securityProfile.imageCleaner.enabled (MK783)"},
	},
	{
		"certificate authorities",
		Options(obj{"securityProfile": obj{"customCATrustCertificates": []any{tree.Unknown{}}}}),
		Options(obj{"securityProfile": obj{"customCATrustCertificates": []any{}}}),
		[]string{"warning: options.securityProfile.customCATrustCertificates (MK784)"},
	},
	{
		"Istio", Options(obj{"serviceMeshProfile": obj{"mode": "Istio"}}),
		Both(LinuxOnly, Options(obj{"serviceMeshProfile": obj{"mode": "Istio"}})),
		[]string{"warning: options.serviceMeshProfile.mode (MK785)"},
	},
	{
		"an HTTP proxy", Options(obj{"httpProxyConfig": obj{"httpProxy": tree.Unknown{}}}),
		Options(obj{"httpProxyConfig": obj{"httpProxy": "http://proxy", "enabled": false}}),
		[]string{"warning: options.httpProxyConfig (MK786)"},
	},
}

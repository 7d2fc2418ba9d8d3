package plan_test

import (
	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// clusterExamples are examples of the API server, and of features that need more than Windows pools have.
var clusterExamples = []example{
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
		both(func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
			options(obj{"aadProfile": tree.Unknown{}})), []string{"error: apiServer.disableLocalAccounts (MK763)"},
	},

	{
		"node auto-provisioning", options(obj{"nodeProvisioningProfile": obj{"mode": "Auto"}}),
		options(obj{"nodeProvisioningProfile": obj{"mode": "Manual"}}),
		[]string{"warning: options.nodeProvisioningProfile.mode (MK781)"},
	},
	{
		"a network-isolated cluster", func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}, both(linuxOnly, func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}), []string{"error: network.outboundType (MK782)", "error: options.bootstrapProfile.artifactSource (MK782)"},
	},
	{
		"Image Cleaner", options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": true}}}),
		options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": false}}}),
		[]string{"warning: options.securityProfile.imageCleaner.enabled (MK783)"},
	},
	{
		"certificate authorities",
		options(obj{"securityProfile": obj{"customCATrustCertificates": []any{tree.Unknown{}}}}),
		options(obj{"securityProfile": obj{"customCATrustCertificates": []any{}}}),
		[]string{"warning: options.securityProfile.customCATrustCertificates (MK784)"},
	},
	{
		"Istio", options(obj{"serviceMeshProfile": obj{"mode": "Istio"}}),
		both(linuxOnly, options(obj{"serviceMeshProfile": obj{"mode": "Istio"}})),
		[]string{"warning: options.serviceMeshProfile.mode (MK785)"},
	},
	{
		"an HTTP proxy", options(obj{"httpProxyConfig": obj{"httpProxy": tree.Unknown{}}}),
		options(obj{"httpProxyConfig": obj{"httpProxy": "http://proxy", "enabled": false}}),
		[]string{"warning: options.httpProxyConfig (MK786)"},
	},
}

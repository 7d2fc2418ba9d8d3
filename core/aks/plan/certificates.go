package plan

import (
	"encoding/base64"
	"fmt"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	authorities  = "securityProfile.customCATrustCertificates"
	certificates = "httpProxyConfig.trustedCa"
)

var certificatesTooLarge = engine.Rule{
	Rule: rule.Rule{
		ID: "MK906", Severity: rule.Warning, Title: "certificates that are too large for a new cluster",
		Page: rulepages.AKS,
		Reason: fmt.Sprintf("Since September 2026, AKS refuses new clusters with more than %d KB of certificates for an "+
			"HTTP proxy or of your own authorities. The finding begins where the files themselves have more.",
			facts.AKSCertificateKB),
		Fix:    "remove those that nodes do not need",
		Source: aks + "custom-certificate-authority, https://github.com/Azure/AKS/pull/5948",
	},
	Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
		var found []rule.Problem
		for _, path := range []string{authorities, certificates} {
			// The certificates of a proxy are one text.
			all := append(tree.List(option(c.Options, path)), option(c.Options, path))
			size := 0
			for _, item := range all {
				content, _ := base64.StdEncoding.DecodeString(open(item))
				size += len(content)
			}
			if size > facts.AKSCertificateKB<<10 {
				found = append(found, rule.Problem{
					Path: "options." + path, Value: size, Detail: fmt.Sprintf("more than %d KB", facts.AKSCertificateKB),
				})
			}
		}
		return found
	})},
}

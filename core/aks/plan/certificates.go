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
		Reason: fmt.Sprintf("Since September 2026, AKS refuses new clusters with more than %d KB of certificates for "+
			"an HTTP proxy or of your own authorities. The finding begins where the files themselves have more.",
			facts.AKSCertificateKB),
		Fix:    "remove those that nodes do not need",
		Source: aks + "custom-certificate-authority, https://github.com/Azure/AKS/pull/5948",
	},
	Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
		var found []rule.Problem
		for _, path := range []string{authorities, certificates} {
			value := option(c.Options, path)
			// The certificates of a proxy are one text.
			size := sizeOf(value)
			for _, item := range tree.List(value) {
				size += sizeOf(item)
			}
			if size > facts.AKSCertificateKB<<10 {
				found = append(found, rule.Problem{
					Path: "options." + path, Value: size,
					Detail: fmt.Sprintf("more than %d KB", facts.AKSCertificateKB),
				})
			}
		}
		return found
	})},
}

// sizeOf returns how many bytes a text in base64 has, and 0 for anything else.
func sizeOf(text any) int {
	content, _ := base64.StdEncoding.DecodeString(open(text))
	return len(content)
}

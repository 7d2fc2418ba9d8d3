package azure

import (
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

// versionRules are about the version of Kubernetes.
var versionRules = []preflight.Rule{
	{
		ID: "MK710", Severity: preflight.Error, Title: "a cluster without a version of Kubernetes",
		Reason: "Azure's default changes with time, and with it which Windows releases there can be.",
		Source: versionsPage,
	},
	{
		ID: "MK711", Severity: preflight.Warning, Title: "a version of Kubernetes that this library does not know in AKS",
		Reason: "Azure may have it, and may have other rules for it.",
		Source: versionsPage,
	},
}

// oldestKnown and newestKnown are the versions that the rules were compared with.
var oldestKnown, newestKnown = kubeversion.Version{Major: 1, Minor: 32}, kubeversion.Version{Major: 1, Minor: 37}

// Package sources names the pages and files that rules come from.
package sources

// The sources that several rules have.
const (
	// APIValidation is where the API server refuses what the MK1xx rules describe.
	APIValidation    = "pkg/apis/core/validation/validation.go of Kubernetes 1.36.3"
	WindowsOptionsIn = ", validateWindowsSecurityContextOptions"
	HostProcessIn    = ", validateWindowsHostProcessPod"
	// NodeValidation is where the API server validates a RuntimeClass.
	NodeValidation = "pkg/apis/node/validation/validation.go of Kubernetes 1.36.3"

	ClassAdmission       = "plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36.3"
	PodSecurity          = "k8s.io/pod-security-admission v0.36.3, policy/"
	PodSecurityStandards = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
	GmsaWebhook          = "https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/#install-webhooks-to-validate-gmsa-users"
	NodeLabels           = "https://kubernetes.io/docs/reference/labels-annotations-taints/"
	NanoServer           = NoShell + ", https://github.com/aspnet/aspnet-docker/issues/362"
	NoShell              = "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images"

	HostProcessGuide     = "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/"
	VersionCompatibility = WindowsIntro + "#windows-os-version-support"
	WindowsFields        = WindowsIntro + "#compatibility-v1-pod-spec-containers"
	WindowsGuide         = "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host"
	WindowsIntro         = "https://kubernetes.io/docs/concepts/windows/intro/"
	WindowsPodFields     = WindowsIntro + "#compatibility-v1-pod"
	WindowsResources     = "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/"
	WindowsServices      = "https://kubernetes.io/docs/concepts/services-networking/windows-networking/#load-balancing-and-services"
	WindowsStorage       = "https://kubernetes.io/docs/concepts/storage/windows-storage/"
)

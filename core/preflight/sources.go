package preflight

// Sources of rules.
const (
	// nodeValidation is where the API server validates a RuntimeClass.
	nodeValidation = "pkg/apis/node/validation/validation.go of Kubernetes 1.36.3"

	classAdmission       = "plugin/pkg/admission/runtimeclass/admission.go of Kubernetes 1.36.3"
	podSecurity          = "k8s.io/pod-security-admission v0.36.3, policy/"
	podSecurityStandards = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
	gmsaWebhook          = "https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/#install-webhooks-to-validate-gmsa-users"
	nodeLabels           = "https://kubernetes.io/docs/reference/labels-annotations-taints/"
	nanoServer           = noShell + ", https://github.com/aspnet/aspnet-docker/issues/362"
	noShell              = "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images"

	hostProcessGuide     = "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/"
	versionCompatibility = windowsIntro + "#windows-os-version-support"
	windowsFields        = windowsIntro + "#compatibility-v1-pod-spec-containers"
	windowsGuide         = "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host"
	windowsIntro         = "https://kubernetes.io/docs/concepts/windows/intro/"
	windowsPodFields     = windowsIntro + "#compatibility-v1-pod"
	windowsResources     = "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/"
	windowsServices      = "https://kubernetes.io/docs/concepts/services-networking/windows-networking/#load-balancing-and-services"
	windowsStorage       = "https://kubernetes.io/docs/concepts/storage/windows-storage/"
)

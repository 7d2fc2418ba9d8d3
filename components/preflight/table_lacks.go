package preflight

const gmsaWebhook = "https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/#install-webhooks-to-validate-gmsa-users"

// lackRules are about objects that need a feature which the topology says the cluster
// lacks.
var lackRules = []Rule{
	{
		ID: "MK801", Severity: Error, Title: "a Service of type LoadBalancer where nothing gives it an address",
		Reason: "Kubernetes has no load balancer of its own: a controller of the cloud, or one that you install, gives such a Service its address. The topology says that the cluster has none (lacks: load-balancers), so kubectl shows <pending> for ever, and Pulumi waits for ten minutes and fails. A Service with a loadBalancerClass names its controller, and is left alone.",
		Source: "https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer",
	},
	{
		ID: "MK802", Severity: Warning, Title: "a HorizontalPodAutoscaler where nothing serves the metrics of pods",
		Reason: "It scales by CPU or memory, which Metrics Server serves. The topology says that the cluster has none (lacks: resource-metrics), so the autoscaler reports FailedGetResourceMetric, and the number of pods never changes.",
		Source: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#support-for-metrics-apis",
	},
	{
		ID: "MK803", Severity: Error, Title: "a hostPort that the network of the Windows nodes does not map",
		Reason: "The CNI plugin of a network maps ports of the node to containers. That of flannel for Windows, win-overlay, does not. The topology says so (lacks: windows-host-ports): the pod starts, and nothing answers at the port.",
		Source: "https://github.com/containernetworking/plugins, plugins/main/windows/win-overlay; https://www.cni.dev/plugins/current/meta/portmap/",
	},
	{
		ID: "MK804", Severity: Warning, Title: "a Group Managed Service Account without its webhook",
		Reason: "Only the admission webhook of windows-gmsa replaces gmsaCredentialSpecName by the credential spec itself, which the kubelet gives to the container. The topology says that the cluster has none (lacks: gmsa-webhook): the pod starts without its identity, and the first access to a share or a database fails.",
		Source: gmsaWebhook,
	},
	{
		ID: "MK805", Severity: Info, Title: "a Group Managed Service Account whose webhook may be missing",
		Reason: "As MK804, where there is no topology that says whether the cluster has the webhook.",
		Source: gmsaWebhook,
	},
}

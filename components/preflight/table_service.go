package preflight

const windowsServices = "https://kubernetes.io/docs/concepts/services-networking/windows-networking/#load-balancing-and-services"

// serviceRules are about Services that select Windows pods.
var serviceRules = []Rule{
	{
		ID: "MK601", Severity: Warning, Title: "externalTrafficPolicy Local with Windows pods",
		Reason: "kube-proxy on Windows keeps traffic local, and with it the client's address, in the mode of direct server return only (--enable-dsr).",
		Source: windowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, newServiceInfo",
	},
	{
		ID: "MK602", Severity: Warning, Title: "sessionAffinity ClientIP before Windows Server 2022",
		Reason: "Windows keeps the requests of a client at one pod from Windows Server 2022 on. kube-proxy on older nodes ignores the setting.",
		Source: windowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, syncProxyRules",
	},
	{
		ID: "MK603", Severity: Warning, Title: "a Service of more than 1024 Windows endpoints",
		Reason: "The load balancer of a Windows node takes at most 1024 endpoints for a Service.",
		Source: windowsServices,
	},
}

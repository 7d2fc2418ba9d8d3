package bootstrap

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

const (
	// apiServerPort is where the API server of each node of the control plane listens.
	// The endpoint's port may be another one: that of a load balancer.
	apiServerPort = 6443
	clusterDomain = "cluster.local"

	linuxPatches   = "/etc/mixedkube/kubeadm/patches"
	windowsPatches = "C:/mixedkube/kubeadm/patches"

	linuxSocket   = "unix:///run/containerd/containerd.sock"
	windowsSocket = "npipe:////./pipe/containerd-containerd"
	windowsCA     = "C:/etc/kubernetes/pki/ca.crt"
)

// kubeadmConfig returns the file for kubeadm's --config, of the version v1beta4 that kubeadm
// 1.31 and newer read (https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/).
// It holds secrets.
func kubeadmConfig(m machine) string {
	if !m.first {
		return yamlDocuments(joinConfigurationOf(m))
	}
	return yamlDocuments(
		initConfigurationOf(m),
		clusterConfigurationOf(m),
		// All nodes read this from the cluster; what differs between them is in their
		// patches. A kubelet on Windows ignores the driver.
		kubeletConfiguration{
			typeMeta:      typeMeta{APIVersion: kubeletAPIVersion, Kind: kubeletKind},
			CgroupDriver:  "systemd",
			ClusterDNS:    []string{m.network.DNSServiceIP.String()},
			ClusterDomain: clusterDomain,
		},
		// iptables is today's default: written down, an upgrade of Kubernetes does not
		// change it. kubeadm runs kube-proxy on Linux nodes only. With Antrea they have
		// it as well (network.AntreaConfig has proxyAll on Windows only).
		kubeProxyConfiguration{
			typeMeta:    typeMeta{APIVersion: "kubeproxy.config.k8s.io/v1alpha1", Kind: "KubeProxyConfiguration"},
			ClusterCIDR: m.network.PodCIDR.String(),
			Mode:        "iptables",
		},
	)
}

func initConfigurationOf(m machine) initConfiguration {
	config := initConfiguration{
		typeMeta:         kubeadmMeta("InitConfiguration"),
		NodeRegistration: nodeRegistrationOf(m),
		LocalAPIEndpoint: localAPIEndpoint(m),
		CertificateKey:   m.join.CertificateKey,
		Patches:          patches{Directory: linuxPatches},
	}
	if m.join.Token != "" {
		config.BootstrapTokens = []bootstrapToken{{
			Token:       m.join.Token,
			Description: "Lets the first nodes join.",
			TTL:         "24h0m0s",
			Usages:      m.tokenUsages(),
			Groups:      []string{"system:bootstrappers:kubeadm:default-node-token"},
		}}
	}
	return config
}

func clusterConfigurationOf(m machine) clusterConfiguration {
	config := clusterConfiguration{
		typeMeta:             kubeadmMeta("ClusterConfiguration"),
		KubernetesVersion:    "v" + m.controlPlane.Version,
		ControlPlaneEndpoint: m.endpoint,
		Networking: networking{
			ServiceSubnet: m.network.ServiceCIDR.String(),
			PodSubnet:     m.network.PodCIDR.String(),
			DNSDomain:     clusterDomain,
		},
		APIServer: m.apiServer.component(),
		Scheduler: component{[]arg{{profilingArg, "false"}}},
	}
	// Given a podSubnet, kubeadm has the controller manager give each node a range of
	// it. Where others choose the ranges, spec.podCIDR would be wrong.
	if m.network.Kind.Allocated() {
		config.ControllerManager.ExtraArgs = []arg{{"node-cidr-mask-size-ipv4", strconv.Itoa(m.network.NodeMaskSize)}}
	} else {
		config.ControllerManager.ExtraArgs = []arg{{"allocate-node-cidrs", "false"}}
	}
	if m.join.Certificates.replaceable() {
		config.ControllerManager.ExtraArgs = append(config.ControllerManager.ExtraArgs,
			arg{"cluster-signing-cert-file", linuxKubernetesPKI + "/" + signerFile})
	}
	config.ControllerManager.ExtraArgs = append(config.ControllerManager.ExtraArgs, arg{profilingArg, "false"})
	return config
}

func joinConfigurationOf(m machine) joinConfiguration {
	config := joinConfiguration{
		typeMeta:         kubeadmMeta("JoinConfiguration"),
		NodeRegistration: nodeRegistrationOf(m),
		Discovery:        discoveryOf(m),
		Patches:          patches{Directory: linuxPatches},
	}
	if m.ControlPlane {
		config.ControlPlane = &joinControlPlane{
			LocalAPIEndpoint: localAPIEndpoint(m),
			CertificateKey:   m.join.CertificateKey,
		}
	}
	if m.pool.Platform.IsWindows() {
		config.CACertPath = windowsCA
		// The script waits for the kubelet itself, longer than kubeadm would.
		config.SkipPhases = []string{"kubelet-wait-bootstrap"}
		config.Patches.Directory = windowsPatches
	}
	return config
}

func localAPIEndpoint(m machine) apiEndpoint {
	return apiEndpoint{AdvertiseAddress: m.Address.String(), BindPort: apiServerPort}
}

func nodeRegistrationOf(m machine) nodeRegistration {
	registration := nodeRegistration{
		Name:      m.Name,
		CRISocket: linuxSocket,
		Taints:    taintsOf(m),
		// node-ip, as a machine may have several addresses, and the routes are to this one.
		KubeletExtraArgs: []arg{{"node-ip", m.Address.String()}},
	}
	if labels := nodeLabels(m); len(labels) > 0 {
		registration.KubeletExtraArgs = append(registration.KubeletExtraArgs,
			arg{"node-labels", strings.Join(labels, ",")})
	}
	if m.pool.Platform.IsWindows() {
		registration.CRISocket = windowsSocket
		// There is no field for it in KubeletConfiguration.
		registration.KubeletExtraArgs = append(registration.KubeletExtraArgs,
			arg{"windows-priorityclass", cmp.Or(m.kubelet.PriorityClass, defaultPriorityClass)})
	}
	return registration
}

// taintsOf returns the pool's taints, and on the control plane kubeadm's own as well, unless the
// pool is to have none: a cluster of one machine needs that.
func taintsOf(m machine) []taint {
	taints := []taint{}
	for _, t := range m.pool.Taints {
		taints = append(taints, taint{t.Key, t.Value, string(t.Effect)})
	}
	controlPlane := taint{Key: "node-role.kubernetes.io/control-plane", Effect: string(corev1.TaintEffectNoSchedule)}
	if m.ControlPlane && !m.pool.Untainted && !slices.Contains(taints, controlPlane) {
		taints = append(taints, controlPlane)
	}
	return taints
}

// nodeLabels returns the pool's own labels, which the topology's validation has limited to
// those that a kubelet may set itself (admission plugin NodeRestriction), and the size,
// which topology.Pool.NodeLabels promises and no cloud provider sets here.
func nodeLabels(m machine) []string {
	labels := maps.Clone(m.pool.Labels)
	if size := m.pool.Size; size != "" && len(validation.IsValidLabelValue(size)) == 0 {
		if labels == nil {
			labels = map[string]string{}
		}
		labels[corev1.LabelInstanceTypeStable] = size
	}
	pairs := make([]string, 0, len(labels))
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, key+"="+labels[key])
	}
	return pairs
}

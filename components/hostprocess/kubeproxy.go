package hostprocess

import (
	"cmp"
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	kubeProxyToken = "mixedkube:hostprocess:KubeProxy"
	kubeProxyName  = "kube-proxy-windows"
	kubeSystem     = "kube-system"
	// kubeadmAccount is the account that kubeadm creates for its own kube-proxy.
	kubeadmAccount = "kube-proxy"
)

// KubeProxyArgs are the arguments of [NewKubeProxy].
type KubeProxyArgs struct {
	// Network is the network of the pods. Its defaults need not be applied.
	Network network.Network `pulumi:"network"`

	// Endpoint is the address of the API server that all nodes reach, host:port,
	// api.example.com:6443 for example. Required. An output is checked when it is known.
	Endpoint pulumi.StringInput `pulumi:"endpoint"`

	// OwnServiceAccount creates a ServiceAccount kube-proxy-windows, with what the
	// ClusterRole system:node-proxier allows, for clusters in which kubeadm has
	// installed no kube-proxy. By default the pods run with kubeadm's, kube-proxy.
	OwnServiceAccount bool `pulumi:"ownServiceAccount,optional"`

	// Image is the image of the containers, which use only its manifest: [DefaultImage] by
	// default. It is for mirrors.
	Image string `pulumi:"image,optional"`
}

// check returns the endpoint, and everything that is wrong.
func (a *KubeProxyArgs) check(subject string) (pulumi.StringPtrInput, field.ErrorList) {
	errs := a.Network.Validate(field.NewPath("network"))
	if n := a.Network.WithDefaults(); n.Kind.Valid() && !n.KubeProxyWindows().Needed {
		errs = append(errs, field.Invalid(field.NewPath("network", "kind"), string(n.Kind),
			"has an agent that replaces kube-proxy on Windows nodes: leave kube-proxy out, or choose another kind"))
	}
	endpoint, wrong := endpointOf(subject, a.Endpoint)
	errs = append(errs, wrong...)
	return endpoint, append(errs, refusal.Image(a.Image, field.NewPath("image"))...)
}

// KubeProxy is kube-proxy on the Windows nodes of a cluster.
type KubeProxy struct {
	pulumi.ResourceState

	// DaemonSet is kube-system/kube-proxy-windows.
	DaemonSet *appsv1.DaemonSet
}

// NewKubeProxy runs kube-proxy on the Windows nodes of a cluster that kubeadm has created:
// there kubeadm's own DaemonSet runs on Linux nodes only. It is a DaemonSet of
// host-process containers that run the node's C:\k\kube-proxy.exe in mode kernelspace,
// configured for the kind of network: see [network.Defaulted.KubeProxyWindows].
//
// The pods wait for the network to appear on their node, for ten minutes at a time. In an
// overlay they then take an address of the node's range for kube-proxy, that of Calico's
// endpoint or one of host-local, the same after each restart.
//
// On a node of Kubernetes 1.32 or older kube-proxy gets the feature gate WinDSR, without
// which it does not start there. A newer one gets no gate.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then. A network that needs no kube-proxy is an error as well.
func NewKubeProxy(
	ctx *pulumi.Context, name string, args *KubeProxyArgs, opts ...pulumi.ResourceOption,
) (*KubeProxy, error) {
	if args == nil {
		args = &KubeProxyArgs{}
	}
	subject := fmt.Sprintf("%s %q", kubeProxyToken, name)
	split, wrong := runs(kubeProxyToken, name, daemonSetType, "-daemonset").Split(opts)
	endpoint, errs := args.check(subject)
	if err := fielderrors.Join(subject, append(wrong, errs...)); err != nil {
		return nil, err
	}

	proxy := &KubeProxy{}
	if err := ctx.RegisterComponentResource(kubeProxyToken, name, proxy, split.Component...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, proxy, map[string]bool{
		"HostProcessImage": args.Image == "",
	}); err != nil {
		return nil, err
	}
	inside := pulumi.Parent(proxy)
	account, err := newKubeProxyAccount(ctx, name, args.OwnServiceAccount, inside)
	if err != nil {
		return nil, err
	}
	pods := hostProcess{
		agent:  agent{name: kubeProxyName, namespace: pulumi.String(kubeSystem), serviceAccount: account},
		image:  cmp.Or(args.Image, DefaultImage),
		script: "kube-proxy.ps1",
		env:    corev1.EnvVarArray{fromField("NODE_NAME", "spec.nodeName")},
	}
	n := args.Network.WithDefaults()
	pods.config, err = newConfigMap(ctx, name+"-config", kubeProxyName, pods.namespace, pulumi.StringMap{
		"config.json":     pulumi.String(kubeProxyConfig(n, pods.windowsPath("kubeconfig.json"))),
		"kubeconfig.json": kubeconfigTo(endpoint),
		"settings.json":   pulumi.String(kubeProxySettingsOf(n)),
		"kube-proxy.ps1":  pulumi.String(script("kube-proxy.ps1")),
		"node.ps1":        pulumi.String(script("node.ps1")),
	}, inside)
	if err != nil {
		return nil, err
	}
	proxy.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", pods.daemonSet(), split.Main(inside)...)
	if err != nil {
		return nil, err
	}
	return proxy, ctx.RegisterResourceOutputs(proxy, pulumi.Map{})
}

// newKubeProxyAccount returns the name of the ServiceAccount that the pods run with.
func newKubeProxyAccount(
	ctx *pulumi.Context, name string, own bool, inside pulumi.ResourceOption,
) (pulumi.StringInput, error) {
	if !own {
		return pulumi.String(kubeadmAccount), nil
	}
	account, err := corev1.NewServiceAccount(ctx, name+"-account", &corev1.ServiceAccountArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(kubeProxyName), Namespace: pulumi.String(kubeSystem)},
	}, inside)
	if err != nil {
		return nil, err
	}
	_, err = rbacv1.NewClusterRoleBinding(ctx, name+"-binding", &rbacv1.ClusterRoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(kubeProxyName)},
		RoleRef:  roleRef("system:node-proxier"),
		Subjects: subjects(account),
	}, inside)
	return account.Metadata.Name().Elem(), err
}

func roleRef(clusterRole string) rbacv1.RoleRefArgs {
	return rbacv1.RoleRefArgs{
		ApiGroup: pulumi.String("rbac.authorization.k8s.io"),
		Kind:     pulumi.String("ClusterRole"),
		Name:     pulumi.String(clusterRole),
	}
}

func subjects(account *corev1.ServiceAccount) rbacv1.SubjectArray {
	return rbacv1.SubjectArray{rbacv1.SubjectArgs{
		Kind:      pulumi.String("ServiceAccount"),
		Name:      account.Metadata.Name().Elem(),
		Namespace: account.Metadata.Namespace(),
	}}
}

// kubeProxyConfiguration is a KubeProxyConfiguration of kubeproxy.config.k8s.io/v1alpha1
// with what is not left to its defaults.
type kubeProxyConfiguration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// HostnameOverride is the name of the node. The script adds it.
	HostnameOverride string           `json:"hostnameOverride"`
	ClientConnection clientConnection `json:"clientConnection"`
	Mode             string           `json:"mode"`
	ClusterCIDR      string           `json:"clusterCIDR"`
	Winkernel        winkernel        `json:"winkernel"`
	// FeatureGates depend on the version of the node's kube-proxy. The script adds them.
	FeatureGates map[string]bool `json:"featureGates"`
}

type clientConnection struct {
	Kubeconfig string `json:"kubeconfig"`
}

type winkernel struct {
	NetworkName         string `json:"networkName"`
	RootHNSEndpointName string `json:"rootHnsEndpointName"`
	// SourceVIP is for overlays, and differs on each node. The script adds it.
	SourceVIP string `json:"sourceVip"`
	EnableDSR bool   `json:"enableDSR"`
}

// kubeProxySettings are what the script needs to know beside the configuration.
type kubeProxySettings struct {
	NeedsSourceVIP    bool   `json:"needsSourceVIP"`
	SourceVIPEndpoint string `json:"sourceVIPEndpoint"`
	WinDSRSince       string `json:"winDSRSince"`
}

// winDSRSince is the first version of Kubernetes with the gate WinDSR on. An older
// kube-proxy refuses enableDSR without the gate (k8s.io/kubernetes v1.32.0,
// pkg/proxy/winkernel/proxier.go, NewProxier); from 1.34 on the gate is locked, and can go
// (pkg/features/kube_features.go).
const winDSRSince = "1.33"

func kubeProxyConfig(n network.Defaulted, kubeconfigFile string) string {
	windows := n.KubeProxyWindows()
	return text(kubeProxyConfiguration{
		APIVersion:       "kubeproxy.config.k8s.io/v1alpha1",
		Kind:             "KubeProxyConfiguration",
		ClientConnection: clientConnection{kubeconfigFile},
		Mode:             "kernelspace",
		ClusterCIDR:      n.PodCIDR.String(),
		Winkernel: winkernel{
			NetworkName:         windows.NetworkName,
			RootHNSEndpointName: windows.RootHNSEndpointName,
			EnableDSR:           windows.EnableDSR,
		},
		FeatureGates: map[string]bool{},
	})
}

func kubeProxySettingsOf(n network.Defaulted) string {
	windows := n.KubeProxyWindows()
	return text(kubeProxySettings{windows.NeedsSourceVIP, windows.SourceVIPEndpoint, winDSRSince})
}

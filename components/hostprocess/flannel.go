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

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	flannelToken = "mixedkube:hostprocess:Flannel"
	// The names are those of flannel's own manifest, so that two never exist.
	flannelNamespace = "kube-flannel"
	flannelName      = "flannel"
	flannelLinux     = "kube-flannel-ds"
	flannelWindows   = "kube-flannel-windows"

	// DefaultFlannelImage belongs to the release of flannel whose program the Windows nodes
	// should run as well.
	DefaultFlannelImage = facts.FlannelImage
	// DefaultFlannelPluginImage is the image of the CNI plugin that this release names.
	DefaultFlannelPluginImage = facts.FlannelPluginImage
)

// FlannelArgs are the arguments of [NewFlannel].
type FlannelArgs struct {
	// Network is the network of the pods, of the kind flannel-vxlan. Its defaults need not be
	// applied.
	Network network.Network `pulumi:"network"`

	// Endpoint is the address of the API server that all nodes reach, host:port,
	// api.example.com:6443 for example. Required. An output is checked when it is known.
	Endpoint pulumi.StringInput `pulumi:"endpoint"`

	// Image is the image of flanneld on Linux nodes: [DefaultFlannelImage] by default.
	Image string `pulumi:"image,optional"`

	// PluginImage is the image of the CNI plugin on Linux nodes: [DefaultFlannelPluginImage] by
	// default.
	PluginImage string `pulumi:"pluginImage,optional"`

	// WindowsImage is the image of the containers on Windows nodes, which use only its
	// manifest: [DefaultImage] by default. It is for mirrors.
	WindowsImage string `pulumi:"windowsImage,optional"`
}

// check returns the endpoint, and everything that is wrong.
func (a *FlannelArgs) check(subject string) (pulumi.StringPtrInput, field.ErrorList) {
	errs := a.Network.Validate(field.NewPath("network"))
	if kind := a.Network.WithDefaults().Kind; kind.Valid() && kind != network.FlannelVXLAN {
		errs = append(errs, field.Invalid(field.NewPath("network", "kind"), string(kind),
			fmt.Sprintf("has no flannel: leave it out, or choose %s", network.FlannelVXLAN)))
	}
	endpoint, wrong := endpointOf(subject, a.Endpoint)
	errs = append(errs, wrong...)
	errs = append(errs, refusal.Image(a.Image, field.NewPath("image"))...)
	errs = append(errs, refusal.Image(a.PluginImage, field.NewPath("pluginImage"))...)
	return endpoint, append(errs, refusal.Image(a.WindowsImage, field.NewPath("windowsImage"))...)
}

// Flannel is flannel on the nodes of a cluster.
type Flannel struct {
	pulumi.ResourceState

	// Linux is kube-flannel/kube-flannel-ds.
	Linux *appsv1.DaemonSet
	// Windows is kube-flannel/kube-flannel-windows.
	Windows *appsv1.DaemonSet
}

// flannelSpec is the arguments with the endpoint that is checked.
type flannelSpec struct {
	FlannelArgs

	endpoint pulumi.StringPtrInput
}

// NewFlannel runs flannel on the Linux and the Windows nodes of a cluster whose network
// is flannel-vxlan: in containers of flannel's own images on Linux, and on Windows in
// host-process containers that run the node's C:\k\flanneld.exe. All nodes have the
// configuration of [network.Defaulted.FlannelConfig], and get their ranges from Kubernetes:
// the kube-controller-manager must allocate them, see [network.Kind.Allocated].
//
// On Windows the CNI configuration is written when the network exists. It is the one of
// [network.Defaulted.CNIConfig], the same as the bootstrap's.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewFlannel(ctx *pulumi.Context, name string, args *FlannelArgs, opts ...pulumi.ResourceOption) (*Flannel, error) {
	if args == nil {
		args = &FlannelArgs{}
	}
	subject := fmt.Sprintf("%s %q", flannelToken, name)
	split, wrong := childoptions.Component{
		Token: flannelToken, Name: name,
		Others: []childoptions.Child{
			{Type: daemonSetType, Name: name + "-linux"}, {Type: daemonSetType, Name: name + "-windows"},
		},
		Timeouts: childoptions.Start(childoptions.WindowsStart),
	}.Split(opts)
	endpoint, errs := args.check(subject)
	if err := fielderrors.Join(subject, append(wrong, errs...)); err != nil {
		return nil, err
	}
	configured := flannelSpec{*args, endpoint}

	flannel := &Flannel{}
	if err := ctx.RegisterComponentResource(flannelToken, name, flannel, split.Component...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, flannel, map[string]bool{
		"FlannelImage": args.Image == "", "FlannelPluginImage": args.PluginImage == "",
		"HostProcessImage": args.WindowsImage == "",
	}); err != nil {
		return nil, err
	}
	inside := pulumi.Parent(flannel)
	account, err := newFlannelAccount(ctx, name, inside)
	if err != nil {
		return nil, err
	}
	if flannel.Linux, err = newFlannelLinux(ctx, name, configured, account, split, inside); err != nil {
		return nil, err
	}
	if flannel.Windows, err = newFlannelWindows(ctx, name, configured, account, split, inside); err != nil {
		return nil, err
	}
	return flannel, ctx.RegisterResourceOutputs(flannel, pulumi.Map{})
}

// newFlannelAccount creates the namespace and the ServiceAccount of all pods in it, which
// may record a node's addresses at the node.
func newFlannelAccount(ctx *pulumi.Context, name string, inside pulumi.ResourceOption) (*corev1.ServiceAccount, error) {
	namespace, err := corev1.NewNamespace(ctx, name+"-namespace", &corev1.NamespaceArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name:   pulumi.String(flannelNamespace),
			Labels: pulumi.StringMap{"pod-security.kubernetes.io/enforce": pulumi.String("privileged")},
		},
	}, inside)
	if err != nil {
		return nil, err
	}
	account, err := corev1.NewServiceAccount(ctx, name+"-account", &corev1.ServiceAccountArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(flannelName), Namespace: namespace.Metadata.Name()},
	}, inside)
	if err != nil {
		return nil, err
	}
	role, err := rbacv1.NewClusterRole(ctx, name+"-role", &rbacv1.ClusterRoleArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(flannelName)},
		Rules: rbacv1.PolicyRuleArray{
			allow("pods", "get"),
			allow("nodes", "get", "list", "watch"),
			allow("nodes/status", "patch"),
		},
	}, inside)
	if err != nil {
		return nil, err
	}
	_, err = rbacv1.NewClusterRoleBinding(ctx, name+"-binding", &rbacv1.ClusterRoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(flannelName)},
		RoleRef:  roleRef(flannelName),
		Subjects: subjects(account),
	}, inside, pulumi.DependsOn([]pulumi.Resource{role}))
	return account, err
}

func allow(resource string, verbs ...string) rbacv1.PolicyRuleArgs {
	return rbacv1.PolicyRuleArgs{
		ApiGroups: pulumi.ToStringArray([]string{""}),
		Resources: pulumi.ToStringArray([]string{resource}),
		Verbs:     pulumi.ToStringArray(verbs),
	}
}

// flannelFiles returns the configuration of flanneld and of the CNI plugins on one system.
func flannelFiles(n network.Defaulted, p platform.Platform) pulumi.StringMap {
	_, cni, _ := n.CNIConfig(network.NodePlan{Node: network.Node{Platform: p}})
	return pulumi.StringMap{"net-conf.json": pulumi.String(n.FlannelConfig()), "cni-conf.json": pulumi.String(cni)}
}

func newFlannelWindows(
	ctx *pulumi.Context, name string, args flannelSpec, account *corev1.ServiceAccount, split childoptions.Options,
	inside pulumi.ResourceOption,
) (*appsv1.DaemonSet, error) {
	pods := hostProcess{
		agent: agent{
			name: flannelWindows, namespace: pulumi.String(flannelNamespace),
			serviceAccount: account.Metadata.Name().Elem(),
		},
		image:  cmp.Or(args.WindowsImage, DefaultImage),
		script: "flannel.ps1",
		env:    corev1.EnvVarArray{fromField("NODE_NAME", "spec.nodeName"), fromField("HOST_IP", "status.hostIP")},
	}
	// Any release has the same.
	n := args.Network.WithDefaults()
	files := flannelFiles(n, platform.WindowsServer2022)
	files["kubeconfig.json"] = kubeconfigTo(args.endpoint)
	files["settings.json"] = pulumi.String(text(map[string]string{"network": n.KubeProxyWindows().NetworkName}))
	files["flannel.ps1"] = pulumi.String(script("flannel.ps1"))
	files["node.ps1"] = pulumi.String(script("node.ps1"))
	var err error
	// The account exists once its namespace does.
	after := pulumi.DependsOn([]pulumi.Resource{account})
	pods.config, err = newConfigMap(ctx, name+"-windows-config", flannelWindows, pods.namespace, files, inside, after)
	if err != nil {
		return nil, err
	}
	return appsv1.NewDaemonSet(ctx, name+"-windows", pods.daemonSet(),
		split.For(daemonSetType, name+"-windows", inside)...)
}

func newFlannelLinux(
	ctx *pulumi.Context, name string, args flannelSpec, account *corev1.ServiceAccount, split childoptions.Options,
	inside pulumi.ResourceOption,
) (*appsv1.DaemonSet, error) {
	pods := agent{
		name: flannelLinux, namespace: pulumi.String(flannelNamespace), serviceAccount: account.Metadata.Name().Elem(),
	}
	var err error
	after := pulumi.DependsOn([]pulumi.Resource{account})
	pods.config, err = newConfigMap(ctx, name+"-linux-config", flannelLinux, pods.namespace,
		flannelFiles(args.Network.WithDefaults(), platform.Linux), inside, after)
	if err != nil {
		return nil, err
	}
	return appsv1.NewDaemonSet(ctx, name+"-linux", pods.daemonSet(flannelLinuxPods(pods, args)),
		split.For(daemonSetType, name+"-linux", inside)...)
}

package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// JoinRequest is what [Cluster.Join] needs to know.
type JoinRequest struct {
	Machine machine.Machine
	// Bootstrap is the configuration of kubeadm on the machine.
	Bootstrap machine.Bootstrap
	// ControlPlane is the configuration of kubeadm on the machine that created the cluster. It is nil for
	// an external cluster, with the certificate authority CACert, in PEM.
	ControlPlane *machine.Bootstrap
	CACert       string
	// Version is the version of the lab's control plane, v1.36.3 for example.
	Version string
}

// Join does in the cluster what kubeadm and the kubelet do on a machine that boots, or
// fails with their reason, and waits until its node is ready.
func (c Cluster) Join(ctx context.Context, client kubernetes.Interface, j JoinRequest) error {
	command, do := "join", j.join
	if j.Bootstrap.Init {
		command, do = "init", j.initialize
	}
	node, err := do(ctx, client)
	if err != nil {
		return fmt.Errorf("kubeadm %s on %s: %w", command, j.Bootstrap.NodeName, err)
	}
	return c.WaitReady(ctx, client, []*corev1.Node{node})
}

// initialize does what `kubeadm init` does, with a control plane that already runs.
func (j JoinRequest) initialize(ctx context.Context, client kubernetes.Interface) (*corev1.Node, error) {
	if err := j.checkVersion(); err != nil {
		return nil, err
	}
	if err := checkPairs(j.Bootstrap.Keys); err != nil {
		return nil, err
	}
	node, err := j.Node()
	if err != nil {
		return nil, err
	}
	if err := bindAdmins(ctx, client); err != nil {
		return nil, err
	}
	if err := makeKubeProxy(ctx, client); err != nil {
		return nil, err
	}
	if j.Bootstrap.Token != "" {
		if err := writeToken(ctx, client, j.Bootstrap.Token); err != nil {
			return nil, err
		}
	}
	return node, j.register(ctx, client, node)
}

// join does what `kubeadm join` does.
func (j JoinRequest) join(ctx context.Context, client kubernetes.Interface) (*corev1.Node, error) {
	if err := j.discover(ctx, client); err != nil {
		return nil, err
	}
	if j.Bootstrap.ControlPlane {
		if err := j.checkShared(); err != nil {
			return nil, err
		}
	}
	node, err := j.Node()
	if err != nil {
		return nil, err
	}
	if err := checkNoOther(ctx, client, node); err != nil {
		return nil, err
	}
	return node, j.register(ctx, client, node)
}

// checkVersion refuses a control plane that the lab cannot simulate.
func (j JoinRequest) checkVersion() error {
	want, err := version.ParseGeneric(j.Bootstrap.Version)
	if err != nil {
		return fmt.Errorf("the kubernetesVersion %q is not a valid version: use %s", j.Bootstrap.Version, j.Version)
	}
	if have := version.MustParseGeneric(j.Version); want.Major() != have.Major() || want.Minor() != have.Minor() {
		return fmt.Errorf("the kubernetesVersion is %s, but the lab's control plane is %s: use %[2]s",
			j.Bootstrap.Version, j.Version)
	}
	return nil
}

// checkNoOther refuses the name of an existing machine. It accepts a machine that has joined
// and starts again, for example after an interruption.
func checkNoOther(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	have, err := client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot get Node %q: %w", node.Name, err)
	}
	if isReady(have) && have.Status.NodeInfo.SystemUUID != node.Status.NodeInfo.SystemUUID {
		return fmt.Errorf("a Node with name %q and status %q already exists in the cluster: delete the Node, or give "+
			"the machine another name",
			node.Name, corev1.NodeReady)
	}
	return nil
}

func isReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// controlPlaneRole is a label and a taint.
const controlPlaneRole = "node-role.kubernetes.io/control-plane"

// Node returns the node that the kubelet of the machine registers, with what kubeadm adds to it.
func (j JoinRequest) Node() (*corev1.Node, error) {
	system, err := platformOf(j.Machine)
	if err != nil {
		return nil, err
	}
	if err := checkNodeLabels(j.Bootstrap.Labels); err != nil {
		return nil, err
	}
	pool := topology.Pool{
		Platform: system, Size: j.Machine.Size, Labels: j.Bootstrap.Labels, Taints: j.Bootstrap.Taints,
		KubernetesVersion: j.kubeletVersion(),
	}
	n := Node(pool, j.Bootstrap.NodeName, j.Version)
	setAllocatable(n, j.Bootstrap.Kubelet)
	// Without a cloud provider, only the configuration can set the size.
	if _, configured := j.Bootstrap.Labels[corev1.LabelInstanceTypeStable]; !configured {
		delete(n.Labels, corev1.LabelInstanceTypeStable)
	}
	if j.isControlPlane() {
		SetControlPlane(n)
	}
	n.Status.Addresses = []corev1.NodeAddress{
		{Type: corev1.NodeInternalIP, Address: j.Machine.Address.String()},
		{Type: corev1.NodeHostName, Address: n.Name},
	}
	n.Status.NodeInfo.SystemUUID, err = systemUUID(j.Machine)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// SetControlPlane gives a node the labels that kubeadm gives the nodes of a control plane.
func SetControlPlane(node *corev1.Node) {
	node.Labels[controlPlaneRole] = ""
	node.Labels[corev1.LabelNodeExcludeBalancers] = ""
}

func (j JoinRequest) isControlPlane() bool { return j.Bootstrap.Init || j.Bootstrap.ControlPlane }

// kubeletVersion returns the version of the machine's kubelet if it is known, otherwise the version of the
// machine that created the cluster.
func (j JoinRequest) kubeletVersion() string {
	own := j.Bootstrap.Version
	if own == "" && j.ControlPlane != nil {
		own = j.ControlPlane.Version
	}
	if _, err := version.ParseGeneric(own); err != nil {
		return ""
	}
	return own
}

// platformOf reads the release of Windows from the image's SKU, 2022-datacenter-core-g2
// for example.
func platformOf(m machine.Machine) (platform.Platform, error) {
	if !m.Windows {
		return platform.Linux, nil
	}
	year, _, _ := strings.Cut(m.Image.SKU, "-")
	system := platform.Platform("windows-" + year)
	if !slices.Contains([]platform.Platform{
		platform.WindowsServer2019, platform.WindowsServer2022,
		platform.WindowsServer2025,
	}, system) {
		return "", fmt.Errorf("the image %s:%s:%s has no Windows Server release that nodes run: "+
			"use one of 2019, 2022 or 2025",
			m.Image.Publisher, m.Image.Offer, m.Image.SKU)
	}
	return system, nil
}

// kubeletLabels are the labels in Kubernetes' own namespaces that a kubelet may set, in addition to
// all labels of two namespaces (k8s.io/kubelet/pkg/apis/well_known_labels.go).
var kubeletLabels = []string{
	corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone,
	corev1.LabelFailureDomainBetaRegion, corev1.LabelInstanceType, corev1.LabelInstanceTypeStable, corev1.LabelOSStable,
	corev1.LabelArchStable, topology.LabelBetaOS, topology.LabelBetaArch,
}

// checkNodeLabels checks labels as a kubelet does before it starts.
func checkNodeLabels(labels map[string]string) error {
	var unknown []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		namespace, _, _ := strings.Cut(key, "/")
		own := inNamespace(namespace, "kubernetes.io") || inNamespace(namespace, "k8s.io")
		allowed := inNamespace(namespace, corev1.LabelNamespaceSuffixKubelet) ||
			inNamespace(namespace, corev1.LabelNamespaceSuffixNode)
		if own && !allowed && !slices.Contains(kubeletLabels, key) {
			unknown = append(unknown, key)
		}
	}
	if unknown != nil {
		return fmt.Errorf(
			"the kubelet does not start: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: %v",
			unknown,
		)
	}
	return nil
}

func inNamespace(namespace, suffix string) bool {
	return namespace == suffix || strings.HasSuffix(namespace, "."+suffix)
}

// register creates the node, or takes over an existing one.
func (j JoinRequest) register(ctx context.Context, client kubernetes.Interface, node *corev1.Node) error {
	if err := giveLease(ctx, client, node.Name); err != nil {
		return err
	}
	_, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		// As a kubelet does, it keeps posting its status: KWOK ignores what it saw before it
		// held the lease.
		err = wait.PollUntilContextTimeout(ctx, time.Second, readyTimeout, true,
			func(ctx context.Context) (bool, error) {
				ready, err := j.takeOver(ctx, client, node)
				if apierrors.IsConflict(err) {
					return false, nil
				}
				return ready, err
			})
	}
	if err != nil {
		return fmt.Errorf("register node %s: %w", node.Name, err)
	}
	return nil
}

// ownedLabels are the only labels that a kubelet corrects on an existing node
// (updateDefaultLabels in pkg/kubelet/kubelet_node_status.go).
var ownedLabels = append(slices.Clone(kubeletLabels), corev1.LabelWindowsBuild)

// takeOver does what a kubelet does with an existing node of its name. On the control plane it also
// sets labels and taints, as kubeadm does: other existing nodes do not get the taints of the
// configuration. It reports whether the node was ready before.
func (j JoinRequest) takeOver(
	ctx context.Context, client kubernetes.Interface, node *corev1.Node,
) (ready bool, err error) {
	have, err := client.CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	ready = isReady(have)
	metav1.SetMetaDataAnnotation(&have.ObjectMeta, managedByKWOK, node.Annotations[managedByKWOK])
	for _, key := range ownedLabels {
		if value, ok := node.Labels[key]; ok {
			metav1.SetMetaDataLabel(&have.ObjectMeta, key, value)
		}
	}
	if j.isControlPlane() {
		metav1.SetMetaDataLabel(&have.ObjectMeta, controlPlaneRole, "")
		metav1.SetMetaDataLabel(&have.ObjectMeta, corev1.LabelNodeExcludeBalancers, "")
		for _, taint := range node.Spec.Taints {
			if !topology.HasTaint(have.Spec.Taints, taint) {
				have.Spec.Taints = append(have.Spec.Taints, taint)
			}
		}
	}
	have, err = client.CoreV1().Nodes().Update(ctx, have, metav1.UpdateOptions{})
	if err != nil {
		return false, err
	}
	have.Status.Capacity, have.Status.Allocatable = node.Status.Capacity, node.Status.Allocatable
	have.Status.NodeInfo, have.Status.Addresses = node.Status.NodeInfo, node.Status.Addresses
	for i := range have.Status.Conditions {
		have.Status.Conditions[i].LastHeartbeatTime = metav1.Now()
	}
	_, err = client.CoreV1().Nodes().UpdateStatus(ctx, have, metav1.UpdateOptions{})
	return ready, err
}

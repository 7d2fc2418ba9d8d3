package bootstrap

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	labcluster "github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/lab/wine"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// testLab is a control plane without a node.
type testLab struct {
	cluster labcluster.Cluster
	client  kubernetes.Interface
	server  string
	ca      string
}

func startLab(t *testing.T) testLab {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	check(t, err)
	cache, err := tools.FromRoot(root, t.Output())
	check(t, err)
	paths, err := cache.Ensure(t.Context(), labcluster.Tools()...)
	check(t, err)
	lab, id := testLab{cluster: labcluster.Cluster{Dir: filepath.Join(t.TempDir(), "cluster")}}, rand.Text()
	t.Cleanup(func() { check(t, processes.Kill(id)) })
	lab.client, err = lab.cluster.Start(t.Context(), labcluster.Options{Tools: paths, LabID: id})
	check(t, err)
	config, err := clientcmd.LoadFromFile(lab.cluster.Kubeconfig())
	check(t, err)
	for _, c := range config.Clusters {
		lab.server, lab.ca = c.Server, string(c.CertificateAuthorityData)
	}
	return lab
}

// kubeconfigOf is one for the kubelet of a node, whom the API server takes for that.
func (l testLab) kubeconfigOf(t *testing.T, name string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(l.cluster.Kubeconfig())
	check(t, err)
	for _, user := range config.AuthInfos {
		user.Impersonate, user.ImpersonateGroups = "system:node:"+name, []string{"system:nodes"}
	}
	text, err := clientcmd.Write(*config)
	check(t, err)
	return string(text)
}

// judgeKubeProxy runs kube-proxy.exe with the configuration of a kind of network, until it
// needs the kernel of Windows; then with a wrong field, which kube-proxy only tells.
func (l testLab) judgeKubeProxy(t *testing.T, m wine.Machine, node string, kind network.Kind) {
	t.Helper()
	l.giveAccount(t, m)
	kubeconfig := kubeProxyFile(t, kind, "kubeconfig.json")
	check(t, m.Write("C:/mounts/kube-proxy-windows/kubeconfig.json",
		replaceOnce(t, kubeconfig, "https://api.example.com:6443", l.server)))
	config := replaceOnce(t, kubeProxyFile(t, kind, "config.json"), `"hostnameOverride": ""`,
		fmt.Sprintf(`"hostnameOverride": %q`, node))
	const file = "C:/mounts/kube-proxy-windows/config.json"
	for _, each := range []struct{ config, unknown string }{
		{config, ""},
		{replaceOnce(t, config, `"networkName"`, `"netwrokName"`), `unknown field \"winkernel.netwrokName\"`},
	} {
		check(t, m.Write(file, each.config))
		_, message, _ := output(t, m, "C:/k/kube-proxy.exe", "--config="+file)
		if !strings.Contains(message, `err="Windows kernel is not compatible for Kernel mode"`) ||
			strings.Contains(message, "Timed out waiting for node to exist") {
			t.Errorf("kube-proxy.exe has ended with %s", message)
		}
		lenient := strings.Contains(message, "Using lenient decoding")
		if lenient != (each.unknown != "") || !strings.Contains(message, each.unknown) {
			t.Errorf("kube-proxy.exe says %s of\n%s", message, each.config)
		}
	}
}

// giveAddress gives the node the address that it has: the machine of the test has another,
// and kube-proxy waits for one.
func (l testLab) giveAddress(t *testing.T, name string) {
	t.Helper()
	nodes := l.client.CoreV1().Nodes()
	got, err := nodes.Get(t.Context(), name, metav1.GetOptions{})
	check(t, err)
	got.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.0.20"}}
	_, err = nodes.UpdateStatus(t.Context(), got, metav1.UpdateOptions{})
	check(t, err)
}

// giveAccount gives the machine what a pod of kube-proxy's account has.
func (l testLab) giveAccount(t *testing.T, m wine.Machine) {
	t.Helper()
	const name = "kube-proxy"
	check(t, ignoreExists(l.client.CoreV1().ServiceAccounts(metav1.NamespaceSystem).Create(t.Context(),
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})))
	check(t, ignoreExists(l.client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:node-proxier"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: metav1.NamespaceSystem}},
	}, metav1.CreateOptions{})))
	token, err := l.client.CoreV1().ServiceAccounts(metav1.NamespaceSystem).CreateToken(t.Context(), name,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	check(t, err)
	check(t, m.Write(tokenFile, token.Status.Token))
	check(t, m.Write(strings.TrimSuffix(tokenFile, "token")+"ca.crt", l.ca))
}

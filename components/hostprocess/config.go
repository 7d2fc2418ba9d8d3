package hostprocess

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// scripts are PowerShell code, of Windows PowerShell 5.1. It is the same in every
// cluster: whatever a user can say reaches it as data, never as a part of its text.
//
//go:embed scripts/*.ps1
var scripts embed.FS

// script returns the text of one, with Unix lines however it was checked out.
func script(name string) string {
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		panic(err) // the names are those of embedded files
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// newConfigMap creates a ConfigMap whose name ends with a hash of its content. New content leads to
// a new ConfigMap, and the old one is deleted when no pod needs it. A new name in the template
// of a DaemonSet rolls its pods out.
func newConfigMap(
	ctx *pulumi.Context, resource, name string, namespace pulumi.StringPtrInput, data pulumi.StringMapInput,
	opts ...pulumi.ResourceOption,
) (*corev1.ConfigMap, error) {
	return corev1.NewConfigMap(ctx, resource, &corev1.ConfigMapArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name: data.ToStringMapOutput().ApplyT(func(known map[string]string) string {
				return configMapName(name, known)
			}).(pulumi.StringOutput),
			Namespace: namespace,
		},
		Immutable: pulumi.Bool(true),
		Data:      data,
	}, opts...)
}

// configMapName returns the name of a ConfigMap of newConfigMap.
func configMapName(name string, data map[string]string) string { return name + "-" + hash(data) }

// hash returns a short hash of the content.
func hash(data map[string]string) string {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(data)) {
		fmt.Fprintf(h, "%d %s %d %s", len(key), key, len(data[key]), data[key])
	}
	return hex.EncodeToString(h.Sum(nil))[:10]
}

// text returns a value as a JSON document, with Unix line endings.
func text(value any) string {
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // this package builds every value, from strings, numbers and lists
	}
	return string(b) + "\n"
}

// serviceAccountDir is where the kubelet mounts token and certificate of a pod's
// account. With the drive: the client takes any other path of Windows for one that is
// relative to its kubeconfig.
const serviceAccountDir = "C:/var/run/secrets/kubernetes.io/serviceaccount"

// kubeconfigTo leads a pod of a Windows node, as its account, to the API server's own
// address: the one of its Service is of no use before kube-proxy runs, nor to Windows
// nodes at all. The client reads the token again before it expires.
func kubeconfigTo(endpoint pulumi.StringPtrInput) pulumi.StringOutput {
	return endpoint.ToStringPtrOutput().Elem().ApplyT(kubeconfig).(pulumi.StringOutput)
}

func kubeconfig(address string) string {
	type named map[string]any
	return text(map[string]any{
		"apiVersion": "v1",
		"kind":       "Config",
		"clusters": []named{{"name": "cluster", "cluster": named{
			"server":                "https://" + address,
			"certificate-authority": serviceAccountDir + "/ca.crt",
		}}},
		"users":           []named{{"name": "account", "user": named{"tokenFile": serviceAccountDir + "/token"}}},
		"contexts":        []named{{"name": "pod", "context": named{"cluster": "cluster", "user": "account"}}},
		"current-context": "pod",
	})
}

// namespaceOf returns the namespace of arguments that are checked: kube-system by default.
func namespaceOf(subject string, in pulumi.StringPtrInput) pulumi.StringPtrInput {
	namespace, _ := input.Namespace(subject, in, kubeSystem)
	return namespace
}

// endpointOf returns the argument endpoint of a component, as [input.Text] has it.
func endpointOf(subject string, in pulumi.StringInput) (pulumi.StringPtrInput, field.ErrorList) {
	return input.Text(subject, in, "", checkEndpoint)
}

// hostAndPort returns the parts of an endpoint, plain if it is.
func hostAndPort(endpoint pulumi.StringPtrInput) (host, port pulumi.StringPtrInput) {
	if text, plain := input.Plain[string](endpoint); plain || endpoint == nil {
		host, port, _ := net.SplitHostPort(text)
		return pulumi.String(host), pulumi.String(port)
	}
	text := endpoint.ToStringPtrOutput().Elem()
	return text.ApplyT(func(text string) (string, error) {
			host, _, err := net.SplitHostPort(text)
			return host, err
		}).(pulumi.StringOutput), text.ApplyT(func(text string) (string, error) {
			_, port, err := net.SplitHostPort(text)
			return port, err
		}).(pulumi.StringOutput)
}

func checkEndpoint(address string) field.ErrorList {
	path := field.NewPath("endpoint")
	if address == "" {
		return field.ErrorList{field.Required(path,
			"the address of the API server that all nodes reach, api.example.com:6443 for example")}
	}
	if !network.IsEndpoint(address) {
		return field.ErrorList{field.Invalid(path, address,
			"must be a host and a port, api.example.com:6443 for example")}
	}
	return nil
}

package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

var (
	credentialSpecs = schema.GroupVersionResource{
		Group: "windows.k8s.io", Version: "v1",
		Resource: "gmsacredentialspecs",
	}
	crds = schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1",
		Resource: "customresourcedefinitions",
	}
)

const pluginInput = "contoso.com:ccg:not-to-be-seen-in-a-state"

// TestGMSA deploys all resources of package gmsa from one program into a cluster without gMSA. It uses a fake chart for
// the webhook, because no program answers a webhook on simulated nodes, and to avoid a download.
func TestGMSA(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	authority, certificate, key := webhookCertificate(t)
	config, err := yaml.Marshal(map[string]any{"config": map[string]any{
		// Resources without the program's own provider must fail.
		"pulumi:disable-default-providers": []string{"*"},
		"gmsa:ca":                          authority,
		"gmsa:certificate":                 certificate,
	}})
	check(t, err)
	path := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	check(t, os.WriteFile(path, config, 0o600))
	stack := l.project(t, "components/gmsa/testdata/program", "dev", path)
	check(t, stack.SetSecret(t.Context(), "gmsa:privateKey", key))
	check(t, stack.SetSecret(t.Context(), "gmsa:pluginInput", pluginInput))
	rest, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	check(t, err)
	objects, err := dynamic.NewForConfig(rest)
	check(t, err)
	client := l.client(t)

	check(t, stack.Preview(t.Context()))
	check(t, stack.Up(t.Context(), "--skip-preview"))
	if err := stack.Preview(t.Context(), "--expect-no-changes"); err != nil {
		t.Error(err)
	}
	t.Run("the specifications are as written", func(t *testing.T) { specsAsWritten(t, objects) })
	t.Run("the kind refuses parts of a specification", func(t *testing.T) { kindRefuses(t, objects) })
	t.Run("only the accounts that the program names may use a specification", func(t *testing.T) { allowed(t, client) })
	t.Run("the pod names its account", func(t *testing.T) {
		pod, err := client.CoreV1().Pods("shop").Get(t.Context(), "web", metav1.GetOptions{})
		check(t, err)
		if name := pod.Spec.SecurityContext.WindowsOptions.GMSACredentialSpecName; name == nil || *name != "webapp1" ||
			pod.Status.Phase != corev1.PodRunning {
			t.Errorf("the pod has %v and is %s", pod.Spec.SecurityContext.WindowsOptions, pod.Status.Phase)
		}
	})
	t.Run("the chart gets its values",
		func(t *testing.T) { chartValues(t, client, objects, authority, certificate, key) })
	t.Run("no secret is in a state", func(t *testing.T) { noSecrets(t, l, stack, key) })
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
	if _, err := objects.Resource(crds).Get(t.Context(), "gmsacredentialspecs.windows.k8s.io",
		metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the kind is left: %v", err)
	}
	roles, err := client.RbacV1().ClusterRoles().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, role := range roles.Items {
		if strings.HasPrefix(role.Name, "gmsa-") {
			t.Errorf("%s is left", role.Name)
		}
	}
}

func specsAsWritten(t *testing.T, objects dynamic.Interface) {
	t.Helper()
	accounts := func(name, dns, netBIOS string) []any {
		return []any{map[string]any{"Name": name, "Scope": dns}, map[string]any{"Name": name, "Scope": netBIOS}}
	}
	join := func(name, dns, netBIOS string) map[string]any {
		return map[string]any{
			"Sid": "S-1-5-21-2126449477-2524075714-3094792973", "Guid": "244818ae-87ac-4fcd-92ec-e79e5252348a",
			"MachineAccountName": name, "DnsName": dns, "DnsTreeName": "contoso.com", "NetBiosName": netBIOS,
		}
	}
	want := map[string]any{
		"webapp1": map[string]any{
			"CmsPlugins": []any{"ActiveDirectory"}, "DomainJoinConfig": join("WebApp1", "contoso.com", "CONTOSO"),
			"ActiveDirectoryConfig": map[string]any{
				"GroupManagedServiceAccounts": accounts("WebApp1", "contoso.com", "CONTOSO"),
				"HostAccountConfig": map[string]any{
					"PluginGUID": "{CCC2A336-D7F3-4818-A213-272B7924213E}", "PluginInput": pluginInput,
					"PortableCcgVersion": "1",
				},
			},
		},
		"gmsa-webapp2": map[string]any{
			"CmsPlugins": []any{"ActiveDirectory"}, "DomainJoinConfig": join("WebApp2", "eu.contoso.com", "EU"),
			"ActiveDirectoryConfig": map[string]any{"GroupManagedServiceAccounts": accounts("WebApp2", "eu.contoso.com",
				"EU")},
		},
	}
	list, err := objects.Resource(credentialSpecs).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	got := map[string]any{}
	for _, item := range list.Items {
		got[item.GetName()] = item.Object["credspec"]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the specifications (-want +got):\n%s", diff)
	}
}

// kindRefuses creates wrong specifications, as a dry run.
func kindRefuses(t *testing.T, objects dynamic.Interface) {
	t.Helper()
	good, err := objects.Resource(credentialSpecs).Get(t.Context(), "webapp1", metav1.GetOptions{})
	check(t, err)
	create := func(change func(credspec map[string]any)) error {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "windows.k8s.io/v1", "kind": "GMSACredentialSpec",
			"metadata": map[string]any{"name": "other"},
			"credspec": good.DeepCopy().Object["credspec"],
		}}
		change(object.Object["credspec"].(map[string]any))
		_, err := objects.Resource(credentialSpecs).Create(t.Context(), object,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
		return err
	}
	tests := []struct {
		name   string
		change func(map[string]any)
		want   string
	}{
		{
			"no domain", func(c map[string]any) { delete(c, "DomainJoinConfig") },
			"credspec.DomainJoinConfig: Required value",
		},
		{
			"no SID", func(c map[string]any) { delete(c["DomainJoinConfig"].(map[string]any), "Sid") },
			"credspec.DomainJoinConfig.Sid: Required value",
		},
		{
			"a misspelled key", func(c map[string]any) { c["DomainJoinConfig"].(map[string]any)["SID"] = "S-1" },
			`unknown field "credspec.DomainJoinConfig.SID"`,
		},
		{"a plug-in without input", func(c map[string]any) {
			delete(c["ActiveDirectoryConfig"].(map[string]any)["HostAccountConfig"].(map[string]any), "PluginInput")
		}, "credspec.ActiveDirectoryConfig.HostAccountConfig.PluginInput: Required value"},
		{"no account", func(c map[string]any) {
			c["ActiveDirectoryConfig"].(map[string]any)["GroupManagedServiceAccounts"] = []any{}
		}, "credspec.ActiveDirectoryConfig.GroupManagedServiceAccounts"},
	}
	for _, tt := range tests {
		if err := create(tt.change); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	check(t, create(func(c map[string]any) {
		delete(c["ActiveDirectoryConfig"].(map[string]any),
			"HostAccountConfig")
	}))
}

// allowed sends the access reviews that the webhook sends.
func allowed(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	want := []string{"default uses webapp1", "web uses gmsa-webapp2", "web uses webapp1"}
	var got []string
	for _, account := range []string{"default", "web", "other"} {
		for _, spec := range []string{"webapp1", "gmsa-webapp2"} {
			for _, namespace := range []string{"shop", "default"} {
				review, err := client.AuthorizationV1().LocalSubjectAccessReviews(namespace).Create(t.Context(),
					&authorizationv1.LocalSubjectAccessReview{
						ObjectMeta: metav1.ObjectMeta{Namespace: namespace},
						Spec: authorizationv1.SubjectAccessReviewSpec{
							User: "system:serviceaccount:" + namespace + ":" + account,
							ResourceAttributes: &authorizationv1.ResourceAttributes{
								Namespace: namespace, Verb: "use", Group: credentialSpecs.Group,
								Version: credentialSpecs.Version, Resource: credentialSpecs.Resource, Name: spec,
							},
						},
					}, metav1.CreateOptions{})
				check(t, err)
				switch {
				case !review.Status.Allowed:
				case namespace == "shop":
					got = append(got, account+" uses "+spec)
				default:
					t.Errorf("%s/%s may use %s", namespace, account, spec)
				}
			}
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in the namespace shop (-want +got):\n%s", diff)
	}
}

func chartValues(
	t *testing.T, client kubernetes.Interface, objects dynamic.Interface, authority, certificate, key string,
) {
	t.Helper()
	d, err := client.AppsV1().Deployments("kube-system").Get(t.Context(), "gmsa-webhook", metav1.GetOptions{})
	check(t, err)
	pod := d.Spec.Template.Spec
	type values struct {
		CertManager, CA, Image string
		Args                   []string
		Replicas               int32
		Tolerations            []corev1.Toleration
	}
	want := values{
		CertManager: "false", CA: base64.StdEncoding.EncodeToString([]byte(authority)),
		Image: "mirror.example.com/gmsa-webhook:v0.13.0",
		Args:  []string{"--cert-reload=true"}, Replicas: 1,
		Tolerations: []corev1.Toleration{{
			Key: "CriticalAddonsOnly", Operator: "Equal", Value: "true",
			Effect: "NoSchedule",
		}},
	}
	got := values{
		CertManager: d.Annotations["cert-manager"], CA: d.Annotations["ca"], Image: pod.Containers[0].Image,
		Args: pod.Containers[0].Args, Replicas: *d.Spec.Replicas, Tolerations: pod.Tolerations,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the Deployment (-want +got):\n%s", diff)
	}
	secret, err := client.CoreV1().Secrets("kube-system").Get(t.Context(), pod.Volumes[0].Secret.SecretName,
		metav1.GetOptions{})
	check(t, err)
	data := map[string]string{}
	for name, content := range secret.Data {
		data[name] = string(content)
	}
	// `pulumi config set` removes the last line break.
	if diff := cmp.Diff(map[string]string{
		"ca.crt": authority, "tls.crt": certificate,
		"tls.key": strings.TrimSpace(key),
	}, data); diff != "" {
		t.Errorf("the Secret (-want +got):\n%s", diff)
	}
	if _, err := objects.Resource(crds).Get(t.Context(), "standins.example.com",
		metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the chart's own kind has been installed: %v", err)
	}
}

// noSecrets searches all files of Pulumi, and the output of its runs.
func noSecrets(t *testing.T, l testLab, stack *deploy.Stack, key string) {
	t.Helper()
	secrets := []leaks.Secret{
		{Name: "input of the plug-in", Text: pluginInput}, {Name: "key", Text: strings.Split(key, "\n")[1]},
	}
	for _, found := range leaks.Find(t, []string{stack.Dir}, nil, secrets) {
		t.Error(found)
	}
	output := l.Out.Take()
	for _, s := range secrets {
		if strings.Contains(output, s.Text) {
			t.Errorf("the output shows the %s", s.Name)
		}
	}
	// Check that the search includes the state.
	if found := leaks.Find(t, []string{stack.Dir}, nil, []leaks.Secret{
		{Name: "SID", Text: "S-1-5-21-2126449477-2524075714-3094792973"},
	}); len(found) == 0 {
		t.Error("the search does not find the SID of a domain")
	}
}

// webhookCertificate returns a certificate for the webhook's Service, with its authority and key.
func webhookCertificate(t *testing.T) (authority, certificate, key string) {
	t.Helper()
	newKey := func() *ecdsa.PrivateKey {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		check(t, err)
		return key
	}
	text := func(kind string, der []byte, err error) string {
		check(t, err)
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	caKey, leafKey := newKey(), newKey()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		DNSNames: []string{"gmsa-webhook.kube-system.svc"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	authority = text("CERTIFICATE", der, err)
	der, err = x509.CreateCertificate(rand.Reader, leaf, ca, &leafKey.PublicKey, caKey)
	certificate = text("CERTIFICATE", der, err)
	der, err = x509.MarshalECPrivateKey(leafKey)
	return authority, certificate, text("EC PRIVATE KEY", der, err)
}

package labtest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/internal/lab"
)

// TestTheNextTestGetsAnEmptyLab leaves objects of many kinds in a lab. The next test gets the same cluster without them.
func TestTheNextTestGetsAnEmptyLab(t *testing.T) {
	slots = 1
	var first, second []string
	var clusters []string
	t.Run("fills", func(t *testing.T) {
		l := Empty(t, lab.Options{Stack: "lab-given"})
		first, clusters = inventory(t, l), append(clusters, clusterOf(t, l))
		fill(t, l)
		serviceGetsAddress(t, l)
	})
	t.Run("empty", func(t *testing.T) {
		l := Empty(t, lab.Options{Stack: "lab-given"})
		second, clusters = inventory(t, l), append(clusters, clusterOf(t, l))
	})
	t.Run("without load balancers", func(t *testing.T) {
		l := Empty(t, lab.Options{Stack: "kubeadm-lab"})
		clusters = append(clusters, clusterOf(t, l))
		hasAddress := service(t, l)
		time.Sleep(3 * time.Second)
		if hasAddress() {
			t.Error("the Service has an address")
		}
	})
	t.Run("with load balancers again", func(t *testing.T) {
		l := Empty(t, lab.Options{Stack: "lab-given"})
		clusters = append(clusters, clusterOf(t, l))
		serviceGetsAddress(t, l)
	})
	if t.Failed() {
		return
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("objects in the lab (-first +second test):\n%s", diff)
	}
	if len(slices.Compact(clusters)) != 1 {
		t.Errorf("the tests have the clusters %v, want the same", clusters)
	}
}

// service creates a Service of the type LoadBalancer. The function that it returns reports whether it has an address.
func service(t *testing.T, l Lab) (hasAddress func() bool) {
	t.Helper()
	services := l.ClientOf(t).CoreV1().Services(metav1.NamespaceDefault)
	created, err := services.Create(t.Context(), &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "shop"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Port: 80}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return func() bool {
		got, err := services.Get(t.Context(), created.Name, metav1.GetOptions{})
		return err == nil && len(got.Status.LoadBalancer.Ingress) > 0
	}
}

func serviceGetsAddress(t *testing.T, l Lab) {
	t.Helper()
	hasAddress := service(t, l)
	Eventually(t, func(context.Context) string {
		if !hasAddress() {
			return "the Service has no address"
		}
		return ""
	})
}

// inventory returns all objects in the cluster of a lab.
func inventory(t *testing.T, l Lab) []string {
	t.Helper()
	c, err := connect(l.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := c.kinds()
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.objects(t.Context(), kinds)
	if err != nil {
		t.Fatal(err)
	}
	return names(all)
}

func clusterOf(t *testing.T, l Lab) string {
	t.Helper()
	namespace, err := l.ClientOf(t).CoreV1().Namespaces().Get(t.Context(), metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(namespace.UID)
}

// fill creates a namespace, a definition with an object, and a Deployment whose pods run.
func fill(t *testing.T, l Lab) {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(nil, err)
	client := l.ClientOf(t)
	must(client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}, metav1.CreateOptions{}))
	labels := map[string]string{"app": "web"}
	must(client.AppsV1().Deployments("shop").Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "example.com/web"}}},
			},
		},
	}, metav1.CreateOptions{}))
	objects := dynamic.NewForConfigOrDie(config)
	must(objects.Resource(schema.GroupVersionResource{
		Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
	}).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "orders.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"plural": "orders", "kind": "Order"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}},
			}},
		},
	}}, metav1.CreateOptions{}))
	orders := objects.Resource(schema.GroupVersionResource{
		Group: "example.com", Version: "v1", Resource: "orders",
	}).Namespace("shop")
	Eventually(t, func(ctx context.Context) string {
		_, err := orders.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "example.com/v1", "kind": "Order", "metadata": map[string]any{"name": "first"},
		}}, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err.Error()
		}
		pods, err := client.CoreV1().Pods("shop").List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
		if err != nil || len(pods.Items) != 2 {
			return "the pods do not run"
		}
		return ""
	})
}

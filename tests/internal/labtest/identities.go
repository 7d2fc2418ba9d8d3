package labtest

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Identities returns the objects in the cluster that programs have created, with their UIDs and generations.
func Identities(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	ctx, all := t.Context(), metav1.ListOptions{}
	var lines []string
	add := func(kind string, o metav1.Object) {
		lines = append(lines, fmt.Sprintf("%s %s %s, generation %d", kind, o.GetName(), o.GetUID(), o.GetGeneration()))
	}
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceDefault).List(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deployments.Items {
		add("Deployment", &d)
	}
	maps, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).List(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range maps.Items {
		add("ConfigMap", &c)
	}
	classes, err := client.NodeV1().RuntimeClasses().List(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes.Items {
		add("RuntimeClass", &c)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pods.Items {
		add("Pod", &p)
	}
	slices.Sort(lines)
	return lines
}

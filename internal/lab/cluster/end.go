package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// EndWithout ends the simulated cluster if no machine of its control plane is left: its
// objects were deleted with the etcd that stored them. After that the lab's own cluster is
// like a new one.
func EndWithout(ctx context.Context, client kubernetes.Interface) error {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("look for a control plane: %w", err)
	}
	simulated := false
	for _, node := range nodes.Items {
		if _, ok := node.Labels[controlPlaneRole]; ok {
			if isReady(&node) {
				return nil
			}
			simulated = true
		}
	}
	if !simulated {
		return nil
	}
	if err := wipe(ctx, client); err != nil {
		return fmt.Errorf("end the cluster without a control plane: %w", err)
	}
	return nil
}

// wipe removes what was created in a cluster since it was started.
func wipe(ctx context.Context, client kubernetes.Interface) error {
	namespaces, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64), PropagationPolicy: &background}
	for _, namespace := range namespaces.Items {
		if err := wipeNamespace(ctx, client, namespace.Name, now); err != nil {
			return err
		}
		if !slices.Contains(ownNamespaces, namespace.Name) {
			if err := client.CoreV1().Namespaces().Delete(ctx, namespace.Name, now); err != nil &&
				!apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	all := metav1.ListOptions{}
	// The API server itself recreates the default roles and bindings.
	rbac := metav1.ListOptions{LabelSelector: "kubernetes.io/bootstrapping!=rbac-defaults"}
	for _, do := range []func() error{
		func() error { return client.RbacV1().ClusterRoleBindings().DeleteCollection(ctx, now, rbac) },
		func() error { return client.RbacV1().ClusterRoles().DeleteCollection(ctx, now, rbac) },
		func() error { return client.NodeV1().RuntimeClasses().DeleteCollection(ctx, now, all) },
		func() error { return client.CoreV1().Nodes().DeleteCollection(ctx, now, all) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// ownNamespaces are the namespaces that every cluster has.
var ownNamespaces = []string{
	metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic,
	corev1.NamespaceNodeLease,
}

func wipeNamespace(ctx context.Context, client kubernetes.Interface, namespace string, now metav1.DeleteOptions) error {
	all := metav1.ListOptions{}
	for _, do := range []func() error{
		func() error { return client.AppsV1().DaemonSets(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.AppsV1().Deployments(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.AppsV1().StatefulSets(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.BatchV1().CronJobs(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.BatchV1().Jobs(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.CoreV1().Pods(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.CoreV1().Secrets(namespace).DeleteCollection(ctx, now, all) },
		func() error { return client.CoreV1().ServiceAccounts(namespace).DeleteCollection(ctx, now, all) },
		func() error { return wipeConfigMaps(ctx, client, namespace, now) },
		func() error { return wipeServices(ctx, client, namespace, now) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// wipeConfigMaps retains the ConfigMaps that the control plane itself reads and writes.
func wipeConfigMaps(
	ctx context.Context, client kubernetes.Interface, namespace string, now metav1.DeleteOptions,
) error {
	list, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, c := range list.Items {
		if c.Name == "kube-root-ca.crt" || strings.HasPrefix(c.Name, "extension-apiserver") ||
			strings.HasPrefix(c.Name, "kube-apiserver") {
			continue
		}
		if err := client.CoreV1().ConfigMaps(namespace).Delete(ctx, c.Name, now); err != nil &&
			!apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// wipeServices retains the Service of the API server.
func wipeServices(ctx context.Context, client kubernetes.Interface, namespace string, now metav1.DeleteOptions) error {
	list, err := client.CoreV1().Services(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, s := range list.Items {
		if namespace == metav1.NamespaceDefault && s.Name == "kubernetes" {
			continue
		}
		if err := client.CoreV1().Services(namespace).Delete(ctx, s.Name, now); err != nil &&
			!apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

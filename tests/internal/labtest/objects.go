package labtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// object is an object in a cluster.
type object struct {
	Resource        schema.GroupVersionResource
	Namespace, Name string
	deleting        bool
}

func (o object) String() string {
	return fmt.Sprintf("%s %s/%s", o.Resource.GroupResource(), o.Namespace, o.Name)
}

// passing are the resources that the control plane creates and deletes by itself, and nodes, which the start of a stack
// restores.
var passing = []string{"events", "leases", "componentstatuses", "endpoints", "endpointslices", "nodes", "csinodes"}

// ownOfNamespaces are the objects that the control plane creates in each namespace, a while after it is ready.
var ownOfNamespaces = []string{"configmaps kube-root-ca.crt", "serviceaccounts default"}

// recordObjects writes the objects of a new cluster into the directory.
func recordObjects(ctx context.Context, kubeconfig, dir string) error {
	c, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	kinds, err := c.kinds()
	if err != nil {
		return err
	}
	all, err := c.objects(ctx, kinds)
	if err != nil {
		return err
	}
	content, err := json.Marshal(names(all))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "objects.json"), content, 0o600)
}

// restoreObjects deletes the objects that the new cluster did not have. It returns an error if objects are left or are
// missing.
func restoreObjects(ctx context.Context, kubeconfig, dir string) error {
	var want []string
	content, err := os.ReadFile(filepath.Join(dir, "objects.json"))
	if err == nil {
		err = json.Unmarshal(content, &want)
	}
	if err != nil {
		return err
	}
	c, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	kinds, err := c.kinds()
	if err != nil {
		return err
	}
	// Controllers may create more objects until all are deleted.
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		all, err := c.objects(ctx, kinds)
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(all), func(o object) bool { return slices.Contains(want, o.String()) })
		if len(left) == 0 {
			have := names(all)
			missing := slices.DeleteFunc(want, func(o string) bool { return slices.Contains(have, o) })
			if len(missing) > 0 {
				return fmt.Errorf("missing: %s", strings.Join(missing, ", "))
			}
			return nil
		}
		if err := c.delete(ctx, left, deadline); err != nil {
			return err
		}
	}
}

// delete deletes objects, and returns when none of them exists.
func (c connection) delete(ctx context.Context, objects []object, deadline time.Time) error {
	var kinds []schema.GroupVersionResource
	for _, o := range objects {
		if !slices.Contains(kinds, o.Resource) {
			kinds = append(kinds, o.Resource)
		}
	}
	removed := names(objects)
	for {
		if err := c.remove(ctx, objects); err != nil {
			return err
		}
		all, err := c.objects(ctx, kinds)
		if err != nil {
			return err
		}
		objects = slices.DeleteFunc(all, func(o object) bool { return !slices.Contains(removed, o.String()) })
		if len(objects) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("left: %s", strings.Join(names(objects), ", "))
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func names(objects []object) []string {
	all := make([]string, 0, len(objects))
	for _, o := range objects {
		all = append(all, o.String())
	}
	slices.Sort(all)
	return all
}

// connection reads and deletes objects of any kind.
type connection struct {
	discovery *discovery.DiscoveryClient
	client    metadata.Interface
}

func connect(kubeconfig string) (connection, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return connection{}, err
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	kinds, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return connection{}, err
	}
	client, err := metadata.NewForConfig(config)
	return connection{kinds, client}, err
}

// kinds returns the kinds of objects, except the ones that the control plane creates and deletes by itself.
func (c connection) kinds() ([]schema.GroupVersionResource, error) {
	groups, err := c.discovery.ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	var kinds []schema.GroupVersionResource
	for _, group := range groups {
		version, err := schema.ParseGroupVersion(group.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range group.APIResources {
			if slices.Contains(kind.Verbs, "list") && slices.Contains(kind.Verbs, "delete") &&
				!slices.Contains(passing, kind.Name) {
				kinds = append(kinds, version.WithResource(kind.Name))
			}
		}
	}
	return kinds, nil
}

// objects returns the objects of the kinds.
func (c connection) objects(ctx context.Context, kinds []schema.GroupVersionResource) ([]object, error) {
	var all []object
	for _, kind := range kinds {
		list, err := c.client.Resource(kind).List(ctx, metav1.ListOptions{})
		if apierrors.IsNotFound(err) {
			continue // its definition was deleted in the meantime
		}
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", kind.Resource, err)
		}
		for _, o := range list.Items {
			if !slices.Contains(ownOfNamespaces, kind.Resource+" "+o.GetName()) {
				all = append(all, object{kind, o.GetNamespace(), o.GetName(), o.GetDeletionTimestamp() != nil})
			}
		}
	}
	return all, nil
}

// remove deletes objects at once.
func (c connection) remove(ctx context.Context, objects []object) error {
	background := metav1.DeletePropagationBackground
	var errs []error
	for _, o := range objects {
		if o.deleting && o.Resource.Resource != "pods" {
			continue
		}
		err := c.client.Resource(o.Resource).Namespace(o.Namespace).Delete(ctx, o.Name,
			metav1.DeleteOptions{GracePeriodSeconds: new(int64), PropagationPolicy: &background})
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			errs = append(errs, fmt.Errorf("delete %s: %w", o, err))
		}
	}
	return errors.Join(errs...)
}

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/internal/lab"
)

// idle are the running labs that tests have left empty, at most one for each stack: to start a control plane takes as
// much processor time as a deployment, and an unused one takes some too.
var idle = struct {
	sync.Mutex
	labs map[string]sharedLab
}{labs: map[string]sharedLab{}}

// sharedLab is a lab that several tests use, one at a time.
type sharedLab struct {
	testLab

	// fresh are the objects in its cluster before the first test.
	fresh []string
}

// emptyLab returns a running lab for a stack of the checkout, without a deployment: an idle one or a new one. The test
// has exclusive use of it. If the test does not leave it empty, the lab is taken down.
func emptyLab(t *testing.T, stack string) testLab {
	t.Helper()
	idle.Lock()
	l, ok := idle.labs[stack]
	delete(idle.labs, stack)
	idle.Unlock()
	if !ok {
		var err error
		l.testLab, err = newSharedLab(checkout(t), t.Output())
		check(t, err)
	}
	shown := &tail{to: t.Output(), live: testing.Verbose()}
	l.Out.Redirect(shown)
	t.Cleanup(func() {
		err := errors.New("the test has failed")
		if t.Failed() {
			if err := l.Status(context.Background()); err != nil {
				t.Logf("status: %v", err)
			}
			shown.show()
		}
		l.Out.Redirect(io.Discard)
		if !t.Failed() {
			err = l.release(stack)
		}
		if err != nil {
			t.Logf("the lab is taken down: %v", err)
			if err := l.End(); err != nil {
				t.Error(err)
			}
		}
	})
	if !ok {
		check(t, l.Start(t.Context(), lab.Options{Stack: stack}))
		var err error
		l.fresh, err = objects(t.Context(), l.Kubeconfig())
		check(t, err)
	}
	l.Out.Take()
	return l.testLab
}

func newSharedLab(root string, to io.Writer) (testLab, error) {
	dir, err := os.MkdirTemp(scratch, "")
	if err != nil {
		return testLab{}, err
	}
	return makeLab(root, filepath.Join(dir, "lab"), to)
}

// release makes the lab available to other tests if it is empty and no other lab of its stack is idle.
func (l sharedLab) release(stack string) error {
	// Other tests do not need the states of Pulumi and Azure.
	if err := errors.Join(os.RemoveAll(l.AzureDir()), os.RemoveAll(filepath.Join(l.Dir, "pulumi"))); err != nil {
		return err
	}
	l.Stacks = filepath.Join(l.Root, "stacks")
	// Restore the nodes.
	if err := l.Start(context.Background(), lab.Options{Stack: stack}); err != nil {
		return err
	}
	if err := l.checkFresh(); err != nil {
		return err
	}
	idle.Lock()
	defer idle.Unlock()
	if _, enough := idle.labs[stack]; enough {
		return errors.New("another one is idle")
	}
	idle.labs[stack] = l
	return nil
}

// checkFresh returns an error if the objects in the cluster are not the initial ones. It waits for pods that are being
// deleted.
func (l sharedLab) checkFresh() error {
	var have []string
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		var err error
		have, err = objects(context.Background(), l.Kubeconfig())
		if err != nil {
			return err
		}
		if slices.Equal(l.fresh, have) {
			return nil
		}
	}
	return fmt.Errorf("it is not empty (-fresh +left):\n%s", cmp.Diff(l.fresh, have))
}

// endIdle takes down the idle labs.
func endIdle() error {
	var errs []error
	for _, l := range idle.labs {
		errs = append(errs, l.End())
	}
	return errors.Join(errs...)
}

// passing are the kinds of objects that the control plane creates and deletes by itself.
var passing = []string{"Event", "Lease", "ComponentStatus"}

// ownOfNamespaces are the objects that the control plane creates in each namespace, a while after it is ready.
var ownOfNamespaces = []string{"ConfigMap kube-root-ca.crt", "ServiceAccount default"}

// objects returns the names of all other objects in a cluster, sorted.
func objects(ctx context.Context, kubeconfig string) ([]string, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	kinds, err := discovery.NewDiscoveryClientForConfigOrDie(config).ServerPreferredResources()
	if err != nil {
		return nil, err
	}
	client := dynamic.NewForConfigOrDie(config)
	var all []string
	for _, group := range kinds {
		version, err := schema.ParseGroupVersion(group.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, kind := range group.APIResources {
			if !slices.Contains(kind.Verbs, "list") || slices.Contains(passing, kind.Kind) {
				continue
			}
			list, err := client.Resource(version.WithResource(kind.Name)).List(ctx, metav1.ListOptions{})
			if err != nil {
				return nil, fmt.Errorf("list %s: %w", kind.Name, err)
			}
			for _, object := range list.Items {
				if slices.Contains(ownOfNamespaces, kind.Kind+" "+object.GetName()) {
					continue
				}
				all = append(all, kind.Kind+" "+object.GetNamespace()+"/"+object.GetName())
			}
		}
	}
	slices.Sort(all)
	return all, nil
}

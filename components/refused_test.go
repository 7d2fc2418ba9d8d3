package components_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// ends are the constructors with whose error a guarded preview ends: what they register follows from their arguments, or
// the rest of the program needs it.
var ends = []string{
	"aks.Existing", "aks.ExistingCluster.NewNodePool", "aks.NewCluster", "aks.NewNodePool", "connectivity.NewSuite",
	"hostprocess.NewFlannel", "hostprocess.NewKubeProxy", "kubeadm.NewCluster", "kubeadm.NewNodePool",
	"logmonitor.NewConfig", "manifest.NewChart", "manifest.NewGroup",
}

// Nil arguments are the same as empty ones: the error says what is missing. A preview under the guard shows it at the
// component, and continues.
func TestNilArgumentsAreEmptyOnes(t *testing.T) {
	t.Parallel()
	all := instances(t)
	var ending []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		if c.args == nil {
			continue
		}
		typ := reflect.TypeOf(c.args)
		empty := constructor{c.call, reflect.New(typ.Elem()).Interface()}
		missing := constructor{c.call, reflect.Zero(typ).Interface()}
		_, want := empty.run()
		_, got := missing.run()
		if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
			t.Errorf("%s: with nil arguments the error is %v, and with empty ones %v", name, got, want)
		}
		if got == nil {
			continue
		}
		continued := errors.New("the program continues")
		guarded := guard.Program(func(ctx *pulumi.Context) error {
			if err := guard.Enforce(ctx, guard.Args{}); err != nil {
				return err
			}
			return errors.Join(missing.program()(ctx), continued)
		})
		graph, err := mocktest.Run(guarded, c.azure(), mocktest.Preview())
		shown := slices.ContainsFunc(graph.Logs(), func(l mocktest.Log) bool {
			// The error without the guard also has findings about the pods.
			_, problem, _ := strings.Cut(l.Message, ": ")
			return l.URN != "" && l.URN.Name() == it && strings.HasSuffix(got.Error(), problem)
		})
		if !shown {
			ending = append(ending, name)
		}
		if !errors.Is(err, continued) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(ending, ends) {
		t.Errorf("a preview ends with the error of %q, want %q", ending, ends)
	}
}

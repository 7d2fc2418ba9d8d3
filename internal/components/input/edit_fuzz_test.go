package input_test

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// possible are edits that pods need.
var possible = []mutate.Edit{
	{Path: []string{"os", "name"}, Value: "windows"},
	{Path: []string{"runtimeClassName"}, Value: "windows-2022"},
	{Path: []string{"nodeSelector", "kubernetes.io/os"}, Value: "windows"},
	{Path: []string{"nodeSelector", "node.kubernetes.io/windows-build"}, Value: "10.0.20348"},
	{Path: []string{"tolerations"}, Value: []any{
		map[string]any{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"},
		map[string]any{"operator": "Exists", "tolerationSeconds": int64(30)},
	}},
	{Path: []string{"securityContext", "windowsOptions", "hostProcess"}, Value: true},
	{Path: []string{"securityContext", "windowsOptions", "runAsUserName"}, Value: `NT AUTHORITY\SYSTEM`},
	{Path: []string{"securityContext", "windowsOptions", "gmsaCredentialSpecName"}, Value: "web"},
	{Path: []string{"hostNetwork"}, Value: true},
	{Path: append(requiredAffinity(), "nodeSelectorTerms"), Value: []any{map[string]any{"matchExpressions": []any{
		map[string]any{"key": "pool", "operator": "In", "values": []any{"win22", "win25"}},
	}}}},
}

// removable are edits that remove what pods have, or what the edits above add.
var removable = []mutate.Edit{
	{Path: []string{"os", "name"}, Value: "a", Remove: true},
	{Path: []string{"os", "name"}, Remove: true},
	{Path: []string{"runtimeClassName"}, Value: "b", Remove: true},
	{Path: []string{"nodeSelector", "kubernetes.io/os"}, Value: "a", Remove: true},
	{Path: []string{"nodeSelector", "disk"}, Remove: true},
	{Path: []string{"nodeSelector", "node.kubernetes.io/windows-build"}, Value: "10.0.20348", Remove: true},
	{Path: []string{"tolerations"}, Value: []any{
		map[string]any{"key": "c", "operator": "Exists", "tolerationSeconds": int64(1)},
		map[string]any{"operator": "Exists", "tolerationSeconds": int64(30)},
	}, Remove: true},
	{Path: []string{"tolerations", tree.Each, "key"}, Value: "b", Remove: true},
	{Path: []string{"securityContext", "windowsOptions", "hostProcess"}, Value: false, Remove: true},
	{Path: []string{"securityContext", "windowsOptions", "runAsUserName"}, Value: "c", Remove: true},
	{Path: []string{"securityContext", "runAsNonRoot"}, Value: true, Remove: true},
	{Path: []string{"hostNetwork"}, Value: true, Remove: true},
	{Path: append(requiredAffinity(), "nodeSelectorTerms"), Value: []any{map[string]any{}}, Remove: true},
	{Path: append(requiredAffinity(), "nodeSelectorTerms", tree.Each, "matchExpressions"), Value: []any{
		map[string]any{"key": "a", "operator": "In", "values": []any{"a"}},
		map[string]any{"key": "pool", "operator": "In", "values": []any{"win22", "win25"}},
	}, Remove: true},
	{Path: []string{"affinity", "nodeAffinity"}, Value: map[string]any{}, Remove: true},
	{Path: []string{"containers", tree.Each, "name"}, Value: "b", Remove: true},
}

func requiredAffinity() []string {
	return []string{"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}
}

// choices are made by the bytes of a fuzz test; they never end.
type choices struct{ data []byte }

func (c *choices) of(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	first := c.data[0]
	c.data = c.data[1:]
	return int(first) % n
}

// inputOf returns an input in one of the forms in which programs pass it: not set, plain, an
// output of one of these, which may be secret, or an output that is not known.
func inputOf[E any, I pulumi.Input](c *choices, plain ...func() I) I {
	var in I
	if which := c.of(len(plain) + 1); which > 0 {
		in = plain[which-1]()
	}
	var out pulumi.Output
	switch form := c.of(5); {
	case form < 2:
		return in
	case form == 4:
		out = pulumi.UnsafeUnknownOutput(nil).ApplyT(func(any) (value E) { return value })
	case input.Missing(in):
		out = pulumi.ToOutput(0).ApplyT(func(int) (value E) { return value })
	default:
		out = pulumi.ToOutput(in)
	}
	if c.of(2) == 1 {
		out = pulumi.ToSecret(out)
	}
	return out.(I)
}

func (c *choices) text() pulumi.StringInput {
	return inputOf[string](c, func() pulumi.StringInput { return pulumi.String("a") })
}

// required is text for a field that always has a value.
func (c *choices) required() pulumi.StringInput {
	if in := c.text(); in != nil {
		return in
	}
	return pulumi.String("a")
}

func (c *choices) optional() pulumi.StringPtrInput {
	return inputOf[*string](c,
		func() pulumi.StringPtrInput { return pulumi.String("b") },
		func() pulumi.StringPtrInput { return pulumi.StringPtr("c") },
		func() pulumi.StringPtrInput { return (*pulumi.String)(nil) },
	)
}

func (c *choices) flag() pulumi.BoolPtrInput {
	return inputOf[*bool](c,
		func() pulumi.BoolPtrInput { return pulumi.Bool(false) },
		func() pulumi.BoolPtrInput { return pulumi.BoolPtr(true) },
	)
}

func (c *choices) os() pulumicorev1.PodOSPtrInput {
	args := func() pulumicorev1.PodOSArgs { return pulumicorev1.PodOSArgs{Name: c.text()} }
	return inputOf[*pulumicorev1.PodOS](c,
		func() pulumicorev1.PodOSPtrInput { return args() },
		func() pulumicorev1.PodOSPtrInput { return new(args()) },
		func() pulumicorev1.PodOSPtrInput { return pulumicorev1.PodOSPtr(new(args())) },
		func() pulumicorev1.PodOSPtrInput { return pulumicorev1.PodOSPtr(nil) },
	)
}

func (c *choices) nodeSelector() pulumi.StringMapInput {
	return inputOf[map[string]string](c,
		func() pulumi.StringMapInput { return pulumi.StringMap(nil) },
		func() pulumi.StringMapInput { return pulumi.StringMap{"disk": c.text()} },
		func() pulumi.StringMapInput { return pulumi.StringMap{"disk": c.text(), "kubernetes.io/os": c.text()} },
	)
}

func (c *choices) tolerations() pulumicorev1.TolerationArrayInput {
	args := func() pulumicorev1.TolerationArgs {
		return pulumicorev1.TolerationArgs{
			Key: c.optional(), Operator: pulumi.String("Exists"), TolerationSeconds: pulumi.IntPtr(1),
		}
	}
	one := func() pulumicorev1.TolerationInput {
		if c.of(2) == 0 {
			return args()
		}
		return args().ToTolerationOutput()
	}
	return inputOf[[]pulumicorev1.Toleration](c,
		func() pulumicorev1.TolerationArrayInput { return pulumicorev1.TolerationArray(nil) },
		func() pulumicorev1.TolerationArrayInput { return pulumicorev1.TolerationArray{} },
		func() pulumicorev1.TolerationArrayInput { return pulumicorev1.TolerationArray{one(), one()} },
	)
}

func (c *choices) windowsOptions() pulumicorev1.WindowsSecurityContextOptionsPtrInput {
	args := func() pulumicorev1.WindowsSecurityContextOptionsArgs {
		return pulumicorev1.WindowsSecurityContextOptionsArgs{
			HostProcess: c.flag(), RunAsUserName: c.optional(), GmsaCredentialSpecName: c.optional(),
		}
	}
	return inputOf[*pulumicorev1.WindowsSecurityContextOptions](c,
		func() pulumicorev1.WindowsSecurityContextOptionsPtrInput { return args() },
		func() pulumicorev1.WindowsSecurityContextOptionsPtrInput {
			return pulumicorev1.WindowsSecurityContextOptionsPtr(new(args()))
		},
	)
}

func (c *choices) securityContext() pulumicorev1.PodSecurityContextPtrInput {
	args := func() pulumicorev1.PodSecurityContextArgs {
		return pulumicorev1.PodSecurityContextArgs{RunAsNonRoot: pulumi.Bool(true), WindowsOptions: c.windowsOptions()}
	}
	return inputOf[*pulumicorev1.PodSecurityContext](c,
		func() pulumicorev1.PodSecurityContextPtrInput { return args() },
		func() pulumicorev1.PodSecurityContextPtrInput { return pulumicorev1.PodSecurityContextPtr(new(args())) },
	)
}

func (c *choices) affinity() pulumicorev1.AffinityPtrInput {
	terms := func() pulumicorev1.NodeSelectorTermArrayInput {
		return inputOf[[]pulumicorev1.NodeSelectorTerm](c, func() pulumicorev1.NodeSelectorTermArrayInput {
			return pulumicorev1.NodeSelectorTermArray{pulumicorev1.NodeSelectorTermArgs{}}
		}, func() pulumicorev1.NodeSelectorTermArrayInput {
			return pulumicorev1.NodeSelectorTermArray{pulumicorev1.NodeSelectorTermArgs{
				MatchExpressions: inputOf[[]pulumicorev1.NodeSelectorRequirement](c,
					func() pulumicorev1.NodeSelectorRequirementArrayInput {
						return pulumicorev1.NodeSelectorRequirementArray{pulumicorev1.NodeSelectorRequirementArgs{
							Key: c.required(), Operator: pulumi.String("In"), Values: pulumi.StringArray{c.required()},
						}}
					}),
			}}
		})
	}
	node := func() pulumicorev1.NodeAffinityPtrInput {
		return inputOf[*pulumicorev1.NodeAffinity](c, func() pulumicorev1.NodeAffinityPtrInput {
			return pulumicorev1.NodeAffinityArgs{
				RequiredDuringSchedulingIgnoredDuringExecution: inputOf[*pulumicorev1.NodeSelector](c,
					func() pulumicorev1.NodeSelectorPtrInput {
						return pulumicorev1.NodeSelectorArgs{NodeSelectorTerms: terms()}
					},
				),
			}
		})
	}
	return inputOf[*pulumicorev1.Affinity](c,
		func() pulumicorev1.AffinityPtrInput { return pulumicorev1.AffinityArgs{NodeAffinity: node()} },
		func() pulumicorev1.AffinityPtrInput {
			return pulumicorev1.AffinityPtr(&pulumicorev1.AffinityArgs{NodeAffinity: node()})
		},
	)
}

func (c *choices) pods() pulumicorev1.PodSpecArgs {
	return pulumicorev1.PodSpecArgs{
		Os: c.os(), RuntimeClassName: c.optional(), NodeSelector: c.nodeSelector(), Tolerations: c.tolerations(),
		SecurityContext: c.securityContext(), HostNetwork: c.flag(), Affinity: c.affinity(),
		Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{Name: c.text()}},
	}
}

// FuzzEdit compares edited arguments with the edited plain tree. The edits are some that remove, some that add, and
// some that remove.
func FuzzEdit(f *testing.F) {
	for form := range byte(5) {
		for kind := range byte(5) {
			f.Add(slices.Repeat([]byte{kind, form, 1}, 20), uint16(0), uint16(1<<len(possible)-1), uint16(0))
			f.Add(slices.Repeat([]byte{kind, form}, 30), uint16(0), uint16(0b1010101010), uint16(0))
			f.Add(slices.Repeat([]byte{kind, form, 1, form, 2}, 12), uint16(1<<len(removable)-1), uint16(0), uint16(0))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		data := make([]byte, 60)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		some := func() uint16 { return uint16(random.Uint32() & random.Uint32()) }
		switch i % 3 {
		case 0:
			f.Add(data, uint16(0), uint16(random.Uint32()), uint16(0))
		case 1:
			f.Add(data, uint16(random.Uint32()), uint16(0), uint16(0))
		default:
			f.Add(data, some(), some(), some())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, first, which, last uint16) {
		edits := slices.Concat(selected(removable, first), selected(possible, which), selected(removable, last))
		args, twin := (&choices{data}).pods(), (&choices{data}).pods()
		before := input.Resolved(t.Context(), args).(map[string]any)
		edited, err := input.Edit(args, edits)
		if err != nil {
			t.Fatal(err)
		}
		after := input.Resolved(t.Context(), edited)
		want := mutate.Apply(revealed(before).(map[string]any), edits)
		if diff := cmp.Diff(any(want), filled(revealed(after), want, before)); diff != "" {
			t.Errorf("%v: the edited pods (-the edited tree +got):\n%s", edits, diff)
		}
		if path := shown(before, after, first|last != 0); path != "" {
			t.Errorf("%s is no longer secret", path)
		}
		if diff := cmp.Diff(twin, args, byValue(t)); diff != "" {
			t.Errorf("the original pods have changed (-before +after):\n%s", diff)
		}
		watched, err := input.Watch(args, nil, func([]string, any) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		// Pointers of the SDK's helpers become arguments.
		if diff := cmp.Diff(input.Resolved(t.Context(), args), input.Resolved(t.Context(), watched)); diff != "" {
			t.Errorf("the watched pods (-original +got):\n%s", diff)
		}
	})
}

// selected returns the edits of the bits that are set.
func selected(of []mutate.Edit, which uint16) (edits []mutate.Edit) {
	for i, e := range of {
		if which&(1<<i) != 0 {
			edits = append(edits, e)
		}
	}
	return edits
}

// filled returns a tree with parts of another one in place of what is not known of it, because something in this
// part was not known before.
func filled(v, from, before any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			if v[key] = filled(v[key], tree.Map(from)[key], tree.Map(before)[key]); v[key] == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			if of := tree.List(from); i < len(of) {
				v[i] = filled(v[i], of[i], before)
			}
		}
	case tree.Unknown:
		if hasUnknown(before) {
			return from
		}
	}
	return v
}

func hasUnknown(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasUnknown)
	case []any:
		return slices.ContainsFunc(v, hasUnknown)
	default:
		return tree.IsUnknown(v)
	}
}

// byValue compares outputs by type and value.
func byValue(t *testing.T) cmp.Option {
	t.Helper()
	return cmp.Comparer(func(a, b pulumi.Output) bool {
		return reflect.TypeOf(a) == reflect.TypeOf(b) &&
			cmp.Equal(input.Resolved(t.Context(), a), input.Resolved(t.Context(), b))
	})
}

// revealed returns a copy of a tree without secrets.
func revealed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for key := range out {
			out[key] = revealed(out[key])
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = revealed(out[i])
		}
		return out
	default:
		return tree.Reveal(v)
	}
}

// shown returns the path of a leaf that was secret before and no longer is, "" if there is none. Removals change the
// indexes of lists, which are left out then.
func shown(before, after any, removals bool) string {
	switch before := before.(type) {
	case map[string]any:
		for key, element := range before {
			if path := shown(element, tree.Map(after)[key], removals); path != "" {
				return key + "." + path
			}
		}
	case []any:
		for i, element := range before {
			if removals {
				break
			}
			if path := shown(element, tree.List(after)[i], removals); path != "" {
				return "list." + path
			}
		}
	case tree.Secret:
		if _, secret := after.(tree.Secret); !secret && (!removals || tree.Equal(before, after)) {
			return "value"
		}
	}
	return ""
}

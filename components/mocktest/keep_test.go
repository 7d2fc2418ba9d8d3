package mocktest_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// reread returns a graph after a round trip through a file.
func reread(t *testing.T, graph *mocktest.Graph) *mocktest.Graph {
	t.Helper()
	data, err := json.Marshal(graph)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "hidden") {
		t.Errorf("a secret is in the file: %s", data)
	}
	read := &mocktest.Graph{}
	if err := json.Unmarshal(data, read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestGraphIsRestoredFromAFile(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		s, err := newSite(ctx, "web", pulumi.Aliases([]pulumi.Alias{{Name: str("old")}}))
		if err != nil {
			return err
		}
		b, err := newBucket(ctx, "b", pulumi.Map{
			"secret": pulumi.ToSecret(pulumi.Map{"a": str("hidden")}),
			"list":   pulumi.Array{pulumi.Int(1), pulumi.Bool(true)},
			"odd":    pulumi.Map{"$secret": str("no secret")}, "half": pulumi.Float64(0.5), "from": s.Endpoint,
			"asset": pulumi.NewStringAsset("text"), "deep": pulumi.Map{"$a": pulumi.Map{"$b": pulumi.Array{}}},
		}, pulumi.Protect(true), pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "5m"}))
		ctx.Export("key", pulumi.ToSecret(b.Status))
		return err
	}, status)
	read := reread(t, graph)
	diff(t, graph.String(), read.String())
	again, err := json.Marshal(read)
	diff(t, nil, err)
	first, err := json.Marshal(graph)
	diff(t, nil, err)
	diff(t, string(first), string(again))
}

// secrets returns a program with a secret, and with values that come from it.
func secrets(key string, more pulumi.Map) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		props := pulumi.Map{"data": pulumi.Map{"key": pulumi.ToSecret(str(key)), "other": str("a")}}
		maps.Copy(props, more)
		c, err := newThing(ctx, configMap, "c", props, pulumi.AdditionalSecretOutputs([]string{"output"}))
		if err != nil {
			return err
		}
		_, err = newThing(ctx, deployment, "d", pulumi.Map{"spec": pulumi.Map{"selector": c.Output}})
		return err
	}
}

func TestChangesAfterAGraphFromAFile(t *testing.T) {
	t.Parallel()
	output := func(v string) pulumi.Map { return pulumi.Map{"output": str(v)} }
	const (
		notKnown = `    perhaps because data.key: kubernetes replaces it for a change of data
    data.key: not known whether it differs
    output: not known whether it differs
`
		selector = `? kubernetes:apps/v1:Deployment "d": replacement not known
    perhaps because spec.selector: kubernetes replaces it for a change of spec.selector
    spec.selector: not known whether it differs
`
	)
	for name, x := range map[string]struct {
		after pulumi.RunFunc
		want  string
	}{
		"a secret stays": {
			secrets("hidden", output("hidden")),
			selector + "? kubernetes:core/v1:ConfigMap \"c\": replacement not known\n" + notKnown,
		},
		"a secret changes": {
			secrets("hidden-2", output("hidden-2")),
			selector + "? kubernetes:core/v1:ConfigMap \"c\": replacement not known\n" + notKnown,
		},
		"something else changes": {
			secrets("hidden", pulumi.Map{"output": str("hidden"), "immutable": pulumi.Bool(true)}),
			selector + "? kubernetes:core/v1:ConfigMap \"c\": changed, replacement not known\n" +
				"    immutable: nothing → true\n" + notKnown,
		},
		"the secret is still unknown": {
			one(configMap, "c", pulumi.Map{"data": pulumi.Map{
				"key": mocktest.Unknown[pulumi.StringOutput](), "other": str("a"),
			}, "output": str("hidden")}),
			"- kubernetes:apps/v1:Deployment \"d\": delete\n? kubernetes:core/v1:ConfigMap \"c\": " +
				"replacement not known\n" + notKnown,
		},
		"the secret is removed": {
			one(configMap, "c", pulumi.Map{"data": pulumi.Map{"other": str("a")}, "output": str("hidden")}),
			`- kubernetes:apps/v1:Deployment "d": delete
± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    data.key: [secret] → nothing
    because data.key: kubernetes replaces it for a change of data
    output: not known whether it differs
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := reread(t, mocktest.MustRun(t, secrets("hidden", output("hidden")), status))
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier))
			diff(t, x.want, graph.Changes().String())
		})
	}
}

// A cluster's kubeconfig is a secret output of a resource that stays: its absence from the file replaces nothing.
func TestAKubeconfigThatWasNotStoredReplacesNothing(t *testing.T) {
	t.Parallel()
	program := func(ctx *pulumi.Context) error {
		c, err := newThing(ctx, "azure-native:containerservice:ManagedCluster", "shop",
			pulumi.Map{"resourceName": str("shop")}, pulumi.AdditionalSecretOutputs([]string{"status"}))
		if err != nil {
			return err
		}
		p := &cloud{}
		err = ctx.RegisterResource("pulumi:providers:kubernetes", "shop", pulumi.Map{"kubeconfig": c.Status}, p)
		if err != nil {
			return err
		}
		_, err = newThing(ctx, deployment, "web", nil, pulumi.Provider(p))
		return err
	}
	earlier := reread(t, mocktest.MustRun(t, program, status))
	graph := mocktest.MustRun(t, program, mocktest.Preview(), mocktest.After(earlier))
	diff(t, "", graph.Changes().String())
}

// A resource that a change of a secret may replace counts as one that may be removed.
func TestASecretThatWasNotStoredMayReplace(t *testing.T) {
	t.Parallel()
	const secret = "kubernetes:core/v1:Secret"
	hidden := pulumi.ToSecret(str("hidden"))
	data := pulumi.Map{"stringData": pulumi.Map{"password": hidden}}
	kubeconfig := pulumi.Map{"kubeconfig": hidden}
	bucket := func(options ...pulumi.ResourceOption) pulumi.RunFunc {
		return one("shop:index:Bucket", "b", pulumi.Map{"size": hidden}, options...)
	}
	const ofProvider = "    perhaps because its provider has changed: kubeconfig: kubernetes replaces it for a " +
		`change of kubeconfig
? pulumi:providers:kubernetes "cluster": replacement not known
    perhaps because kubeconfig: kubernetes replaces it for a change of kubeconfig
    kubeconfig: not known whether it differs
`
	for name, x := range map[string]struct {
		program pulumi.RunFunc
		want    string
	}{
		"of a Secret": {one(secret, "s", data), `? kubernetes:core/v1:Secret "s": replacement not known
    perhaps because stringData.password: kubernetes replaces it for a change of stringData
    stringData.password: not known whether it differs
`},
		"of a Deployment, which changes in place": {
			one(deployment, "d", pulumi.Map{"spec": pulumi.Map{"paused": hidden}}), "",
		},
		"of the kubeconfig of a provider": {
			withProvider(kubeconfig), "? kubernetes:core/v1:ConfigMap \"c\": replacement not known\n" + ofProvider,
		},
		"of a kubeconfig, of a cluster that has a name": {
			withProvider(pulumi.Map{"kubeconfig": hidden, "clusterIdentifier": str("shop")}), "",
		},
		"in ReplaceOnChanges": {
			one(deployment, "d", pulumi.Map{"spec": pulumi.Map{"paused": hidden}},
				pulumi.ReplaceOnChanges([]string{"spec"})),
			`? kubernetes:apps/v1:Deployment "d": replacement not known
    perhaps because spec.paused: matches ReplaceOnChanges
    spec.paused: not known whether it differs
`,
		},
		"of a component, which is never replaced": {func(ctx *pulumi.Context) error {
			return ctx.RegisterComponentResourceV2("shop:index:Box", "box", pulumi.Map{"key": hidden},
				&pulumi.ResourceState{}, pulumi.ReplaceOnChanges([]string{"key"}))
		}, ""},
		"that is a trigger": {
			one(deployment, "d", nil, pulumi.ReplacementTrigger(hidden)),
			`? kubernetes:apps/v1:Deployment "d": replacement not known
    perhaps because ReplacementTrigger has changed
`,
		},
		"of what another resource is replaced with": {func(ctx *pulumi.Context) error {
			s, err := newThing(ctx, secret, "s", data)
			if err != nil {
				return err
			}
			return plainDeployment("d", pulumi.ReplaceWith([]pulumi.Resource{s}))(ctx)
		}, `? kubernetes:apps/v1:Deployment "d": replacement not known
    perhaps because ` + stackURN + secret + `::s is replaced, and the option ReplaceWith names it
? kubernetes:core/v1:Secret "s": replacement not known
    perhaps because stringData.password: kubernetes replaces it for a change of stringData
    stringData.password: not known whether it differs
`},
		"of an input that is ignored": {bucket(pulumi.IgnoreChanges([]string{"size"})), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := reread(t, mocktest.MustRun(t, x.program))
			graph := mocktest.MustRun(t, x.program, mocktest.Preview(), mocktest.After(earlier))
			diff(t, x.want, graph.Changes().Removed().String())
		})
	}
}

// Values from a resource are unknown if it is unknown whether the resource is replaced. If its inputs have changed, its
// outputs are unknown in a preview of the engine too.
func TestOutputsOfPossiblyReplacedResources(t *testing.T) {
	t.Parallel()
	program := func(typ string, props pulumi.Map) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			from, err := newThing(ctx, typ, "from", props)
			if err != nil {
				return err
			}
			_, err = newThing(ctx, configMap, "c", pulumi.Map{"data": pulumi.Map{"status": from.Status}})
			return err
		}
	}
	hidden := pulumi.Map{"data": pulumi.ToSecret(str("hidden"))}
	earlier := reread(t, mocktest.MustRun(t, program("kubernetes:core/v1:Secret", hidden), status))
	changes := mocktest.MustRun(t, program("kubernetes:core/v1:Secret", hidden), mocktest.Preview(),
		mocktest.After(earlier)).Changes()
	diff(t, `? kubernetes:core/v1:ConfigMap "c": replacement not known
    perhaps because data.status: kubernetes replaces it for a change of data
    data.status: not known whether it differs
`, changes.OfType(configMap).String())

	const bucket = "shop:index:Bucket"
	earlier = mocktest.MustRun(t, program(bucket, pulumi.Map{"size": pulumi.Int(1)}), status)
	changes = mocktest.MustRun(t, program(bucket, pulumi.Map{"size": pulumi.Int(2)}), mocktest.Preview(),
		mocktest.After(earlier)).Changes()
	diff(t, `± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    data.status: "ready from-id" → [unknown]
    because data.status: kubernetes replaces it for a change of data
`, changes.OfType(configMap).String())
}

func TestInvalidFilesAreRefused(t *testing.T) {
	t.Parallel()
	const head = `{"format":"mixedkube.mocktest/v1","resources":[{"urn":"urn:pulumi:s::p::t:t:T::n",`
	for data, want := range map[string]string{
		`[]`: "mocktest: not a graph: json: cannot unmarshal array into Go value of type mocktest.file",
		`{"format":"mixedkube.mocktest/v9"}`: `mocktest: format: "mixedkube.mocktest/v9": the graph has another ` +
			`version: want "mixedkube.mocktest/v1": run the earlier program again`,
		head + `"inputs":{"a":{"$new":1}}}]}`: `mocktest: urn:pulumi:s::p::t:t:T::n: "$new" is not a valid key in a ` +
			`graph of the format mixedkube.mocktest/v1: run the earlier program again`,
		head + `"inputs":[]}]}`:      "mocktest: urn:pulumi:s::p::t:t:T::n: the properties are not an object",
		head + `"inputs":{"a":1}}]}`: "",
	} {
		diff(t, want, text(json.Unmarshal([]byte(data), &mocktest.Graph{})))
	}
	_, err := json.Marshal(mocktest.MustRun(t, none, mocktest.Preview()))
	diff(t, "json: error calling MarshalJSON for type *mocktest.Graph: mocktest: only the graph of an update can be "+
		"stored: this one is from a preview", text(err))
	_, err = mocktest.Run(none, mocktest.After(reread(t, mocktest.MustRun(t, none))))
	diff(t, "mocktest: After has a graph from a file, which has no secrets, and an update needs them: run the program "+
		"with Preview", text(err))
}

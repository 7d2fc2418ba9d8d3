package mocktest_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// kept is a graph as it comes back from a file.
func kept(t *testing.T, graph *mocktest.Graph) *mocktest.Graph {
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

func TestAGraphComesBackFromAFile(t *testing.T) {
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
	read := kept(t, graph)
	diff(t, graph.String(), read.String())
	again, err := json.Marshal(read)
	diff(t, nil, err)
	first, err := json.Marshal(graph)
	diff(t, nil, err)
	diff(t, string(first), string(again))
}

// secrets is a program with a secret, and with what comes from it.
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
		notKnown = "    data.key: not known whether it differs\n    output: not known whether it differs\n"
		selector = "  kubernetes:apps/v1:Deployment \"d\": same\n    spec.selector: not known whether it differs\n"
	)
	for name, x := range map[string]struct {
		after pulumi.RunFunc
		want  string
	}{
		"a secret stays": {
			secrets("hidden", output("hidden")),
			selector + "  kubernetes:core/v1:ConfigMap \"c\": same\n" + notKnown,
		},
		"a secret changes": {
			secrets("hidden-2", output("hidden-2")),
			selector + "  kubernetes:core/v1:ConfigMap \"c\": same\n" + notKnown,
		},
		"something else changes": {
			secrets("hidden", pulumi.Map{"output": str("hidden"), "immutable": pulumi.Bool(true)}),
			selector + "~ kubernetes:core/v1:ConfigMap \"c\": update\n    immutable: nothing → true\n" + notKnown,
		},
		"the secret is gone": {
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
			earlier := kept(t, mocktest.MustRun(t, secrets("hidden", output("hidden")), status))
			graph := mocktest.MustRun(t, x.after, mocktest.Preview(), mocktest.After(earlier))
			diff(t, x.want, graph.Changes().String())
		})
	}
}

// A cluster's kubeconfig is a secret output of what stays: that it is not in the file replaces nothing.
func TestAKubeconfigThatWasNotKeptReplacesNothing(t *testing.T) {
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
	earlier := kept(t, mocktest.MustRun(t, program, status))
	graph := mocktest.MustRun(t, program, mocktest.Preview(), mocktest.After(earlier))
	diff(t, "  pulumi:providers:kubernetes \"shop\": same\n    kubeconfig: not known whether it differs\n",
		graph.Changes().String())
}

func TestWhatIsNoGraphIsRefused(t *testing.T) {
	t.Parallel()
	const head = `{"format":"mixedkube.mocktest/v1","resources":[{"urn":"urn:pulumi:s::p::t:t:T::n",`
	for data, want := range map[string]string{
		`[]`: "mocktest: not a graph: json: cannot unmarshal array into Go value of type mocktest.file",
		`{"format":"mixedkube.mocktest/v9"}`: `mocktest: format: "mixedkube.mocktest/v9": the graph is of ` +
			`another version: ` +
			`want "mixedkube.mocktest/v1": run the earlier program again`,
		head + `"inputs":{"a":{"$new":1}}}]}`: `mocktest: urn:pulumi:s::p::t:t:T::n: "$new" stands for ` +
			`nothing in mixedkube.mocktest/v1`,
		head + `"inputs":[]}]}`:      "mocktest: urn:pulumi:s::p::t:t:T::n: the properties are not an object",
		head + `"inputs":{"a":1}}]}`: "",
	} {
		diff(t, want, text(json.Unmarshal([]byte(data), &mocktest.Graph{})))
	}
	_, err := json.Marshal(mocktest.MustRun(t, none, mocktest.Preview()))
	diff(t, "json: error calling MarshalJSON for type *mocktest.Graph: mocktest: only the graph of an "+
		"update can be kept: "+
		"this one is of a preview", text(err))
	_, err = mocktest.Run(none, mocktest.After(kept(t, mocktest.MustRun(t, none))))
	diff(t, "mocktest: a graph from a file has no secrets, which an update needs: run with Preview", text(err))
}

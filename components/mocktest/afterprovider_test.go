package mocktest_test

import (
	"strconv"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// withProvider returns a program with an object of an explicit provider.
func withProvider(inputs pulumi.Map, options ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		p := &cloud{}
		if err := ctx.RegisterResource("pulumi:providers:kubernetes", "cluster", inputs, p, options...); err != nil {
			return err
		}
		_, err := newThing(ctx, configMap, "c", pulumi.Map{"data": pulumi.Map{"a": inputs["data"]}}, pulumi.Provider(p))
		return err
	}
}

func TestAnotherProvider(t *testing.T) {
	t.Parallel()
	kubeconfig := func(server string) string {
		return "current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\n" +
			"clusters: [{name: c, cluster: {server: " + server + "}}]\n"
	}
	cluster := func(server string) pulumi.RunFunc {
		return withProvider(pulumi.Map{"kubeconfig": pulumi.ToSecret(str(kubeconfig(server)))})
	}
	identified := func(server string) pulumi.RunFunc {
		return withProvider(pulumi.Map{"kubeconfig": str(kubeconfig(server)), "clusterIdentifier": str("shop")})
	}
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"the same cluster": {cluster("a"), cluster("a"), ""},
		"another cluster": {
			cluster("a"), cluster("b"),
			`± kubernetes:core/v1:ConfigMap "c": replace, the new one comes first
    because its provider has changed: kubeconfig: kubernetes replaces it for a change of kubeconfig
± pulumi:providers:kubernetes "cluster": replace, the new one comes first
    kubeconfig: [secret] → [secret]
    because kubeconfig: kubernetes replaces it for a change of kubeconfig
`,
		},
		"another address of the same cluster": {
			identified("a"), identified("10.0.0.2"),
			"~ pulumi:providers:kubernetes \"cluster\": update\n    kubeconfig: " +
				strconv.Quote(kubeconfig("a")) + " → " +
				strconv.Quote(kubeconfig("10.0.0.2")) + "\n",
		},
		"data of a ConfigMap that the provider changes in place": {
			withProvider(pulumi.Map{"enableConfigMapMutable": pulumi.Bool(true), "data": str("a")}),
			withProvider(pulumi.Map{"enableConfigMapMutable": pulumi.Bool(true), "data": str("b")}),
			`~ kubernetes:core/v1:ConfigMap "c": update
    data.a: "a" → "b"
~ pulumi:providers:kubernetes "cluster": update
    data: "a" → "b"
`,
		},
		"a provider of the program after the default one": {
			one(configMap, "c", pulumi.Map{"data": pulumi.Map{"a": str("a")}}),
			withProvider(pulumi.Map{"data": str("a"), "kubeconfig": str(kubeconfig("a"))}),
			"+ pulumi:providers:kubernetes \"cluster\": create\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := changed(t, x.before, x.after)
			diff(t, "", text(err))
			diff(t, x.want, got)
		})
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	read := func(id string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			return ctx.ReadResource(deployment, "web", pulumi.ID(id), nil, &thing{})
		}
	}
	for name, x := range map[string]struct {
		before, after pulumi.RunFunc
		want          string
	}{
		"it is read again": {read("a"), read("a"), ""},
		"another one is read again": {
			read("a"), read("b"), "> kubernetes:apps/v1:Deployment \"web\": read\n",
		},
		"it is no longer read": {read("a"), none, ""},
		"what was read is made": {
			read("a"), plainDeployment("web"), "+ kubernetes:apps/v1:Deployment \"web\": create\n",
		},
		"what was made is read": {
			plainDeployment("web"), read("web-id"), "> kubernetes:apps/v1:Deployment \"web\": read\n",
		},
		"another one is read": {
			plainDeployment("web"), read("b"),
			`± kubernetes:apps/v1:Deployment "web": replace, the new one comes first
    because the program reads another one in its place
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := changed(t, x.before, x.after)
			diff(t, "", text(err))
			diff(t, x.want, got)
		})
	}
}

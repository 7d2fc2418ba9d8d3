package change_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/mixedkube/mixedkube/components/mocktest/change"
)

type object = map[string]any

// later represents a value that is not known yet.
type later struct{}

func inputs(o object) property.Map {
	return resource.FromResourcePropertyMap(resource.NewPropertyMapFromMapRepl(o, nil,
		func(v any) (resource.PropertyValue, bool) {
			return resource.MakeComputed(resource.NewProperty("")), v == later{}
		}))
}

// summary returns one line for each difference, with "!" before those that replace the resource, and the order of a
// replacement.
func summary(a change.Answer) []string {
	var lines []string
	for _, d := range a.Differences {
		line := string(d.Kind) + " " + d.Path.String()
		if d.Why != "" {
			line = "! " + line
		}
		lines = append(lines, line)
	}
	switch {
	case a.Replaces() && a.DeleteFirst:
		lines = append(lines, "deleted first")
	case a.Replaces():
		lines = append(lines, "created first")
	}
	return lines
}

func named(o object) object {
	o["metadata"] = object{"name": "web", "namespace": "shop"}
	return o
}

// selecting returns a spec with a selector and a number of replicas.
func selecting(app string, replicas int) object {
	return object{"spec": object{"selector": object{"matchLabels": object{"app": app}}, "replicas": replicas}}
}

func image(name string) object {
	return object{"spec": object{"containers": []any{object{"name": "web", "image": name}}}}
}

func TestChangesThatKubernetesReplaces(t *testing.T) {
	t.Parallel()
	data := func(v string) object { return object{"data": object{"a": v}} }
	for name, x := range map[string]struct {
		typ             string
		before, after   object
		state, provider object
		want            []string
	}{
		"nothing changes": {"apps/v1:Deployment", selecting("a", 1), selecting("a", 1), nil, nil, nil},
		"replicas": {
			"apps/v1:Deployment", selecting("a", 1), selecting("a", 2), nil, nil, []string{"changed spec.replicas"},
		},
		"a selector": {
			"apps/v1:Deployment", named(selecting("a", 1)), named(selecting("b", 1)), nil, nil,
			[]string{"! changed spec.selector.matchLabels.app", "deleted first"},
		},
		"a selector of an object that Pulumi names": {
			"apps/v1:DaemonSet", selecting("a", 1), selecting("b", 1), nil, nil,
			[]string{"! changed spec.selector.matchLabels.app", "created first"},
		},
		"the whole spec is new": {
			"apps/v1:StatefulSet",
			object{},
			object{"spec": object{"serviceName": "a"}},
			nil, nil,
			[]string{"! added spec", "created first"},
		},
		"the whole spec goes: pulumi-kubernetes sees no selector in it": {
			"apps/v1:Deployment", selecting("a", 1), object{}, nil, nil, []string{"removed spec"},
		},
		"the spec is not known yet: neither": {
			"apps/v1:Deployment", selecting("a", 1), object{"spec": later{}}, nil, nil, []string{"changed spec"},
		},
		"a selector that is not known yet": {
			"apps/v1:Deployment", selecting("a", 1),
			object{"spec": object{"replicas": 1, "selector": later{}}},
			nil, nil,
			[]string{"! changed spec.selector", "created first"},
		},
		"the template of a Job": {
			"batch/v1:Job",
			object{"spec": object{"template": object{"spec": object{"nodeName": "a"}}}},
			object{"spec": object{"template": object{"spec": object{"nodeName": "b"}}}},
			nil, nil,
			[]string{"! changed spec.template.spec.nodeName", "created first"},
		},
		"the template of a CronJob": {
			"batch/v1:CronJob",
			object{"spec": object{"jobTemplate": object{"a": 1}}},
			object{"spec": object{"jobTemplate": object{"a": 2}}},
			nil, nil,
			[]string{"changed spec.jobTemplate.a"},
		},
		"the image of a Pod": {
			"core/v1:Pod", image("a"), image("b"), nil, nil,
			[]string{"! changed spec.containers[0].image", "created first"},
		},
		"a label of a container's name": {
			"core/v1:Pod",
			object{"spec": object{"tolerations": []any{object{"key": "a"}}}},
			object{"spec": object{"tolerations": []any{object{"key": "a"}, object{"key": "b"}}}},
			nil, nil,
			[]string{"added spec.tolerations[1]"},
		},
		"a container more in a Pod": {
			"core/v1:Pod",
			object{"spec": object{"containers": []any{}}},
			image("a"), nil, nil,
			[]string{"! added spec.containers[0]", "created first"},
		},
		"a claim grows": {
			"core/v1:PersistentVolumeClaim",
			object{"spec": object{"resources": object{"requests": object{"storage": "1Gi"}}}},
			object{"spec": object{"resources": object{"requests": object{"storage": "2Gi"}}}},
			nil, nil,
			[]string{"changed spec.resources.requests.storage"},
		},
		"a claim of another class": {
			"core/v1:PersistentVolumeClaim",
			object{"spec": object{"storageClassName": "a"}},
			object{"spec": object{"storageClassName": "b"}},
			nil, nil,
			[]string{"! changed spec.storageClassName", "created first"},
		},
		"a Service's address": {
			"core/v1:Service",
			object{"spec": object{"clusterIP": "None"}},
			object{"spec": object{}},
			nil, nil,
			[]string{"! removed spec.clusterIP", "created first"},
		},
		"a role binding's role": {
			"rbac.authorization.k8s.io/v1:RoleBinding",
			object{"roleRef": object{"name": "a"}, "subjects": []any{"a"}},
			object{"roleRef": object{"name": "b"}, "subjects": []any{}},
			nil, nil,
			[]string{"! changed roleRef.name", "removed subjects[0]", "created first"},
		},
		"data of a ConfigMap": {
			"core/v1:ConfigMap", data("a"), data("b"), nil, nil, []string{"! changed data.a", "created first"},
		},
		"data of a ConfigMap that can change": {
			"core/v1:ConfigMap", data("a"), data("b"), nil,
			object{"enableConfigMapMutable": true},
			[]string{"changed data.a"},
		},
		"data of a ConfigMap that can change, and that says it does not": {
			"core/v1:ConfigMap",
			object{"data": object{"a": "a"}, "immutable": true},
			object{"data": object{"a": "b"}, "immutable": true},
			nil,
			object{"enableConfigMapMutable": "true"},
			[]string{"! changed data.a", "created first"},
		},
		"data and type of a Secret that can change": {
			"core/v1:Secret",
			object{"data": object{"a": "a"}, "type": "a"},
			object{"data": object{"a": "b"}, "type": "b"},
			nil,
			object{"enableSecretMutable": true},
			[]string{"changed data.a", "! changed type", "created first"},
		},
		"another namespace": {
			"core/v1:Service",
			object{"metadata": object{"name": "a"}},
			object{"metadata": object{"name": "a", "namespace": "b"}},
			nil, nil,
			[]string{"! changed metadata.namespace", "created first"},
		},
		"the same namespace in words": {
			"core/v1:Service",
			object{"metadata": object{"name": "a"}},
			object{"metadata": object{"name": "a", "namespace": "default"}},
			nil, nil, nil,
		},
		"a namespace of what has none": {
			"node.k8s.io/v1:RuntimeClass",
			object{"metadata": object{"name": "a"}},
			object{"metadata": object{"name": "a", "namespace": "b"}},
			nil, nil, nil,
		},
		"another name": {
			"core/v1:Service",
			object{"metadata": object{"name": "a"}},
			object{"metadata": object{"name": "b"}},
			nil, nil,
			[]string{"! changed metadata.name", "created first"},
		},
		"the program says the name that Pulumi has made": {
			"core/v1:Service",
			object{"spec": object{}},
			object{"metadata": object{"name": "a-1"}, "spec": object{}},
			object{"metadata": object{"name": "a-1"}},
			nil, nil,
		},
		"the program leaves the name to Pulumi": {
			"core/v1:Service",
			object{"metadata": object{"name": "a"}},
			object{"metadata": object{}},
			nil, nil,
			[]string{"! removed metadata.name", "created first"},
		},
		"a custom resource": {
			"shop.example.com/v1:Site",
			object{"spec": object{"selector": 1}},
			object{"spec": object{"selector": 2}},
			nil, nil,
			[]string{"changed spec.selector"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := change.Compare(change.Question{
				Type: "kubernetes:" + x.typ, Before: inputs(x.before), After: inputs(x.after), State: inputs(x.state),
				ProviderBefore: inputs(x.provider), ProviderAfter: inputs(x.provider),
			})
			if d := cmp.Diff(x.want, summary(answer)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func kubeconfig(server, user string) string {
	return "current-context: shop\ncontexts: [{name: shop, context: {cluster: shop, user: " + user + "}}]\n" +
		"clusters: [{name: shop, cluster: {server: '" + server + "'}}, {name: other, cluster: {server: other}}]\n"
}

func TestPropertiesThatReplaceOtherResources(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		typ           string
		before, after object
		want          []string
	}{
		"a command": {
			"command:local:Command",
			object{"create": "a", "triggers": []any{"a"}},
			object{"create": "b", "triggers": []any{"b"}},
			[]string{"changed create", "! changed triggers[0]", "created first"},
		},
		"a stash": {"pulumi:index:Stash", object{"input": "a"}, object{"input": "b"}, []string{"changed input"}},
		"another cluster": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": kubeconfig("a", "u")},
			object{"kubeconfig": kubeconfig("b", "u")},
			[]string{"! changed kubeconfig", "created first"},
		},
		"another user of the cluster": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": kubeconfig("a", "u")},
			object{"kubeconfig": kubeconfig("a", "v")},
			[]string{"changed kubeconfig"},
		},
		"another cluster of the file": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": kubeconfig("a", "u")},
			object{"kubeconfig": kubeconfig("a", "u"), "cluster": "other"},
			[]string{"! added cluster", "created first"},
		},
		"a kubeconfig that is not known yet": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": kubeconfig("a", "u")},
			object{"kubeconfig": later{}},
			[]string{"! changed kubeconfig", "created first"},
		},
		"a kubeconfig that is not known yet, of the same cluster as the program says": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": kubeconfig("a", "u"), "clusterIdentifier": "a"},
			object{"kubeconfig": later{}, "clusterIdentifier": "a"},
			[]string{"changed kubeconfig"},
		},
		"another identifier": {
			"pulumi:providers:kubernetes",
			object{"clusterIdentifier": "a"},
			object{"clusterIdentifier": "b"},
			[]string{"! changed clusterIdentifier", "created first"},
		},
		"an identifier for the first time": {
			"pulumi:providers:kubernetes", object{}, object{"clusterIdentifier": "b"}, []string{"added " +
				"clusterIdentifier"},
		},
		"files": {
			"pulumi:providers:kubernetes",
			object{"kubeconfig": "~/.kube/config"},
			object{"kubeconfig": "config"},
			[]string{"changed kubeconfig"},
		},
		"azure-native, with a version of the API": {
			"azure-native:containerservice/v20250801:AgentPool",
			object{"vmSize": "a"},
			object{"vmSize": "b"},
			[]string{"! changed vmSize", "deleted first"},
		},
		"elements of lists, and what is below an object that replaces": {
			"azure-native:containerservice:ManagedCluster",
			object{
				"resourceName": "a", "networkProfile": object{"ipFamilies": []any{"IPv4"}, "podCidr": "a"},
				"windowsProfile": object{"adminUsername": "a"},
			},
			object{
				"resourceName": "a", "networkProfile": object{"ipFamilies": []any{"IPv4", "IPv6"}, "podCidr": "b"},
				"windowsProfile": object{"adminUsername": "b", "gmsaProfile": object{}},
			},
			[]string{
				"added networkProfile.ipFamilies[1]", "! changed networkProfile.podCidr",
				"! changed windowsProfile.adminUsername", "added windowsProfile.gmsaProfile", "deleted first",
			},
		},
		"a group that azure-native names": {
			"azure-native:resources:ResourceGroup",
			object{"location": "a"},
			object{"location": "b"},
			[]string{"! changed location", "created first"},
		},
		"an unknown type": {"shop:index:Bucket", object{"a": 1}, object{"a": 2}, []string{"changed a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := change.Compare(change.Question{Type: x.typ, Before: inputs(x.before), After: inputs(x.after)})
			if d := cmp.Diff(x.want, summary(answer)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]bool{
		"kubernetes:core/v1:Pod": true, "kubernetes:shop.example.com/v1:Site": true,
		"kubernetes:helm.sh/v3:Release": false, "kubernetes:yaml/v2:ConfigGroup": false,
		"azure-native:compute/v20240701:VirtualMachine": true, "azure-native:storage:StorageAccount": false,
		"command:local:Command": true, "command:remote:Command": false, "pulumi:providers:kubernetes": true,
		"pulumi:providers:shop": false, "shop:index:Bucket": false,
	} {
		if got := change.Known(typ); got != want {
			t.Errorf("%s is known: %t", typ, got)
		}
	}
}

// A reason names the provider, and what it does not change.
func TestReasons(t *testing.T) {
	t.Parallel()
	answer := change.Compare(change.Question{
		Type: "kubernetes:core/v1:Pod", Before: inputs(image("a")), After: inputs(image("b")),
	})
	const want = "kubernetes replaces it for a change of spec.containers[*].image"
	if got := answer.Differences[0].Why; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// For every type, nothing differs from itself, and two values that are not the same do differ.
func FuzzCompare(f *testing.F) {
	f.Add("kubernetes:apps/v1:Deployment", []byte("web"), []byte("api"))
	f.Add("azure-native:containerservice:AgentPool", []byte("abcdefg"), []byte("abcdefh"))
	f.Fuzz(func(t *testing.T, typ string, a, b []byte) {
		before, after := inputs(grown(a)), inputs(grown(b))
		q := change.Question{Type: typ, Before: before, After: before}
		if found := change.Compare(q).Differences; len(found) > 0 {
			t.Fatalf("it differs from itself: %v", found)
		}
		q.After = after
		change.Compare(q)
		found := change.Differences(before, after)
		if same := property.New(before).Equals(property.New(after)); same != (len(found) == 0) {
			t.Fatalf("%v and %v are the same: %t", before, after, same)
		}
	})
}

// grown returns an object built from bytes: each determines what comes next and how deep it is.
func grown(seed []byte) object {
	o := object{}
	at := o
	for i, c := range seed {
		key := string(rune('a' + c%5))
		switch c % 4 {
		case 0:
			at[key] = float64(c)
		case 1:
			next := object{}
			at[key], at = next, next
		case 2:
			at[key] = []any{float64(i), object{"x": float64(c)}}
		default:
			at[key] = string(rune(c))
		}
	}
	return o
}

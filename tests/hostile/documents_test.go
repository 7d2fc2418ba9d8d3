package hostile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf16"
)

const podHead = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  os: {name: windows}\n"

// documents cost a lot, or are not what they look like.
var documents = []struct {
	name string
	text func(r *rand.Rand) string
}{
	{"a pod with 40,000 unknown fields", func(*rand.Rand) string {
		return podHead + numbered(40_000, "  unknown%d: 1\n")
	}},
	{"a pod with 40,000 keys that appear twice", func(*rand.Rand) string {
		return podHead + strings.Repeat(numbered(20_000, "  key%d: 1\n"), 2)
	}},
	{"a pod with 20,000 containers", func(*rand.Rand) string {
		return podHead + "  containers:\n" +
			numbered(20_000, "    - {name: c%d, image: a}\n")
	}},
	{"a pod with 20,000 tolerations", func(*rand.Rand) string {
		return podHead + "  tolerations:\n" +
			numbered(20_000, "    - {key: k%d, operator: Equal, value: a}\n")
	}},
	{"a pod with 8,000 tolerations of one taint", func(*rand.Rand) string {
		return podHead + "  containers: [{name: a, image: a}]\n  tolerations:\n" +
			strings.Repeat("    - {key: os, value: windows, effect: NoSchedule}\n", 8_000)
	}},
	{"a pod with 8,000 containers of one name", func(*rand.Rand) string {
		return podHead + "  containers:\n" +
			strings.Repeat("    - {name: a, image: a, command: [sh], securityContext: {privileged: true}}\n", 8_000)
	}},
	{"2,000 budgets, scalers and workloads", func(*rand.Rand) string {
		return numbered(2_000, "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b%[1]d}, "+
			"spec: {selector: {matchExpressions: [{key: a, operator: In, values: [v%[1]d]}]}}}\n"+
			"---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h%[1]d}, "+
			"spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d%[1]d}}}\n"+
			"---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: d%[1]d}, spec: {"+
			"selector: {matchLabels: {a: v%[1]d}}, template: {metadata: {labels: {a: v%[1]d}}, "+
			"spec: {os: {name: windows}, containers: [{name: a, image: a}]}}}}\n")
	}},
	{"5,000 nodes with labels of their own", func(*rand.Rand) string {
		return `{"apiVersion":"v1","kind":"NodeList","items":[` + strings.TrimSuffix(numbered(5_000,
			`{"metadata":{"name":"n%[1]d","labels":{"kubernetes.io/os":"linux","l":"x%[1]d"}},`+
				`"status":{"nodeInfo":{"operatingSystem":"linux"}}},`), ",") + "]}\n"
	}},
	{"a topology with 50,000 taints", func(*rand.Rand) string {
		return "kubernetesVersion: '1.36'\npools:\n- {name: linux, platform: linux}\n" +
			"- name: more\n  platform: linux\n  taints:\n" +
			numbered(50_000, "  - a%d=b:NoSchedule\n")
	}},
	{"variables that name each other", func(*rand.Rand) string {
		return podHead + "  containers:\n    - name: a\n      image: a\n      env:\n" +
			numbered(40_000, "        - {name: V%[1]d, value: $(V%[1]d)$(V%[1]d)}\n")
	}},
	{"10,000 documents", func(*rand.Rand) string {
		return numbered(10_000, "---\n{apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {}}\n")
	}},
	{"6,000 objects that select each other", func(*rand.Rand) string {
		return numbered(3_000,
			"---\n{apiVersion: v1, kind: Service, metadata: {name: s%[1]d}, spec: {selector: {a: b}, "+
				"ports: [{port: 1}]}}\n"+
				"---\n{apiVersion: v1, kind: Pod, metadata: {name: p%[1]d, labels: {a: b}}, "+
				"spec: {os: {name: windows}}}\n")
	}},
	{"2,000,000 empty nodes", func(*rand.Rand) string {
		return `{"apiVersion":"v1","kind":"NodeList","items":[` +
			strings.Repeat("{},", 2_000_000) + "{}]}\n"
	}},
	{"200,000 brackets", func(*rand.Rand) string {
		return strings.Repeat("[", 200_000)
	}},
	{"300,000 braces", func(*rand.Rand) string {
		return strings.Repeat("{a: ", 300_000)
	}},
	{"deep mappings", func(*rand.Rand) string {
		return nested(3_000)
	}},
	{"deep JSON", func(*rand.Rand) string {
		return `{"apiVersion":"v1","kind":"Pod","spec":` + strings.Repeat("[", 100_000) +
			strings.Repeat("]", 100_000) + "}"
	}},
	{"aliases of aliases", func(*rand.Rand) string {
		return podHead + bomb("*%[1]s, *%[1]s, *%[1]s, *%[1]s, *%[1]s, *%[1]s, *%[1]s, *%[1]s")
	}},
	{"merge keys of merge keys", func(*rand.Rand) string {
		return "a0: &a0 {x: 1}\n" + numbered(30, "m%[1]d: &m%[1]d {<<: [*a0, *a0], y: 1}\n")
	}},
	{"a value that contains itself", func(*rand.Rand) string {
		return "apiVersion: v1\nkind: Pod\nspec: &a {os: *a, containers: [*a]}\n"
	}},
	{"a line of 5 MB", func(*rand.Rand) string {
		return podHead + "  hostname: " + strings.Repeat("x", 5<<20-200) + "\n"
	}},
	{"a file of 40 MB", func(*rand.Rand) string {
		return strings.Repeat("# "+strings.Repeat("x", 997)+"\n", 40_000)
	}},
	{"a number of 1,000,000 digits", func(*rand.Rand) string {
		return podHead + "  priority: " + strings.Repeat("9", 1_000_000) + "\n"
	}},
	{"quantities with large exponents", func(*rand.Rand) string {
		return podHead + "  containers: [{name: a, image: a, resources: {limits: " +
			"{cpu: 1e2147483647, memory: 1e-2147483647, a.b/c: 9E9999999999999}}}]\n"
	}},
	{"a quantity of 1,000,000 digits", func(*rand.Rand) string {
		return podHead + "  containers: [{name: a, image: a, resources: {limits: {memory: " +
			strings.Repeat("9", 1_000_000) + "Ei}}}]\n"
	}},
	{"a topology with large quantities", func(*rand.Rand) string {
		return "kubernetesVersion: '1.36'\npools:\n" +
			"- {name: linux, platform: linux, reported: {capacity: {cpu: 1e99999999}}}\n"
	}},
	{"numbers beyond all types", func(*rand.Rand) string {
		return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"priority\":1e400," +
			"\"hostPID\":-1E-9999999,\"activeDeadlineSeconds\":0x1p9999}}"
	}},
	{"text in UTF-16", func(*rand.Rand) string {
		return utf16Text("\ufeff" + podHead + "  hostname: \"\u202eevil\x1b\"\n")
	}},
	{"random bytes", func(r *rand.Rand) string {
		b := make([]byte, 1+r.IntN(100_000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}},
	{"half of a manifest with other bytes in it", func(r *rand.Rand) string {
		text := podHead + "  containers: [{name: \"a\", image: 'b'}, &c {name: !!binary x, args: [*c]}]\n"
		for range 1 + r.IntN(5) {
			at := r.IntN(len(text))
			other := marks[r.IntN(len(marks))]
			text = text[:at] + string([]byte{other}) + text[at+r.IntN(2):]
		}
		return text
	}},
	{"a state in which two resources are each other's parent", func(*rand.Rand) string {
		return cyclicState()
	}},
	{"a state with 100,000 resources below each other", func(*rand.Rand) string {
		return deepState(100_000)
	}},
	{"a configuration with 10,000 entries", func(*rand.Rand) string {
		return "ignore:\n" +
			numbered(10_000, "  - {rules: ['MK*'], resources: ['*a*b*c*d%d'], reason: a}\n")
	}},
}

// marks are bytes with a meaning in YAML or JSON, or with none in a text.
const marks = "\x00\xff\x1b\t'\"{}[]&*!|>%@`\r\n-:?,#"

// numbered repeats a format with the numbers below n.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// nested returns a mapping of a depth in block style.
func nested(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// bomb returns a list of aliases of a list of aliases, and so on.
func bomb(of string) string {
	var text strings.Builder
	text.WriteString("  a0: &a0 [x, x, x, x, x, x, x, x]\n")
	last := "a0"
	for i := range 12 {
		name := fmt.Sprintf("a%d", i+1)
		fmt.Fprintf(&text, "  %s: &%s [%s]\n", name, name, fmt.Sprintf(of, last))
		last = name
	}
	return text.String()
}

func utf16Text(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}

// aksBelow returns a cluster of AKS in a state, below a parent.
func aksBelow(parent string) map[string]any {
	return map[string]any{
		"urn":    "urn:pulumi:a::b::azure-native:containerservice:ManagedCluster::shop",
		"type":   "azure-native:containerservice:ManagedCluster",
		"parent": parent, "id": "/subscriptions/a/shop", "custom": true,
		"outputs": map[string]any{
			"name": "shop", "kubernetesVersion": "1.35", "currentKubernetesVersion": "1.35.4",
			"agentPoolProfiles": []any{map[string]any{
				"name": "sys", "osType": "Linux", "osSKU": "Ubuntu", "mode": "System", "count": 1,
			}},
		},
	}
}

func cyclicState() string {
	return stateOf(aksBelow("urn:pulumi:a::b::c::one"),
		map[string]any{"urn": "urn:pulumi:a::b::c::one", "type": "a:b:c", "parent": "urn:pulumi:a::b::c::two"},
		map[string]any{"urn": "urn:pulumi:a::b::c::two", "type": "a:b:c", "parent": "urn:pulumi:a::b::c::one"})
}

func deepState(n int) string {
	resources := []any{aksBelow(fmt.Sprintf("urn:%d", n-1))}
	for i := range n {
		resources = append(resources, map[string]any{
			"urn": fmt.Sprintf("urn:%d", i), "type": "a:b:c", "parent": fmt.Sprintf("urn:%d", i-1),
		})
	}
	return stateOf(resources...)
}

func stateOf(resources ...any) string {
	return asJSON(map[string]any{"version": 3, "deployment": map[string]any{"resources": resources}})
}

// quoted returns a text as a string in JSON, which is one in YAML and in templates too. The characters of HTML stay.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // It is a text.
	}
	var escaped strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if unicode.IsPrint(r) {
			escaped.WriteRune(r)
		} else {
			fmt.Fprintf(&escaped, "\\u%04x", r)
		}
	}
	return escaped.String()
}

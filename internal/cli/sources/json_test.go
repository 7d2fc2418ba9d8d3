package sources

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const node = `{"metadata":{"name":"n","labels":{"kubernetes.io/os":"linux"}}}`

func listOf(kind string, items ...string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"items":[%s]}`, kind, strings.Join(items, ","))
}

func repeat(item string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = item
	}
	return all
}

func nested(depth int) string {
	text := listOf("NodeList", node)
	for range depth {
		text = listOf("List", text)
	}
	return text
}

func TestNodesHaveLimits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text  string
		nodes int
		want  string
	}{
		"nodes":       {listOf("NodeList", node, node), 2, ""},
		"no items":    {`{"apiVersion":"v1","kind":"NodeList"}`, 0, ""},
		"null":        {`{"apiVersion":"v1","kind":"NodeList","items":null}`, 0, ""},
		"nested":      {nested(9), 1, ""},
		"nested more": {nested(10), 0, "F: has lists that are nested more than 10 deep"},
		"other things": {
			listOf("NodeList", "{}", node, "{}", `{"a":1}`), 1,
			"F: a NodeList has elements without metadata (3), which are not nodes: " + instead,
		},
		"a wrong node": {listOf("NodeList", `{"metadata":[]}`, `{"metadata":{"name":1}}`, node), 1, "F: Node/: not a " +
			"node as the API server prints it: json: cannot unmarshal array into Go struct field Node.metadata of " +
			"type v1.ObjectMeta\nF: Node/: not a node as the API server prints it: json: cannot unmarshal number " +
			"into Go struct field ObjectMeta.metadata.name of type string"},
		"a quantity with a large exponent": {
			listOf("NodeList", `{"metadata":{"name":"a"},"status":{"allocatable":{"cpu":1e999999999}}}`,
				`{"metadata":{"name":"b"},"status":{"capacity":{"cpu":"4","memory":"1e9"}}}`), 1,
			"F: Node/a: not a node as the API server prints it: status.allocatable[cpu]: must be a quantity, 500m or " +
				"2Gi for example",
		},
		"several such quantities": {
			listOf("NodeList", `{"metadata":{"name":"a"},"status":{"allocatable":{"b":"x"},`+
				`"capacity":{"h":"x","g":"x","f":"x","e":"x","d":"x","c":"x","b":"x"}}}`), 0,
			"F: Node/a: not a node as the API server prints it: status.capacity[b]: must be a quantity, 500m or " +
				"2Gi for example",
		},
		"too many nodes": {
			listOf("NodeList", repeat(node, maxNodes+10)...), maxNodes,
			"F: has more than 100000 nodes: give the nodes of one cluster",
		},
		"too many values": {
			listOf("NodeList", strings.Repeat("{},", maxNodeValues)+"{}"), 0,
			"F: has more than 20000000 values: give fewer objects",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes, problems := nodesInJSON([]byte(tt.text), "F")
			got := ""
			if err := errors.Join(problems...); err != nil {
				got = err.Error()
			}
			if got != tt.want || len(nodes) != tt.nodes {
				t.Errorf("%d nodes, want %d, and\n%s\nwant\n%s", len(nodes), tt.nodes, got, tt.want)
			}
		})
	}
}

// Elements that are not nodes take no memory.
func TestEmptyElementsTakeNoMemory(t *testing.T) { //nolint:paralleltest // it counts allocations
	allocations := func(n int) float64 {
		text := []byte(listOf("NodeList", repeat("{}", n)...))
		return testing.AllocsPerRun(3, func() { nodesInJSON(text, "F") })
	}
	if few, many := allocations(1000), allocations(10_000); many > few+100 {
		t.Errorf("1,000 elements take %.0f allocations, 10,000 take %.0f", few, many)
	}
}

// Commas and brackets in texts are not values.
func TestValuesAreCountedOutsideOfTexts(t *testing.T) {
	t.Parallel()
	text := `{"a":"` + strings.Repeat(`,{[\"\\`, maxValues) + `"}`
	if err := checkValues([]byte(text), "F", maxValues); err != nil {
		t.Error(err)
	}
}

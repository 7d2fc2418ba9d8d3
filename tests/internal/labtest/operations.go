package labtest

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/components/topology"
)

// Operation is an operation of Pulumi on a resource.
type Operation struct{ Op, Type, Name string }

// String returns a line for [SameLines].
func (o Operation) String() string { return o.Op + " " + o.Type + " " + o.Name }

// Operations returns the operations in the events of a run, sorted. It leaves out resources without changes, and reads.
func Operations(t *testing.T, events string) []string {
	t.Helper()
	file, err := os.Open(events)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var done []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			ResOutputsEvent *struct {
				Metadata struct{ Op, URN string }
				Planning bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if event.ResOutputsEvent == nil || event.ResOutputsEvent.Planning {
			continue
		}
		op, urn := event.ResOutputsEvent.Metadata.Op, event.ResOutputsEvent.Metadata.URN
		if op == "same" || op == "read" {
			continue
		}
		// urn:pulumi:STACK::PROJECT::TYPE$TYPE::NAME
		parts := strings.Split(urn, "::")
		types := strings.Split(parts[2], "$")
		done = append(done, Operation{op, types[len(types)-1], parts[3]}.String())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(done)
	return done
}

// Removals matches the operations in the output of a preview that replace or delete a resource.
var Removals = regexp.MustCompile(`\((replace|delete|create-replacement|delete-replaced)\)`)

// Lines returns the lines of a text that are not empty, or nil if there are none.
func Lines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// SameLines fails unless the lines are the lines of a text.
func SameLines(t *testing.T, what, want string, have []string) {
	t.Helper()
	if diff := cmp.Diff(Lines(want), have); diff != "" {
		t.Errorf("%s (-want +have):\n%s", what, diff)
	}
}

// NodeLines returns the name, kubelet version, size, taints and the label team of each node.
func NodeLines(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, node := range nodes.Items {
		line := []string{node.Name, node.Status.NodeInfo.KubeletVersion, node.Labels[corev1.LabelInstanceTypeStable]}
		for _, taint := range node.Spec.Taints {
			line = append(line, topology.FormatTaint(taint))
		}
		if team, ok := node.Labels["team"]; ok {
			line = append(line, "team="+team)
		}
		lines = append(lines, strings.Join(line, " "))
	}
	slices.Sort(lines)
	return lines
}

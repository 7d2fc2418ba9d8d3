package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/system/executable"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// azureLab is a lab whose stack, lab, creates its cluster in the simulated Azure with a configuration from the test.
type azureLab struct{ testLab }

func newAzureLab(t *testing.T) azureLab {
	t.Helper()
	l := emptyLab(t, "lab")
	l.Stacks = t.TempDir()
	return azureLab{l}
}

// configure writes the stack's configuration: a version of Kubernetes, and pools and workloads in the form of the
// configuration, with a line for each pool.
func (l azureLab) configure(t *testing.T, version string, pools []string, workloads ...string) {
	t.Helper()
	lines := []string{
		"config:",
		"  azure-native:location: westeurope",
		fmt.Sprintf("  mixedkube:aks: {azureCLI: true, unprotected: true, retryBackoffSeconds: %g}", shortPause),
		"  mixedkube:workloads: [" + strings.Join(workloads, ", ") + "]",
		"  mixedkube:cluster:",
		`    kubernetesVersion: "` + version + `"`,
		"    pools:",
	}
	for _, pool := range pools {
		lines = append(lines, "      - {"+pool+"}")
	}
	check(t, os.WriteFile(deploy.StackFile(l.Stacks, "lab"), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// start starts the lab without deploying anything.
func (l azureLab) start(t *testing.T) *deploy.Stack {
	t.Helper()
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab"}))
	return l.deployment(t)
}

// runRecord is the files with the events and the output of a run of Pulumi.
type runRecord struct{ events, out string }

// newRunRecord redirects the output of the stack into a file in a new directory below another one.
func newRunRecord(t *testing.T, stack *deploy.Stack, below string) runRecord {
	t.Helper()
	runs, err := os.ReadDir(below)
	check(t, err)
	dir := filepath.Join(below, strconv.Itoa(len(runs)))
	check(t, os.Mkdir(dir, 0o700))
	r := runRecord{filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "output")}
	out, err := os.Create(r.out)
	check(t, err)
	t.Cleanup(func() { _ = out.Close() })
	stack.Out = out
	return r
}

// eventLog returns the arguments that make Pulumi write the events.
func (r runRecord) eventLog() []string { return []string{"--event-log", r.events} }

// output returns the output without the log.
func (r runRecord) output(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(r.out)
	check(t, err)
	lines := slices.Collect(strings.Lines(string(content)))
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, `{"time":`) }),
		"")
}

// recordedAz is an az that records its arguments and its standard input.
type recordedAz struct{ commands, stdin string }

// recordAz replaces the stack's az with a script that records its arguments and its standard input, and passes both on.
func recordAz(t *testing.T, stack *deploy.Stack) recordedAz {
	t.Helper()
	dir := t.TempDir()
	r := recordedAz{filepath.Join(dir, "commands"), filepath.Join(dir, "stdin")}
	commands := slices.Clone(stack.Azure.Commands)
	i := slices.IndexFunc(commands, func(c tools.Command) bool { return c.Name == "az" })
	script := fmt.Sprintf(`#!/bin/sh
echo "az $*" >> '%s'
case "$*" in
*@-*) tee -a '%s' | '%s' "$@" ;;
*) exec '%s' "$@" ;;
esac
`, r.commands, r.stdin, commands[i].Path, commands[i].Path)
	commands[i].Path = filepath.Join(dir, "az")
	check(t, executable.Write(commands[i].Path, []byte(script), 0o700))
	recorded := *stack.Azure
	recorded.Commands = commands
	stack.Azure = &recorded
	return r
}

// groupSuffix matches the name of the resource group with Pulumi's suffix.
var groupSuffix = regexp.MustCompile(`lab-rg[0-9a-f]{8}`)

// take returns the commands since the last call, and their standard input.
func (r recordedAz) take(t *testing.T) (commands []string, stdin string) {
	t.Helper()
	taken := func(path string) string {
		content, err := os.ReadFile(path)
		if !errors.Is(err, fs.ErrNotExist) {
			check(t, err)
			check(t, os.Remove(path))
		}
		return string(content)
	}
	return labtest.Lines(groupSuffix.ReplaceAllString(taken(r.commands), "lab-rg")), taken(r.stdin)
}

// podLines returns the app of each pod and its Windows pool, or linux.
func podLines(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	place := map[string]string{}
	for _, node := range nodes.Items {
		place[node.Name] = node.Labels["agentpool"]
		if node.Labels[corev1.LabelOSStable] == "linux" {
			place[node.Name] = "linux"
		}
	}
	var lines []string
	for _, pod := range pods.Items {
		lines = append(lines, pod.Labels["app"]+" "+place[pod.Spec.NodeName])
	}
	slices.Sort(lines)
	return lines
}

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// seedManifest is a manifest of tests/seeds, or several that are deployed together.
type seedManifest struct {
	Names []string `json:"names"`
	// Platforms are the answers for pods whose Windows release is unknown.
	Platforms map[string]string `json:"platforms"`
	// Refused reports whether the API server refuses an object, and so the preview fails.
	Refused bool `json:"refused"`
}

// name returns the name of the golden files.
func (m seedManifest) name() string {
	return strings.ReplaceAll(strings.Join(m.Names, "-with-"), ".yaml", "")
}

// seedManifests returns the manifests of tests/seeds: those that are deployed together, and all others alone.
func seedManifests(t *testing.T, dir string) []seedManifest {
	t.Helper()
	var data struct {
		Manifests []struct {
			Name string `json:"name"`
			seedManifest
		} `json:"manifests"`
		Together []seedManifest `json:"together"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "manifests.yaml"))
	check(t, err)
	check(t, yaml.Unmarshal(text, &data))
	all := data.Together
	for _, m := range data.Manifests {
		if !slices.ContainsFunc(data.Together, func(g seedManifest) bool { return slices.Contains(g.Names, m.Name) }) {
			m.Names = []string{m.Name}
			all = append(all, m.seedManifest)
		}
	}
	return all
}

// TestSeedManifests deploys the unchanged manifests of the seeds. It checks the messages of the preview, the pools of
// the pods, and that the pods run. The golden files are in tests/seeds. The simulated kubelets start pods with any
// handler. In the preview, MK414 reports that no containerd has the handler "docker".
func TestSeedManifests(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	client := l.client(t)
	dir := filepath.Join(checkout(t), "tests", "seeds", "testdata")
	for _, m := range seedManifests(t, dir) {
		t.Run(m.name(), func(t *testing.T) { deploySeed(t, l, client, dir, m) })
	}
}

func deploySeed(t *testing.T, l testLab, client kubernetes.Interface, dir string, m seedManifest) {
	t.Helper()
	var files []string
	for _, name := range m.Names {
		files = append(files, filepath.Join(dir, "manifests", name))
	}
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	content, err := yaml.Marshal(map[string]any{"config": map[string]any{
		"seeds:files":     files,
		"seeds:platforms": m.Platforms,
	}})
	check(t, err)
	check(t, os.WriteFile(config, content, 0o600))
	stack := l.project(t, "components/manifest/testdata/seeds", "dev", config)
	l.Out.Take()
	err = stack.Up(t.Context())
	// The preview of the update has the diagnostics.
	shown := strings.ReplaceAll(labtest.Diagnostics(l.Out.Take()), dir, "testdata")
	path := filepath.Join(dir, "golden", m.name())
	golden.Equal(t, path+".preview.txt", ruletest.WithoutSentences(shown))
	if m.Refused {
		if err == nil {
			t.Error("a refused manifest was deployed")
		}
		return
	}
	check(t, err)
	golden.Equal(t, path+".landing.txt", seedPods(t, client))
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
}

// seedPods returns a line for each pod, with its phase and the pool of its node.
func seedPods(t *testing.T, client kubernetes.Interface) string {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	var lines []string
	for _, pod := range pods.Items {
		pool, _, _ := strings.Cut(pod.Spec.NodeName, "-")
		name := pod.Name
		if len(pod.OwnerReferences) > 0 {
			name = strings.TrimSuffix(pod.GenerateName, "-")
			name = name[:strings.LastIndex(name, "-")]
		}
		lines = append(lines, fmt.Sprintf("%s: %s on %s\n", name, pod.Status.Phase, pool))
		if pod.Status.Phase != corev1.PodRunning {
			t.Errorf("the pod %s is %s", pod.Name, pod.Status.Phase)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

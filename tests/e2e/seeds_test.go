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

	"github.com/mixedkube/mixedkube/internal/golden"
)

// seedManifest is a manifest of tests/seeds, or several that belong together.
type seedManifest struct {
	name  string
	files []string
	// platforms are the answers for pods that do not tell their Windows release.
	platforms map[string]string
	// refused says that the API server would refuse an object, and the preview does.
	refused bool
}

var seedManifests = []seedManifest{
	{name: "win-webserver", files: []string{"win-webserver.yaml"}},
	{name: "iis-2019 with a handler of dockershim", files: []string{"runtimeclass-docker.yaml", "iis-2019.yaml"}},
	{name: "iis-2019 with a placeholder", files: []string{"runtimeclass-placeholder.yaml", "iis-2019.yaml"}},
	{name: "iis-2019 with an old class", files: []string{"runtimeclass-v1beta1.yaml", "iis-2019.yaml"}, refused: true},
	{name: "iis-pod", files: []string{"iis-pod.yaml"}, platforms: map[string]string{"Pod/iis": "windows-2019"}},
	{name: "secret-in-environment", files: []string{"secret-in-environment.yaml"}, platforms: map[string]string{"Pod/mypod-secret": "windows-2022"}},
	{name: "configmap-in-environment", files: []string{"configmap-in-environment.yaml"}, platforms: map[string]string{"Pod/configmap-pod": "windows-2022"}},
	{name: "hostpath-volume", files: []string{"hostpath-volume.yaml"}, platforms: map[string]string{"Pod/hostpath-volume-pod": "windows-2025"}},
	{name: "emptydir-volumes", files: []string{"emptydir-volumes.yaml"}, platforms: map[string]string{"Pod/empty-dir-pod": "windows-2025"}},
}

// TestSeedManifests deploys the manifests of the seeds as they are written: what the
// preview says, where they land, and that they run. The golden files are those of tests/seeds.
func TestSeedManifests(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	client := l.client(t)
	for _, m := range seedManifests {
		t.Run(m.name, func(t *testing.T) { deploySeed(t, l, client, m) })
	}
}

func deploySeed(t *testing.T, l testLab, client kubernetes.Interface, m seedManifest) {
	t.Helper()
	folder := filepath.Join(checkout(t), "tests", "seeds", "testdata")
	var files []string
	for _, name := range m.files {
		files = append(files, filepath.Join(folder, "manifests", name))
	}
	config := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	content, err := yaml.Marshal(map[string]any{"config": map[string]any{"seeds:files": files, "seeds:platforms": m.platforms}})
	check(t, err)
	check(t, os.WriteFile(config, content, 0o600))
	stack := l.project(t, "components/manifest/testdata/seeds", "dev", config)
	l.out.take()
	err = stack.Up(t.Context())
	// Of the preview, which comes first.
	shown := strings.ReplaceAll(diagnostics(l.out.take()), folder, "testdata")
	path := filepath.Join(folder, "golden", strings.ReplaceAll(m.name, " ", "-"))
	golden.Equal(t, path+".preview.txt", shown)
	if m.refused {
		if err == nil {
			t.Error("it is deployed")
		}
		return
	}
	check(t, err)
	golden.Equal(t, path+".landing.txt", seedPods(t, client))
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
}

// seedPods are the pods with the pools of their nodes and their phases, a line each.
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

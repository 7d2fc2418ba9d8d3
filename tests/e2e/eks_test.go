package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// eksExample needs the nodes of EKS: its Windows nodes have no taint.
const eksExample = "eks-existing"

// TestTheExampleForEKS deploys the example into a cluster whose nodes register like nodes of EKS, with the ConfigMap of
// the VPC CNI add-on.
func TestTheExampleForEKS(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	l.Stacks = t.TempDir()
	check(t, os.WriteFile(deploy.StackFile(l.Stacks, "lab-given"), []byte(`config:
  mixedkube:cluster:
    kubernetesVersion: "1.36"
    cloud: eks
    pools:
      - {name: linux, platform: linux, size: m6i.large, maxPods: 29}
      - {name: win22, platform: windows-2022, size: m5.xlarge}
  mixedkube:workloads: []
`), 0o600))
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab-given"}))
	client := l.client(t)
	configMaps := client.CoreV1().ConfigMaps("kube-system")
	_, err := configMaps.Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "amazon-vpc-cni"},
		Data:       map[string]string{"enable-windows-ipam": "false", "enable-network-policy-controller": "false"},
	}, metav1.CreateOptions{})
	check(t, err)

	stack := l.project(t, "examples/"+eksExample, "dev", "")
	check(t, stack.Up(t.Context()))
	golden.Equal(t, "testdata/examples/"+eksExample+".golden", landed(t, client))
	config, err := configMaps.Get(t.Context(), "amazon-vpc-cni", metav1.GetOptions{})
	check(t, err)
	if diff := cmp.Diff(map[string]string{
		"enable-windows-ipam": "true", "enable-network-policy-controller": "false",
	}, config.Data); diff != "" {
		t.Errorf("the ConfigMap (-want +got):\n%s", diff)
	}
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))

	// The nodes of the running cluster lead to the pools in the stack's file.
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	got, _, errs := topology.FromNodes(nodes.Items, "")
	check(t, errs.ToAggregate())
	var pools []string
	for _, p := range got.Pools {
		capacity, _ := p.NodeCapacity()
		pools = append(pools, strings.Join([]string{
			p.Name, p.Platform.String(), p.Size, capacity.Memory().String(),
			map[bool]string{true: "untainted"}[p.Untainted],
		}, " "))
	}
	if diff := cmp.Diff([]string{
		"linux linux m6i.large 8064Mi ", "windows windows-2022 m5.xlarge 16Gi untainted",
	}, pools); diff != "" {
		t.Errorf("pools of the nodes (-want +got):\n%s", diff)
	}
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
}

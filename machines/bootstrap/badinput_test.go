package bootstrap

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/testkit/badinput"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// arguments are the arguments of [NodeFiles].
type arguments struct {
	Cluster Cluster
	Join    Join
}

// tried are arguments with something of everything.
func tried() *arguments {
	c := testCluster(network.HostGateway, "1.36")
	pool := &c.Topology.Pools[1]
	pool.Zones, pool.Count, pool.MaxPods = []string{"1"}, 2, 50
	pool.Taints = []corev1.Taint{{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoSchedule}}
	c.Topology.Pools = c.Topology.Pools[:4]
	c.Nodes = []Node{c.Nodes[0], c.Nodes[2], c.Nodes[5]}
	c.Releases.Kubernetes = c.Releases.Kubernetes[2:3]
	c.Releases.PauseImage = "mirror.example.com/pause:3.10.2"
	c.Kubelet = map[string]KubeletOptions{"linux": {
		SystemReserved: map[string]string{"cpu": "200m"}, KubeReserved: map[string]string{"memory": "300Mi"},
		EvictionHard:            map[string]string{"memory.available": "500Mi"},
		EvictionSoft:            map[string]string{"nodefs.available": "20%"},
		EvictionSoftGracePeriod: map[string]string{"nodefs.available": "1m30s"},
	}, "win2022": {PriorityClass: "HIGH_PRIORITY_CLASS"}}
	c.Network.BlockedEgress = []network.Destination{
		{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{443}},
	}
	c.APIServer = APIServerOptions{
		OIDC: OIDC{
			IssuerURL: "https://login.example.com", ClientID: "kubectl", UsernameClaim: "email", UsernamePrefix: "people:",
			GroupsClaim: "groups", GroupsPrefix: "groups:",
		},
		PodSecurity: "baseline",
		CertSANs:    []string{"api.example.com"},
		ExtraArgs:   map[string]string{"event-ttl": "30m"},
	}
	return &arguments{c, Join{Token: testToken, CACertHashes: []string{testHash}}}
}

var badInputKey = NewPayloadKey(bytes.Repeat([]byte{1}, 32))

// everyFile creates the files of all nodes, in all forms in which they come onto a machine.
func everyFile(args *arguments) badinput.Outcome {
	var out badinput.Outcome
	for _, node := range args.Cluster.Nodes {
		join := args.Join
		if node.ControlPlane {
			join.CACertHashes = nil
		}
		public, err := PublicFiles(args.Cluster, node.Name)
		if err != nil {
			return badinput.Outcome{Err: err}
		}
		secret, err := SecretFiles(args.Cluster, node.Name, join)
		if err != nil {
			return badinput.Outcome{Err: err}
		}
		// The script and the command are encrypted, so that their files are looked at beside them.
		all := slices.Concat(public, secret)
		texts := []string{CloudConfig(all), LinuxScript(secret, badInputKey)}
		if pool, _ := poolNamed(args.Cluster.Topology.Pools, node.Pool); pool.Platform.IsWindows() {
			script := WindowsScript(all)
			command, err := WindowsCommand(WindowsScript(public), secret, badInputKey)
			if err != nil {
				return badinput.Outcome{Err: err}
			}
			texts = []string{script, command}
		}
		for _, text := range texts {
			out.Scripts = append(out.Scripts, badinput.NodeScripts(text)...)
		}
		for _, file := range all {
			out.Data = append(out.Data, file.Content)
		}
	}
	return out
}

func TestBadInputs(t *testing.T) {
	t.Parallel()
	var scripts []string
	for _, kind := range network.Kinds() {
		args := tried()
		args.Cluster.Network.Kind = kind
		scripts = append(scripts, everyFile(args).Scripts...)
	}
	const others = "what makes the machine needs it, and no file of it"
	badinput.Test[arguments]{
		Good:    tried,
		Run:     everyFile,
		Scripts: scripts,
		OtherPaths: map[string]string{
			`cluster\.network\.nodeCIDR`: `cluster\.nodes\[\d+\]\.address`,
		},
		Nowhere: map[string]string{
			`cluster\.topology\.pools\[\d+\]\.(size|zones.*|count|osDisk.*|maxPods|upgrade.*|spotMaxPrice)`: others,
			`cluster\.releases\.[fF]lannel.*`:                               "no node of this network downloads it",
			`cluster\.releases\.(runc|kubernetes\[0\]\.kubectl)\.windows.*`: "there is none for Windows",
			`cluster\.releases\.kubernetes\[0\]\.kubeProxy\.linux.*`:        "on Linux it is an image",
		},
		Unshown: map[string]string{
			`cluster\.kubelet\[linux\]\.priorityClass`:        "whatever it is, Linux has none",
			`cluster\.releases\..*\.url`:                      "an address may have a password or a signature",
			`join\.certificates\..*`:                          "a document is too long",
			`cluster\.(caCertificate|apiServer.*(ca|policy))`: "a document is too long",
		},
		Untried: map[string]string{
			`.*\.taints\[0\]\.timeAdded`:              "Kubernetes sets it",
			`.*\.reserved`:                            "it says what nodes have for pods, and nothing of it is on them",
			`.*\.reported\.capacity`:                  "nodes report it",
			`cluster\.topology\.pools\[\d+\]\.taints`: "another pool has some",
			`cluster\.topology\.lacks`:                "",
			`cluster\.topology\.runtimeClasses`:       "pods use them, and no node",
		},
	}.Try(t)
}

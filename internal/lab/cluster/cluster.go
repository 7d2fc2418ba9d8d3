package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// clusterName is kwokctl's name for the cluster. Its directory distinguishes it from
// other clusters of the user.
const clusterName = "mixedkube"

// Tools returns the names of the tools that [Cluster.Start] needs.
func Tools() []string {
	return []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok", "kwokctl"}
}

// Cluster is the simulated cluster in one directory.
type Cluster struct {
	// Dir is an absolute path. The cluster owns everything in it.
	Dir string
}

// Kubeconfig returns the path of the cluster's kubeconfig, which contains all
// credentials. Only its owner can read it.
func (c Cluster) Kubeconfig() string { return filepath.Join(c.Dir, "kubeconfig") }

// workdir is kwokctl's directory of the cluster.
func (c Cluster) workdir() string { return filepath.Join(c.Dir, "kwok", "clusters", clusterName) }

func (c Cluster) etcdKey() etcdKey {
	return etcdKey{certificate: filepath.Join(c.Dir, "etcd.crt"), key: filepath.Join(c.Dir, "etcd.key")}
}

func (c Cluster) home() string   { return filepath.Join(c.Dir, "home") }
func (c Cluster) config() string { return filepath.Join(c.Dir, "kwokctl.yaml") }

// ErrNone means that no cluster exists.
var ErrNone = errors.New("there is no cluster: start it with `make up`")

// Exists reports whether a cluster has been created, running or not.
func (c Cluster) Exists() bool {
	_, err := os.Stat(c.workdir())
	return err == nil
}

// Options are the choices of [Cluster.Start].
type Options struct {
	// Tools maps the names of [Tools] to paths.
	Tools map[string]string
	// LabID identifies the cluster's processes.
	LabID string
	// Port is the port of the API server; 0 chooses a free one. It cannot change
	// while the cluster exists.
	Port int
	// LoadBalancers gives Services of the type LoadBalancer an address, as the controller
	// of a cloud does.
	LoadBalancers bool
}

// Start creates the cluster, or starts it again if its processes have ended. It
// returns when the control plane is ready and the kubeconfig is written. It changes only
// [Options.LoadBalancers] of a running cluster. The error shows the last lines of the components' logs.
// If the creation fails, the caller must end the processes that it has started.
func (c Cluster) Start(ctx context.Context, o Options) (*kubernetes.Clientset, error) {
	if err := c.checkPort(o.Port); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.home(), 0o700); err != nil {
		return nil, err
	}
	// kwokctl stores the configuration that it has read, and does not read it again.
	if c.Exists() {
		if err := c.setLoadBalancers(ctx, o.LabID, o.LoadBalancers); err != nil {
			return nil, fmt.Errorf("change the load balancers: %w", err)
		}
	} else {
		all, r, err := reservePorts(o.Port)
		if err != nil {
			return nil, err
		}
		defer r.Release()
		if err := c.etcdKey().write(); err != nil {
			return nil, fmt.Errorf("the key of etcd: %w", err)
		}
		config := kwokctlConfig(all, c.etcdKey(), o.LoadBalancers)
		if err := os.WriteFile(c.config(), []byte(config), 0o600); err != nil {
			return nil, err
		}
	}
	client, err := c.run(ctx, o)
	if err != nil {
		return nil, err
	}
	return client, c.writeKubeconfig()
}

func (c Cluster) kwokctlCreate(ctx context.Context, o Options) error {
	cmd := exec.CommandContext(ctx, o.Tools["kwokctl"],
		"create", "cluster", "--name", clusterName, "--runtime", "binary",
		"--config", c.config(),
		"--kubeconfig", filepath.Join(c.home(), "kubeconfig"),
		"--etcd-binary", o.Tools["etcd"],
		"--kube-apiserver-binary", o.Tools["kube-apiserver"],
		"--kube-controller-manager-binary", o.Tools["kube-controller-manager"],
		"--kube-scheduler-binary", o.Tools["kube-scheduler"],
		"--kwok-controller-binary", o.Tools["kwok"],
	)
	cmd.Env = append(os.Environ(),
		processes.Mark(o.LabID),
		"KWOK_WORKDIR="+filepath.Join(c.Dir, "kwok"),
		// kwokctl calls kubectl, which keeps a cache in the home directory.
		"HOME="+c.home(),
		"PATH="+filepath.Dir(o.Tools["kubectl"])+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("kwokctl create cluster: %w\n%s%s", err, out.String(), c.logs())
	}
	return nil
}

// Client connects to the cluster.
func (c Cluster) Client() (*kubernetes.Clientset, error) {
	config, err := c.kwokctlKubeconfig()
	if err != nil {
		return nil, err
	}
	restConfig, err := clientcmd.NewDefaultClientConfig(*config, nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	// Only the lab uses this control plane: it needs no rate limit.
	restConfig.QPS = -1
	restConfig.ContentType = runtime.ContentTypeProtobuf
	restConfig.Timeout = time.Minute
	return kubernetes.NewForConfig(rest.AddUserAgent(restConfig, "mixedkube-lab"))
}

// writeKubeconfig writes the cluster's kubeconfig from kwokctl's, which points
// to files with the credentials that every user could read.
func (c Cluster) writeKubeconfig() error {
	config, err := c.kwokctlKubeconfig()
	if err != nil {
		return err
	}
	if err := clientcmdapi.FlattenConfig(config); err != nil {
		return err
	}
	return clientcmd.WriteToFile(*config, c.Kubeconfig())
}

func (c Cluster) kwokctlKubeconfig() (*clientcmdapi.Config, error) {
	config, err := clientcmd.LoadFromFile(filepath.Join(c.workdir(), "kubeconfig.yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	return config, err
}

const readyTimeout = time.Minute

func waitReady(ctx context.Context, client *kubernetes.Clientset) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, readyTimeout, true,
		func(ctx context.Context) (bool, error) {
			_, last = client.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
			return last == nil, nil
		})
	if err != nil && last != nil {
		return last
	}
	return err
}

// Version returns the version of the control plane, v1.36.3 for example.
func Version(client kubernetes.Interface) (string, error) {
	info, err := client.Discovery().ServerVersion()
	if err != nil {
		return "", err
	}
	return info.GitVersion, nil
}

// logs returns the last lines of each component's log, for an error message.
func (c Cluster) logs() string {
	const lines = 5
	var out strings.Builder
	files, _ := filepath.Glob(filepath.Join(c.workdir(), "logs", "*.log"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || len(content) == 0 {
			continue
		}
		all := strings.Split(strings.TrimSpace(string(content)), "\n")
		fmt.Fprintf(&out, "--- the last lines of %s\n%s\n", filepath.Base(file),
			strings.Join(all[max(0, len(all)-lines):], "\n"))
	}
	return out.String()
}

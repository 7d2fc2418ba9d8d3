package manifests

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

const (
	kubernetes = "k8s.io/kubernetes"
	kwok       = "sigs.k8s.io/kwok"
)

// requiredBy has the directory of the go.mod file that requires each module.
var requiredBy = map[string]string{
	kubernetes: "../../internal/lab/tools/kubernetes",
	kwok:       "../../internal/lab/tools/kwok",
}

// projects are directories of a module, with the name of the deployed project.
var projects = []struct{ name, module, dir string }{
	{"calico-policy-controller", kubernetes, "cluster/addons/calico-policy-controller"},
	{"cassandra", kubernetes, "test/e2e/testing-manifests/statefulset/cassandra"},
	{"cockroachdb", kubernetes, "test/e2e/testing-manifests/statefulset/cockroachdb"},
	{"csi-gce-pd", kubernetes, "test/e2e/testing-manifests/storage-csi/gce-pd"},
	{"csi-hostpath", kubernetes, "test/e2e/testing-manifests/storage-csi/hostpath"},
	{"csi-mock", kubernetes, "test/e2e/testing-manifests/storage-csi/mock"},
	{"device-plugin", kubernetes, "test/e2e/testing-manifests/sample-device-plugin"},
	{"dns-horizontal-autoscaler", kubernetes, "cluster/addons/dns-horizontal-autoscaler"},
	{"dra-driver", kubernetes, "test/e2e/dra/test-driver/deploy/example"},
	{"etcd", kubernetes, "test/e2e/testing-manifests/statefulset/etcd"},
	{"etcd-version-monitor", kubernetes, "cluster/images/etcd-version-monitor"},
	{"examples-of-kubectl", kubernetes, "hack/testdata"},
	{"examples-of-the-docs", kubernetes, "test/fixtures/doc-yaml"},
	{"fluentd-gcp", kubernetes, "cluster/addons/fluentd-gcp"},
	{"glbc", kubernetes, "cluster/addons/cluster-loadbalancing/glbc"},
	{"ip-masq-agent", kubernetes, "cluster/addons/ip-masq-agent"},
	{"kube-network-policies", kubernetes, "cluster/addons/kube-network-policies"},
	{"kwok", kwok, "kustomize"},
	{"metadata-proxy", kubernetes, "cluster/addons/metadata-proxy"},
	{"metrics-server", kubernetes, "cluster/addons/metrics-server"},
	{"mysql-galera", kubernetes, "test/e2e/testing-manifests/statefulset/mysql-galera"},
	{"mysql-upgrade", kubernetes, "test/e2e/testing-manifests/statefulset/mysql-upgrade"},
	{"node-problem-detector", kubernetes, "cluster/addons/node-problem-detector"},
	{"nodelocaldns", kubernetes, "cluster/addons/dns/nodelocaldns"},
	{"nvidia-driver-installer", kubernetes, "test/e2e/testing-manifests/gpu/gce"},
	{"serviceloadbalancer", kubernetes, "test/e2e/testing-manifests/serviceloadbalancer"},
	{"volume-snapshot-controller", kubernetes, "cluster/addons/volumesnapshots"},
	{"zookeeper", kubernetes, "test/e2e/testing-manifests/statefulset/zookeeper"},
}

// Cluster has a Linux pool and pools of two Windows releases, with their taint or without.
func Cluster(tainted bool) topology.Topology {
	t := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
		{Name: "win25", Platform: platform.WindowsServer2025},
	}}
	for i := range t.Pools {
		if t.Pools[i].Platform.IsWindows() && !tainted {
			t.Pools[i].Untainted = true
		}
	}
	return t
}

// Project has the files that a project deploys.
type Project struct {
	Name  string
	Files []conversion.File
	// Unreadable is the number of files that are not valid manifests, mostly templates.
	Unreadable int
}

// Read returns all projects.
func Read(tb testing.TB) []Project {
	tb.Helper()
	modules := download(tb)
	var all []Project
	for _, p := range projects {
		files, unreadable := read(tb, modules[p.module], filepath.FromSlash(p.dir))
		all = append(all, Project{p.name, files, unreadable})
	}
	return all
}

// download returns the directories of the modules.
func download(tb testing.TB) map[string]string {
	tb.Helper()
	dirs := map[string]string{}
	for module, dir := range requiredBy {
		cmd := exec.CommandContext(tb.Context(), "go", "mod", "download", "-json", module)
		cmd.Dir, cmd.Env = filepath.FromSlash(dir), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		out, err := cmd.Output()
		var found struct{ Dir, Error string }
		if err := errors.Join(err, json.Unmarshal(out, &found)); err != nil || found.Error != "" {
			tb.Fatalf("%s: %v %s", module, err, found.Error)
		}
		dirs[module] = found.Dir
	}
	return dirs
}

// read returns the files of a directory, with paths relative to the module, and the number of
// files that are not valid manifests, mostly templates.
func read(tb testing.TB, module, dir string) (files []conversion.File, unreadable int) {
	tb.Helper()
	paths := []string{filepath.Join(module, dir)}
	found, problems := userfiles.Read(tb.Context(), new(disk.Access), paths, userfiles.Skips{})
	if len(problems) > 0 {
		tb.Fatal(errors.Join(problems...))
	}
	for _, f := range found {
		name, err := filepath.Rel(module, f.Path)
		if err != nil {
			tb.Fatal(err)
		}
		file := conversion.File{Name: filepath.ToSlash(name), Text: f.Text}
		result, errs := conversion.Convert([]conversion.File{file}, conversion.Options{Topology: Cluster(true)})
		if len(errs) == 0 {
			errs = result.Files[0].Problems
		}
		if len(errs) > 0 {
			tb.Log(errors.Join(errs...))
			unreadable++
			continue
		}
		files = append(files, file)
	}
	return files, unreadable
}

package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/conversion"
	"github.com/mixedkube/mixedkube/internal/golden"
	"github.com/mixedkube/mixedkube/internal/manifestfiles"
)

const (
	kubernetes = "k8s.io/kubernetes"
	kwok       = "sigs.k8s.io/kwok"
)

// requiredBy are the folders of the go.mod files that require the modules.
var requiredBy = map[string]string{
	kubernetes: "../../internal/lab/tools/kubernetes",
	kwok:       "../../internal/lab/tools/kwok",
}

// projects are folders of a module, by the name of what they deploy.
var projects = []struct{ name, module, folder string }{
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

// cluster has Linux and two Windows releases, whose pools have their taint or none.
func cluster(tainted bool) topology.Topology {
	t := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
		{Name: "win25", Platform: platform.WindowsServer2025},
	}}
	for i := range t.Pools {
		if t.Pools[i].Platform.IsWindows() && !tainted {
			t.Pools[i].Taints = []corev1.Taint{}
		}
	}
	return t
}

func TestPublicManifestsBecomeRight(t *testing.T) {
	t.Parallel()
	modules := download(t)
	var summary strings.Builder
	for _, project := range projects {
		files, unreadable := read(t, modules[project.module], filepath.FromSlash(project.folder))
		counts := map[bool]string{}
		for _, tainted := range []bool{true, false} {
			options := conversion.Options{Topology: cluster(tainted)}
			asked := convert(t, project.name, files, options)
			options.AssumeLinux = true
			assumed := convert(t, project.name, files, options)
			options.AssumeLinux = false
			options.Platforms = answers(asked, platform.WindowsServer2022)
			convert(t, project.name, files, options)
			counts[tainted] = count(asked) + ", " + count(assumed)
		}
		if counts[true] != counts[false] {
			t.Errorf("%s: taints change what pods are taken for: %s with them, %s without", project.name, counts[true], counts[false])
		}
		fmt.Fprintf(&summary, "%s: %d files (%d unreadable): %s\n", project.name, len(files), unreadable, counts[true])
	}
	golden.Equal(t, "testdata/projects.golden", summary.String())
}

// download returns where the modules are.
func download(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	for module, dir := range requiredBy {
		cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
		cmd.Dir, cmd.Env = filepath.FromSlash(dir), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		out, err := cmd.Output()
		var found struct{ Dir, Error string }
		if err := errors.Join(err, json.Unmarshal(out, &found)); err != nil || found.Error != "" {
			t.Fatalf("%s: %v %s", module, err, found.Error)
		}
		dirs[module] = found.Dir
	}
	return dirs
}

// read returns the files of a folder, with paths below the module, and how many of
// them are no manifests as they are: templates, mostly.
func read(t *testing.T, module, folder string) (files []conversion.File, unreadable int) {
	t.Helper()
	found, problems := manifestfiles.Read(t.Context(), []string{filepath.Join(module, folder)})
	if len(problems) > 0 {
		t.Fatal(errors.Join(problems...))
	}
	for _, f := range found {
		name, err := filepath.Rel(module, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		file := conversion.File{Name: filepath.ToSlash(name), Text: f.Text}
		if _, errs := conversion.Convert([]conversion.File{file}, conversion.Options{Topology: cluster(true)}); len(errs) > 0 {
			t.Log(errors.Join(errs...))
			unreadable++
			continue
		}
		files = append(files, file)
	}
	return files, unreadable
}

// convert completes files and looks at all that must be true then.
func convert(t *testing.T, project string, files []conversion.File, options conversion.Options) conversion.Result {
	t.Helper()
	result, errs := conversion.Convert(files, options)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", project, errors.Join(errs...))
	}
	again, errs := conversion.Convert(result.Files, options)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", project, errors.Join(errs...))
	}
	for i, f := range result.Files {
		if f.Changed() == bytes.Equal(f.Text, files[i].Text) {
			t.Errorf("%s: changed is %t, and so it is not", f.Name, f.Changed())
		}
		if again.Files[i].Changed() {
			t.Errorf("%s: converted again it is another text", f.Name)
		}
		if line, ok := lost(string(files[i].Text), string(f.Text)); ok {
			t.Errorf("%s: the line %q is lost", f.Name, line)
		}
	}
	asked := map[string]bool{}
	for _, f := range result.Findings {
		if f.Asks {
			asked[fmt.Sprintf("%s %s", f.File, conversion.Object{Kind: f.Kind, Namespace: f.Namespace, Name: f.Name}.Key())] = true
		}
	}
	checker := preflight.New(preflight.Options{Topology: options.Topology})
	for _, o := range result.Objects {
		where := fmt.Sprintf("%s:%d: %s", o.File, o.Line, o.Key())
		if o.Done == conversion.Asks && !asked[o.File+" "+o.Key()] {
			t.Errorf("%s: nobody asks what it is for", where)
		}
		landing, ok := checker.Landing(o.Tree)
		if !ok || o.OS == "" {
			continue
		}
		for _, pool := range slices.Concat(landing.Pools, landing.Perhaps) {
			if pool.Platform.OS() != o.OS {
				t.Errorf("%s: is for %s by %s, and can land on %s", where, o.OS, o.Source, landing)
			}
		}
	}
	return result
}

// lost returns a line that is not there any more: each is, but for those in which a
// value in brackets has got more, or has taken the place of null.
func lost(before, after string) (string, bool) {
	rest := strings.Split(after, "\n")
	for line := range strings.SplitSeq(before, "\n") {
		i := slices.Index(rest, line)
		if i < 0 {
			key, _, _ := strings.Cut(line, ":")
			i = slices.IndexFunc(rest, func(l string) bool {
				return strings.HasPrefix(l, key) && (strings.Contains(l, "{") || strings.Contains(l, "["))
			})
		}
		if i < 0 {
			return line, true
		}
		rest = rest[i+1:]
	}
	return "", false
}

// answers says of all objects that ask what they are for.
func answers(r conversion.Result, p platform.Platform) map[string]platform.Platform {
	all := map[string]platform.Platform{}
	for _, o := range r.Objects {
		if o.Done == conversion.Asks {
			all[o.Key()] = p
		}
	}
	// Of two objects with one name the other one may say it itself.
	for _, o := range r.Objects {
		if o.Done != conversion.Asks {
			delete(all, o.Key())
			delete(all, o.Kind+"/"+o.Name)
		}
	}
	return all
}

// count says how many objects are for what.
func count(r conversion.Result) string {
	counts := map[string]int{}
	for _, o := range r.Objects {
		switch {
		case o.Done == conversion.NoPods:
		case o.Done == conversion.Assumed:
			counts["taken for Linux"]++
		case o.OS != "":
			counts[string(o.OS)]++
		case o.Done == conversion.Asks:
			counts["unknown"]++
		default:
			counts["left alone"]++
		}
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[key], key))
	}
	if len(parts) == 0 {
		return "no pods"
	}
	return strings.Join(parts, " ")
}

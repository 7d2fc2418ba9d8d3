package bootstrap

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// staticPods are the static pods of a control plane, in the order in which they are restarted.
var staticPods = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}

// newControlPlane returns a machine on which the static pods run. Their manifests are as kubeadm
// writes them: some have annotations.
func newControlPlane(t *testing.T) host {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash: apt-get install bash, as root")
	}
	dir := t.TempDir()
	h := host{filepath.Join(dir, "root"), filepath.Join(dir, "fake"), filepath.Join(dir, "programs")}
	mkdir(t, filepath.Join(h.root, "var", "lib", "mixedkube"), h.programs)
	fake, err := filepath.Abs(filepath.Join("testdata", "fake-control-plane.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"cp", "curl", "kubeadm", "kubectl", "ln", "mv", "rm", "systemctl"} {
		if err := os.Symlink(fake, filepath.Join(h.programs, program)); err != nil {
			t.Fatal(err)
		}
	}
	// It is slow, and a power failure that only kills needs none.
	if err := os.Symlink("/bin/true", filepath.Join(h.programs, "sync")); err != nil {
		t.Fatal(err)
	}
	c, j := knownCluster(t)
	files := filesByPath(testMachineJoining(t, c, "cp-1", j))
	for _, name := range []string{"control-plane.sh", "renew-certificates.sh", "replace-keys.sh"} {
		write(t, filepath.Join(h.root, "opt", "mixedkube", name), files["/opt/mixedkube/"+name].Content, 0o755)
	}
	for i, name := range staticPods {
		annotations := ""
		if i < 2 {
			annotations = "  annotations:\n    kubeadm.kubernetes.io/" + name + ".advertise-address.endpoint: " +
				"10.0.0.4\n"
		}
		write(t, h.manifest(name), "apiVersion: v1\nkind: Pod\nmetadata:\n"+annotations+
			"  labels:\n    component: "+name+"\n    tier: control-plane\n  name: "+name+"\nspec:\n  containers:\n"+
			"  - command:\n    - "+name+"\n    labels: []\n", 0o600)
		write(t, filepath.Join(h.root, "proc", strconv.Itoa(100+i), "comm"), comm(name)+"\n", 0o644)
	}
	write(t, filepath.Join(h.root, "proc", "99", "comm"), "kubelet\n", 0o644)
	write(t, filepath.Join(h.fake, "process"), "200\n", 0o644)
	return h
}

func (h host) manifest(name string) string {
	return filepath.Join(h.root, "etc", "kubernetes", "manifests", name+".yaml")
}

// comm returns what the kernel keeps of a program's name.
func comm(name string) string { return name[:min(len(name), 15)] }

// renew runs the script, with so many seconds for each component.
func (h host) renew(t *testing.T, limit, crash int) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `source "$1"; ROOT=$2; PAUSE=0.05; LIMIT=$3; main`, "test",
		filepath.Join(h.root, "opt", "mixedkube", "renew-certificates.sh"), h.root, strconv.Itoa(limit))
	cmd.Env = append(os.Environ(), "PATH="+h.programs+":"+os.Getenv("PATH"), "FAKE="+h.fake, "FAKE_ROOT="+h.root)
	if crash > 0 {
		cmd.Env = append(cmd.Env, "CRASH="+strconv.Itoa(crash))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// checkManifests makes sure that each manifest is complete, with the content that kubeadm wrote. If
// want is true, each manifest must have the label once, otherwise none may have it.
func (h host) checkManifests(t *testing.T, want bool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(h.manifest("etcd")))
	if err != nil || len(entries) != len(staticPods) {
		t.Errorf("%d manifests (%v)", len(entries), err)
	}
	for _, name := range staticPods {
		var pod struct {
			Metadata struct {
				Annotations, Labels map[string]string
				Name                string
			}
			Spec any
		}
		text := read(t, h.manifest(name))
		if err := yaml.Unmarshal([]byte(text), &pod); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		stamp := pod.Metadata.Labels["mixedkube.io/restarted"]
		if (len(stamp) == len("20261124T052008Z")) != want || pod.Metadata.Labels["component"] != name ||
			pod.Metadata.Name != name || pod.Spec == nil || strings.Count(text, "mixedkube.io/") > 1 {
			t.Errorf("%s:\n%s", name, text)
		}
		info, err := os.Stat(h.manifest(name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v (%v)", name, info.Mode(), err)
		}
	}
}

func TestCertificatesAreRenewed(t *testing.T) {
	t.Parallel()
	h := newReplacement(t, generations()[0])
	for range 2 { // the second time with the label of the first
		write(t, filepath.Join(h.fake, "calls"), "", 0o644)
		out, err := h.renew(t, 20, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got []string
		for _, call := range h.calls(t, "kubeadm", "restarted") {
			if len(got) == 0 || got[len(got)-1] != call {
				got = append(got, call)
			}
		}
		want := []string{"kubeadm certs renew all"}
		for _, name := range staticPods {
			want = append(want, "restarted "+name)
			if !strings.Contains(out, name+" is restarted\n") {
				t.Errorf("says nothing of %s:\n%s", name, out)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		h.checkManifests(t, true)
	}
	for _, want := range []string{
		"http://127.0.0.1:2381/readyz", "https://127.0.0.1:6443/readyz", "https://127.0.0.1:10257/healthz",
		"https://127.0.0.1:10259/readyz",
	} {
		requested := func(call string) bool { return strings.HasSuffix(call, " "+want) }
		if !slices.ContainsFunc(h.calls(t, "curl"), requested) {
			t.Errorf("nothing calls %s", want)
		}
	}
}

// A component that cannot be restarted is reported, and the following ones are left alone.
func TestReasonsForFailedRenewals(t *testing.T) {
	t.Parallel()
	const late = "error: 1 seconds after its manifest has changed, etcd is not restarted and healthy: the others " +
		"are restarted when this is run again"
	for name, tt := range map[string]struct {
		change    func(t *testing.T, h host)
		want      string
		restarted []string
	}{
		"kubeadm fails": {
			func(t *testing.T, h host) {
				t.Helper()
				write(t, filepath.Join(h.fake, "kubeadm-fails"), "", 0o644)
			}, "", nil,
		},
		"the kubelet does nothing": {
			func(t *testing.T, h host) {
				t.Helper()
				write(t, filepath.Join(h.fake, "kubelet-sleeps"), "", 0o644)
			}, late, nil,
		},
		"etcd does not come back": {
			func(t *testing.T, h host) {
				t.Helper()
				write(t, filepath.Join(h.fake, "unhealthy"), ":2381/", 0o644)
			}, late, []string{"restarted etcd"},
		},
		"another manifest": {
			func(t *testing.T, h host) {
				t.Helper()
				write(t, h.manifest("kube-apiserver"), "{apiVersion: v1}\n", 0o600)
			},
			"error: /etc/kubernetes/manifests/kube-apiserver.yaml is not as kubeadm writes it: restart " +
				"kube-apiserver " +
				"by hand",
			[]string{"restarted etcd"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, generations()[0])
			tt.change(t, h)
			before := read(t, h.manifest("kube-apiserver"))
			out, err := h.renew(t, 1, 0)
			if err == nil || !strings.Contains(out, tt.want) {
				t.Errorf("%v\n%s", err, out)
			}
			if diff := cmp.Diff(tt.restarted, h.calls(t, "restarted")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if after := read(t, h.manifest("kube-apiserver")); after != before {
				t.Errorf("the manifest of the API server is another one:\n%s", after)
			}
		})
	}
}

// At every moment each manifest exists, the old or the new one, and the next run continues.
func TestRenewalAfterAPowerFailure(t *testing.T) {
	t.Parallel()
	whole := newReplacement(t, generations()[0])
	if out, err := whole.renew(t, 20, 0); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	calls := len(whole.calls(t))
	for crash := 1; crash <= calls; crash += 2 {
		t.Run(strconv.Itoa(crash), func(t *testing.T) {
			t.Parallel()
			h := newReplacement(t, generations()[0])
			h.renew(t, 20, crash) //nolint:errcheck // The power fails, or not any more.
			for _, name := range staticPods {
				if text := read(t, h.manifest(name)); !strings.HasSuffix(text, "labels: []\n") {
					t.Errorf("%s is cut:\n%s", name, text)
				}
			}
			if out, err := h.renew(t, 20, 0); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			h.checkManifests(t, true)
		})
	}
}

// The timer is on machines of the control plane only, and on when they are nodes.
func TestTheRenewalIsTimed(t *testing.T) {
	t.Parallel()
	for node, want := range map[string]bool{"cp-1": true, "cp-2": true, "linux-1": false} {
		t.Run(node, func(t *testing.T) {
			t.Parallel()
			m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), node)
			h := newHost(t, m)
			h.mustRun(t, "bootstrap.sh")
			got := h.calls(t, "systemctl")
			for _, call := range []string{
				"systemctl enable mixedkube-renew-certificates.timer",
				"systemctl restart mixedkube-renew-certificates.timer",
				"systemctl enable mixedkube-replace-keys.service",
			} {
				if slices.Contains(got, call) != want {
					t.Errorf("%q is there: %t\n%q", call, !want, got)
				}
			}
		})
	}
	timer := linuxText("mixedkube-renew-certificates.timer")
	for _, line := range []string{
		"OnCalendar=monthly", "RandomizedDelaySec=20d", "FixedRandomDelay=true", "Persistent=true",
	} {
		if !strings.Contains(timer, line+"\n") {
			t.Errorf("there is no %s:\n%s", line, timer)
		}
	}
}

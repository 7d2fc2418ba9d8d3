package bootstrap

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// host is a directory that stands for a machine: root is its /, and fake has programs that
// only note that they were run.
type host struct{ root, fake, programs string }

// newHost has the files of a node, and a web from which it downloads.
func newHost(t *testing.T, m machine, without ...string) host {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash: apt-get install bash, as root")
	}
	dir := t.TempDir()
	h := host{
		root: filepath.Join(dir, "root"), fake: filepath.Join(dir, "fake"),
		programs: filepath.Join(dir, "programs"),
	}
	mkdir(t, filepath.Join(h.root, "var", "log"), h.programs)
	h.serve(t, &m)
	write(t, filepath.Join(h.fake, "count"), "0\n", 0o644)
	fake, err := filepath.Abs(filepath.Join("testdata", "fake-program.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(
		"curl install ip kubeadm kubectl modprobe mv nft rm swapoff sync sysctl systemctl tar timeout",
	) {
		if err := os.Symlink(fake, filepath.Join(h.programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range linuxFiles(m) {
		mode := fs.FileMode(0o644)
		if file.Executable {
			mode = 0o755
		}
		if !slices.Contains(without, file.Path) {
			write(t, filepath.Join(h.root, file.Path), file.Content, mode)
		}
		if name, ok := strings.CutPrefix(file.Path, linuxPKI+"/"); ok {
			write(t, filepath.Join(h.fake, "certificates", name), file.Content, 0o600)
		}
	}
	return h
}

// boot starts the machine again, with the address of the endpoint if the unit is enabled.
func (h host) boot(t *testing.T) {
	t.Helper()
	at := filepath.Join(h.fake, "address")
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(h.root, systemdUnits, "multi-user.target.wants",
		"mixedkube-endpoint.service")); err == nil {
		write(t, at, read(t, filepath.Join(h.root, linuxConfig, "endpoint")), 0o644)
	}
}

// serve puts something where the machine's releases are, with the right hashes.
func (h host) serve(t *testing.T, m *machine) {
	t.Helper()
	put := func(d *Download, content []byte) {
		hash := sha256.Sum256(content)
		d.SHA256 = hex.EncodeToString(hash[:])
		write(t, filepath.Join(h.fake, "web", path.Base(d.URL)), string(content), 0o644)
	}
	put(&m.releases.Containerd.Linux, archive(t, "bin/containerd"))
	put(&m.releases.CNIPlugins.Linux, archive(t, "./bridge"))
	put(&m.releases.Runc.Linux, []byte("runc"))
	put(&m.release.Kubelet.Linux, []byte("kubelet"))
	put(&m.controlPlane.Kubeadm.Linux, []byte("kubeadm"))
	put(&m.controlPlane.Kubectl.Linux, []byte("kubectl"))
}

func archive(t *testing.T, name string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	zip := gzip.NewWriter(&buffer)
	tape := tar.NewWriter(zip)
	if err := tape.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(name))}); err != nil {
		t.Fatal(err)
	}
	if _, err := tape.Write([]byte(name)); err != nil {
		t.Fatal(err)
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

// run runs a script of the host; after so many calls of programs the power fails, 0 for
// never.
func (h host) run(t *testing.T, script string, crash int) (string, error) {
	t.Helper()
	cmd := h.command(t, script)
	if crash > 0 {
		cmd.Env = append(cmd.Env, "CRASH="+strconv.Itoa(crash))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// command runs a script of the host.
func (h host) command(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `source "$1"; ROOT=$2; PAUSE=0; main`, "test",
		filepath.Join(h.root, "opt", "mixedkube", script), h.root)
	cmd.Env = append(os.Environ(), "PATH="+h.programs+":"+os.Getenv("PATH"), "FAKE="+h.fake, "FAKE_ROOT="+h.root)
	return cmd
}

func (h host) mustRun(t *testing.T, script string) string {
	t.Helper()
	out, err := h.run(t, script, 0)
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

// calls returns the calls of all programs, or of some.
func (h host) calls(t *testing.T, programs ...string) []string {
	t.Helper()
	var calls []string
	for line := range strings.Lines(read(t, filepath.Join(h.fake, "calls"))) {
		line = strings.ReplaceAll(strings.TrimSpace(line), h.root, "")
		if name, _, _ := strings.Cut(line, " "); len(programs) == 0 || slices.Contains(programs, name) {
			calls = append(calls, line)
		}
	}
	return calls
}

// state has all files except the log and the progress of the script.
func (h host) state(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(h.root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(at, h.root)
		if entry.IsDir() || strings.HasPrefix(name, "/var/log/") {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		state[name] = fmt.Sprintf("%s %s", info.Mode(), read(t, at))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

const secretConfig = "/etc/mixedkube/kubeadm/config.yaml"

func TestBootstrapOfANode(t *testing.T) {
	t.Parallel()
	for node, want := range map[string][]string{
		"cp-1": {
			"kubeadm init --config /etc/mixedkube/kubeadm/config.yaml --skip-token-print " +
				"--skip-certificate-key-print --upload-certs",
		},
		"cp-2":    {"kubeadm join --config /etc/mixedkube/kubeadm/config.yaml"},
		"linux-1": {"kubeadm join --config /etc/mixedkube/kubeadm/config.yaml"},
	} {
		t.Run(node, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, testMachine(t, testCluster(network.HostGateway, "1.36"), node))
			out := h.mustRun(t, "bootstrap.sh")
			if diff := cmp.Diff(want, h.calls(t, "kubeadm")); diff != "" {
				t.Error(diff)
			}
			state := h.state(t)
			installed := map[string]string{
				"/usr/local/bin/containerd": "-rwxr-xr-x bin/containerd",
				"/usr/local/bin/kubelet":    "-rwxr-xr-x kubelet",
				"/usr/local/bin/kubeadm":    "-rwxr-xr-x kubeadm",
				"/usr/local/sbin/runc":      "-rwxr-xr-x runc",
				"/opt/cni/bin/bridge":       "-rwxr-xr-x ./bridge",
			}
			if node == "cp-1" {
				installed["/usr/local/bin/kubectl"] = "-rwxr-xr-x kubectl"
				installed["/etc/kubernetes/admin.conf"] = "-rw-r--r-- apiVersion: v1\n"
			}
			// An administrator's key is in one file, and the one of system:masters in none.
			for _, at := range []string{"/root/.kube/config", "/etc/kubernetes/super-admin.conf"} {
				if content, found := state[at]; found {
					t.Errorf("%s is there: %q", at, content)
				}
			}
			for at, content := range installed {
				if state[at] != content {
					t.Errorf("%s is %q, want %q", at, state[at], content)
				}
			}
			if _, found := state[secretConfig]; found {
				t.Error("the secret is still there")
			}
			h.checkLog(t, out)
		})
	}
}

// checkLog checks that no other user can read the log, and that it contains the shown output,
// but no secret.
func (h host) checkLog(t *testing.T, out string) {
	t.Helper()
	at := filepath.Join(h.root, "var", "log", "mixedkube-bootstrap.log")
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("the log has the mode %s", info.Mode())
	}
	if logged := read(t, at); logged != out || !strings.Contains(logged, "this machine is a node of the cluster") {
		t.Errorf("shown:\n%s\nlogged:\n%s", out, logged)
	}
	for _, text := range append(h.calls(t), out) {
		if strings.Contains(text, testToken) || strings.Contains(text, testKey) {
			t.Errorf("shows a secret: %s", text)
		}
	}
}

var allCrashes = flag.Bool("all-crashes", false, "let the power fail at every call of a program instead of at some")

// Whenever the power fails, the next run ends as if it had not.
func TestBootstrapAfterAPowerFailure(t *testing.T) {
	t.Parallel()
	c := testCluster(network.UpstreamL3, "1.36")
	certificates := joinWith(t, testCertificates(t))
	// Up to kubeadm all nodes run the same.
	const all, sinceKubeadm = 1000, 12
	for node, tt := range map[string]struct {
		m    machine
		last int
	}{
		"cp-1":                   {testMachine(t, c, "cp-1"), all},
		"linux-1":                {testMachine(t, c, "linux-1"), sinceKubeadm},
		"cp-1 with certificates": {testMachineJoining(t, localEndpoint(c), "cp-1", certificates), 3 * sinceKubeadm},
		"cp-2 with certificates": {testMachineJoining(t, localEndpoint(c), "cp-2", certificates), 3 * sinceKubeadm},
		"cp-1 with the CA alone": {testMachineJoining(t, c, "cp-1",
			Join{Certificates: Certificates{CA: certificates.Certificates.CA}}), sinceKubeadm},
	} {
		m, last := tt.m, tt.last
		whole := newHost(t, m)
		whole.mustRun(t, "bootstrap.sh")
		want := whole.state(t)
		count, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(whole.fake, "count"))))
		if err != nil || count < 25 {
			t.Fatalf("%d programs were run: %v", count, err)
		}
		step := 3
		if *allCrashes {
			step = 1
		}
		for crash := count; crash >= max(1, count-last); crash -= step {
			t.Run(fmt.Sprintf("%s/%d", node, crash), func(t *testing.T) {
				t.Parallel()
				h := newHost(t, m)
				if out, err := h.run(t, "bootstrap.sh", crash); err == nil {
					t.Fatalf("the power did not fail:\n%s", out)
				}
				h.boot(t)
				h.mustRun(t, "bootstrap.sh")
				if diff := cmp.Diff(want, h.state(t)); diff != "" {
					t.Errorf("after the calls\n%s\n(-want +got):\n%s", strings.Join(h.calls(t), "\n"), diff)
				}
			})
		}
	}
}

// The files of the certificates have the modes that kubeadm gives them, and nothing of
// them is left beside them.
func TestBootstrapInstallsCertificates(t *testing.T) {
	t.Parallel()
	certificates := testCertificates(t)
	c := testCluster(network.FlannelVXLAN, "1.36")
	for node, tt := range map[string]struct {
		join  Join
		files int
		want  string
	}{
		"cp-1": {
			Join{CertificateKey: testKey, Certificates: Certificates{CA: certificates.CA}},
			2,
			"kubeadm init --config /etc/mixedkube/kubeadm/config.yaml --skip-token-print " +
				"--skip-certificate-key-print --upload-certs",
		},
		"cp-2": {joinWith(t, certificates), 9, "kubeadm join --config /etc/mixedkube/kubeadm/config.yaml"},
	} {
		t.Run(node, func(t *testing.T) {
			t.Parallel()
			m := testMachineJoining(t, c, node, tt.join)
			h := newHost(t, m)
			// The first attempt fails, and the reset after it removes all.
			write(t, filepath.Join(h.fake, "kubeadm-fails"), "", 0o644)
			if out, err := h.run(t, "bootstrap.sh", 0); err == nil {
				t.Fatalf("kubeadm's failure is not the script's:\n%s", out)
			}
			if err := os.Remove(filepath.Join(h.fake, "kubeadm-fails")); err != nil {
				t.Fatal(err)
			}
			out := h.mustRun(t, "bootstrap.sh")
			want, got := map[string]string{}, map[string]string{}
			for _, file := range m.join.Certificates.files(linuxPKI) {
				mode := "-rw------- "
				if strings.HasSuffix(file.Path, ".crt") {
					mode = "-rw-r--r-- "
				}
				want["/etc/kubernetes/pki"+strings.TrimPrefix(file.Path, linuxPKI)] = mode + file.Content
			}
			for at, content := range h.state(t) {
				if strings.Contains(at, "/pki/") {
					got[at] = content
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) != tt.files {
				t.Errorf("%d files (-want +got):\n%s", len(got), diff)
			}
			if info, err := os.Stat(filepath.Join(h.root, "etc", "kubernetes", "pki")); err != nil ||
				info.Mode().Perm() != 0o755 {
				t.Errorf("the directory: %v, %v", info, err)
			}
			if calls := h.calls(t, "kubeadm"); calls[len(calls)-1] != tt.want {
				t.Errorf("ran %q, want at last %q", calls, tt.want)
			}
			if strings.Contains(out, "PRIVATE KEY") {
				t.Errorf("shows a key:\n%s", out)
			}
		})
	}
}

// A node that joins reaches the others until it has joined.
func TestBootstrapAnswersTheEndpoint(t *testing.T) {
	t.Parallel()
	c := localEndpoint(testCluster(network.FlannelVXLAN, "1.36"))
	on := []string{"systemctl enable mixedkube-endpoint.service", "systemctl restart mixedkube-endpoint.service"}
	for node, want := range map[string][]string{
		"cp-1":    slices.Concat(on, []string{"kubeadm init"}, on),
		"cp-2":    slices.Concat([]string{"kubeadm join"}, on),
		"linux-1": {"kubeadm join"},
	} {
		t.Run(node, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, testMachine(t, c, node))
			h.mustRun(t, "bootstrap.sh")
			var got []string
			for _, call := range h.calls(t, "systemctl", "kubeadm") {
				if strings.HasPrefix(call, "kubeadm ") {
					call = strings.Join(strings.Fields(call)[:2], " ")
				} else if !strings.Contains(call, "endpoint") {
					continue
				}
				got = append(got, call)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEndpointScript(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, localEndpoint(testCluster(network.FlannelVXLAN, "1.36")), "cp-2"))
	h.mustRun(t, "endpoint.sh")
	if diff := cmp.Diff([]string{"ip address replace 10.0.0.100/32 dev lo"}, h.calls(t)); diff != "" {
		t.Error(diff)
	}
}

func TestBootstrapIsDoneOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "linux-1"))
	h.mustRun(t, "bootstrap.sh")
	write(t, filepath.Join(h.root, secretConfig), "somebody put it there again\n", 0o600)
	write(t, filepath.Join(h.root, linuxPKI, "etcd", "ca.key"), "and this\n", 0o600)
	h.mustRun(t, "bootstrap.sh")
	if got := h.calls(t, "kubeadm", "curl"); len(got) != 6 {
		t.Errorf("%d downloads and joins: %q", len(got), got)
	}
	for at := range h.state(t) {
		if at == secretConfig || strings.HasPrefix(at, linuxPKI) {
			t.Errorf("the secret %s is left", at)
		}
	}
}

func TestBootstrapWaitsForTheSecret(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "linux-1")
	h := newHost(t, m, secretConfig)
	if out := h.mustRun(t, "bootstrap.sh"); !strings.Contains(out, "waiting for /etc/mixedkube/kubeadm/config.yaml") {
		t.Errorf("does not say that it waits:\n%s", out)
	}
	if got := h.calls(t, "curl"); len(got) != 5 {
		t.Errorf("prepared nothing while it waits: %q", got)
	}
	write(t, filepath.Join(h.root, secretConfig), kubeadmConfig(m), 0o644)
	h.mustRun(t, "bootstrap.sh")
	if got := h.calls(t, "kubeadm"); len(got) != 1 {
		t.Errorf("ran %q", got)
	}
}

func TestBootstrapRefusesAWrongDownload(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "linux-1")
	for _, file := range []string{"runc.amd64", "cni-plugins-linux-amd64-v1.9.1.tgz", "kubelet"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, m)
			right := read(t, filepath.Join(h.fake, "web", file))
			write(t, filepath.Join(h.fake, "web", file), "something else", 0o644)
			out, err := h.run(t, "bootstrap.sh", 0)
			if err == nil || !strings.Contains(out, "nothing of it is installed") {
				t.Errorf("%v:\n%s", err, out)
			}
			for at, content := range h.state(t) {
				if strings.Contains(content, "something else") {
					t.Errorf("it is at %s", at)
				}
			}
			if got := h.calls(t, "kubeadm"); len(got) > 0 {
				t.Errorf("ran %q", got)
			}
			write(t, filepath.Join(h.fake, "web", file), right, 0o644)
			h.mustRun(t, "bootstrap.sh")
		})
	}
}

// An attempt of kubeadm that failed is discarded before the next.
func TestBootstrapTriesAgain(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "linux-1"))
	write(t, filepath.Join(h.fake, "kubeadm-fails"), "", 0o644)
	if out, err := h.run(t, "bootstrap.sh", 0); err == nil {
		t.Fatalf("kubeadm's failure is not the script's:\n%s", out)
	}
	if _, found := h.state(t)[secretConfig]; !found {
		t.Error("the secret was removed, and is still needed")
	}
	if err := os.Remove(filepath.Join(h.fake, "kubeadm-fails")); err != nil {
		t.Fatal(err)
	}
	h.mustRun(t, "bootstrap.sh")
	join := "kubeadm join --config " + secretConfig
	want := []string{join, "kubeadm reset --force --cri-socket unix:///run/containerd/containerd.sock", join}
	if diff := cmp.Diff(want, h.calls(t, "kubeadm")); diff != "" {
		t.Error(diff)
	}
}

// A cluster that others may have joined is never created again.
func TestBootstrapKeepsAClusterThatIsInUse(t *testing.T) {
	t.Parallel()
	const (
		inUse   = "and yet the cluster has 2 nodes: it is not created again"
		unknown = "if no other machine has ever joined, run `kubeadm reset --force` by hand"
	)
	// What exists on the machine: every case lacks or changes something of it.
	const (
		marker, etcd = "/var/lib/mixedkube/kubeadm-reset", "/var/lib/etcd/member/snap/db"
		admin        = "/etc/kubernetes/admin.conf"
	)
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-1")
	for name, tt := range map[string]struct {
		files []string
		// nodes are what the API server answers; it does not if it does not answer at all.
		nodes  string
		silent bool
		// refusal is why the cluster is retained, empty if it is not.
		refusal string
	}{
		"others have joined": {
			files: []string{etcd, admin},
			nodes: "node/cp-1\nnode/linux-1\n", refusal: inUse,
		},
		"it is alone":                  {files: []string{etcd, admin}, nodes: "node/cp-1\n"},
		"it is not even a node itself": {files: []string{etcd, admin}},
		"the API server does not start": {
			files:  []string{etcd, admin},
			silent: true, refusal: unknown,
		},
		"the API server cannot be asked":                      {files: []string{etcd}, silent: true, refusal: unknown},
		"etcd has never started":                              {files: []string{admin}, silent: true},
		"etcd and the API server have never started":          {silent: true},
		"a reset that was begun":                              {files: []string{etcd, admin, marker}, silent: true},
		"a reset that was begun, after which etcd is missing": {files: []string{admin, marker}, silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, m)
			mkdir(t, filepath.Join(h.root, "etc", "kubernetes", "manifests"))
			for _, at := range append(tt.files, "/var/lib/mixedkube/kubeadm-started") {
				write(t, filepath.Join(h.root, at), "the old one", 0o600)
			}
			if !tt.silent {
				write(t, filepath.Join(h.fake, "nodes"), tt.nodes, 0o644)
			}
			out, err := h.run(t, "bootstrap.sh", 0)
			calls := h.calls(t, "kubeadm")
			if tt.refusal != "" {
				if err == nil || !strings.Contains(out, tt.refusal) || len(calls) > 0 {
					t.Errorf("%v, ran %q:\n%s", err, calls, out)
				}
				return
			}
			if err != nil || len(calls) != 2 || !strings.HasPrefix(calls[0], "kubeadm reset ") ||
				!strings.HasPrefix(calls[1], "kubeadm init ") {
				t.Errorf("%v, ran %q:\n%s", err, calls, out)
			}
			if _, found := h.state(t)[marker]; found {
				t.Error("the next reset would not ask")
			}
		})
	}
}

// After the manual steps that the log names, the next run creates the cluster.
func TestBootstrapAfterAResetByHand(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-1"))
	for _, at := range []string{
		"/var/lib/mixedkube/kubeadm-started", "/var/lib/etcd/member/snap/db",
		"/etc/kubernetes/manifests/etcd.yaml", "/etc/kubernetes/admin.conf",
	} {
		write(t, filepath.Join(h.root, at), "the old one", 0o600)
	}
	if out, err := h.run(t, "bootstrap.sh", 0); err == nil {
		t.Fatalf("the API server does not answer, and yet:\n%s", out)
	}
	for _, dir := range []string{"/var/lib/etcd", "/etc/kubernetes"} {
		if err := os.RemoveAll(filepath.Join(h.root, dir)); err != nil {
			t.Fatal(err)
		}
	}
	h.mustRun(t, "bootstrap.sh")
}

// A power failure while an attempt is discarded does not keep the next from it.
func TestBootstrapAfterAPowerFailureInAReset(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.UpstreamL3, "1.36"), "cp-1")
	whole := newHost(t, m)
	whole.mustRun(t, "bootstrap.sh")
	want := whole.state(t)
	ended := func(t *testing.T) host {
		t.Helper()
		h := newHost(t, m)
		h.mustRun(t, "bootstrap.sh")
		// As if it had ended right before it noted that kubeadm is done.
		for _, at := range []string{"/var/lib/mixedkube/kubeadm-done", "/var/lib/mixedkube/done"} {
			if err := os.Remove(filepath.Join(h.root, at)); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(h.root, "etc/kubernetes/super-admin.conf"), "apiVersion: v1\n", 0o600)
		write(t, filepath.Join(h.root, secretConfig), kubeadmConfig(m), 0o600)
		write(t, filepath.Join(h.fake, "count"), "0\n", 0o644)
		write(t, filepath.Join(h.fake, "calls"), "", 0o644)
		return h
	}
	// It begins with the question whether the node is alone, and ends with a new cluster.
	h := ended(t)
	h.mustRun(t, "bootstrap.sh")
	first := 1 + slices.IndexFunc(h.calls(t), func(call string) bool { return strings.HasPrefix(call, "kubectl ") })
	if first == 0 {
		t.Fatal("the API server was not asked")
	}
	// At the third call after it the API server has stopped, and its data still exist.
	points := []int{3}
	if *allCrashes {
		points = []int{0, 1, 2, 3, 4, 5, 6}
	}
	for _, point := range points {
		crash := first + point
		t.Run(strconv.Itoa(point), func(t *testing.T) {
			t.Parallel()
			h := ended(t)
			if out, err := h.run(t, "bootstrap.sh", crash); err == nil {
				t.Fatalf("the power did not fail:\n%s", out)
			}
			h.mustRun(t, "bootstrap.sh")
			if diff := cmp.Diff(want, h.state(t)); diff != "" {
				t.Errorf("after the calls\n%s\n(-want +got):\n%s", strings.Join(h.calls(t), "\n"), diff)
			}
		})
	}
}

func TestBootstrapNamesTheMissingProgram(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, program string
		m             machine
	}{
		{"routes", "nft", testMachine(t, testCluster(network.HostGateway, "1.36"), "linux-1")},
		{"endpoint", "ip", testMachine(t, localEndpoint(testCluster(network.FlannelVXLAN, "1.36")), "cp-1")},
		{"egress", "nft", testMachine(t, blocking(testCluster(network.FlannelVXLAN, "1.36")), "linux-1")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			program, h := tt.program, newHost(t, tt.m)
			// All that it asks for but one, whatever this machine has.
			for name := range strings.FieldsSeq("bash date flock gzip mkdir mount sha256sum sleep tee") {
				at, err := exec.LookPath(name)
				if err != nil {
					t.Skipf("needs %s: apt-get install coreutils gzip mount util-linux, as root", name)
				}
				if err := os.Symlink(at, filepath.Join(h.programs, name)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(filepath.Join(h.programs, program)); err != nil {
				t.Fatal(err)
			}
			cmd := h.command(t, "bootstrap.sh")
			cmd.Env = append(cmd.Env, "PATH="+h.programs)
			want := "the program " + program + " is not on this machine: install the package that has it"
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}

func TestNetworkScript(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, testCluster(network.HostGateway, "1.36"), "linux-1"))
	// One route exists already, and one belongs to a node that has left.
	write(t, filepath.Join(h.fake, "routes"),
		"10.244.4.0/24 via 10.0.0.4 dev eth0 \n10.244.99.0/24 via 10.0.0.99 dev eth0 \n", 0o644)
	h.mustRun(t, "network.sh")
	want := []string{
		"ip -4 route replace 10.244.4.0/24 via 10.0.0.4 proto 117",
		"ip -4 route replace 10.244.5.0/24 via 10.0.0.5 proto 117",
		"ip -4 route replace 10.244.11.0/24 via 10.0.0.11 proto 117",
		"ip -4 route replace 10.244.20.0/24 via 10.0.0.20 proto 117",
		"ip -4 route replace 10.244.21.0/24 via 10.0.0.21 proto 117",
		"ip -4 route replace 10.244.22.0/24 via 10.0.0.22 proto 117",
		"ip -4 route show proto 117",
		"ip -4 route del 10.244.99.0/24 proto 117",
		"nft --file /etc/mixedkube/network/masquerade.nft",
	}
	if diff := cmp.Diff(want, h.calls(t)); diff != "" {
		t.Error(diff)
	}
}

// Routes of a node that is done follow their files.
func TestNetworkIsAppliedAgain(t *testing.T) {
	t.Parallel()
	h := newHost(t, testMachine(t, testCluster(network.HostGateway, "1.36"), "linux-1"))
	h.mustRun(t, "bootstrap.sh")
	for _, want := range []string{
		"systemctl enable mixedkube-network.service mixedkube-network.path",
		"systemctl restart mixedkube-network.service mixedkube-network.path",
	} {
		if got := h.calls(t, "systemctl"); !slices.Contains(got, want) {
			t.Errorf("there is no %q: %q", want, got)
		}
	}
	unit := read(t, filepath.Join(h.root, systemdUnits, "mixedkube-network.path"))
	files := 0
	for at := range h.state(t) {
		if strings.HasPrefix(at, linuxConfig+"/network/") {
			files++
			if !strings.Contains(unit, "\nPathChanged="+at+"\n") {
				t.Errorf("nothing checks whether %s changes", at)
			}
		}
	}
	if files != strings.Count(unit, "PathChanged=") {
		t.Errorf("there are %d files of the network:\n%s", files, unit)
	}
	_, unit, _ = strings.Cut(unit, "\nUnit=")
	unit, _, _ = strings.Cut(unit, "\n")
	if service := read(t, filepath.Join(h.root, systemdUnits, unit)); !strings.Contains(service,
		"systemctl restart mixedkube-network.service\n") {
		t.Errorf("%s does not apply them:\n%s", unit, service)
	}
}

func TestScriptsAreBash(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"bootstrap.sh", "network.sh", "endpoint.sh", "payload.sh", "deliver.sh", "deliver-keys.sh", "control-plane.sh",
		"renew-certificates.sh", "replace-keys.sh",
	} {
		if out, err := exec.CommandContext(t.Context(), "bash", "-n",
			filepath.Join("linux", name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func mkdir(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, at, content string, mode fs.FileMode) {
	t.Helper()
	mkdir(t, filepath.Dir(at))
	if err := os.WriteFile(at, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, at string) string {
	t.Helper()
	content, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

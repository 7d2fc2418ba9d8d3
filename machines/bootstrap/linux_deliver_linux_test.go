package bootstrap

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const doneMarker = "/var/lib/mixedkube/done"

// delivery is a machine that has its public files, and a script with the secret ones.
type delivery struct {
	host
	secret []File
	at     string
}

func newDelivery(t *testing.T, m machine) delivery {
	t.Helper()
	var d delivery
	var paths []string
	for _, file := range linuxFiles(m) {
		if file.Secret {
			d.secret, paths = append(d.secret, file), append(paths, file.Path)
		}
	}
	d.host = newHost(t, m, paths...)
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("needs openssl: apt-get install openssl, as root")
	}
	d.at = filepath.Join(t.TempDir(), "script.sh")
	key := scriptKey.File(platform.Linux)
	write(t, filepath.Join(d.root, key.Path), key.Content, 0o600)
	write(t, d.at, LinuxScript(d.secret, scriptKey), 0o700)
	return d
}

// controlPlaneMachine is one with all kinds of secret files.
func controlPlaneMachine(t *testing.T) machine {
	t.Helper()
	return testMachineJoining(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-2", joinWith(t, testCertificates(t)))
}

// deliver returns a run of the script that gives up after so many seconds.
func (d delivery) deliver(t *testing.T, limit string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", `source "$1"; ROOT=$2; LIMIT=$3; PAUSE=0.05; main`, "test",
		d.at, d.root, limit)
	cmd.Env = append(os.Environ(), "PATH="+d.programs+":"+os.Getenv("PATH"), "FAKE="+d.fake, "FAKE_ROOT="+d.root)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// mustGiveUp runs the script, and returns what it says.
func (d delivery) mustGiveUp(t *testing.T) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := d.deliver(t, "0")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 || stdout.Len() > 0 {
		t.Fatalf("%v, said %q:\n%s", err, stdout.String(), stderr.String())
	}
	return strings.ReplaceAll(stderr.String(), d.root, "")
}

// checkFiles holds the files of the machine against those that were delivered.
func (d delivery) checkFiles(t *testing.T) {
	t.Helper()
	state := d.state(t)
	for _, file := range d.secret {
		mode := "-rw------- "
		if file.Executable {
			mode = "-rwx------ "
		}
		if want := mode + file.Content; state[file.Path] != want {
			t.Errorf("%s is %q, want %q", file.Path, state[file.Path], want)
		}
	}
	for at := range state {
		if strings.HasSuffix(at, ".new") {
			t.Errorf("%s is left", at)
		}
	}
}

// As on a machine: the script waits, and the bootstrap continues with what it brings.
func TestLinuxScript(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	var stdout, stderr bytes.Buffer
	cmd := d.deliver(t, "60")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if exists(d.root, secretConfig) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.checkFiles(t)
	for dir, want := range map[string]fs.FileMode{"/pki": 0o700, "/pki/etcd": 0o700, "/kubeadm": 0o755} {
		if info, err := os.Stat(filepath.Join(d.root, linuxConfig+dir)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %s", dir, info.Mode(), err, want)
		}
	}
	d.mustRun(t, "bootstrap.sh")
	if err := cmd.Wait(); err != nil || stdout.String() != "this machine is a node of the cluster\n" ||
		stderr.Len() > 0 {
		t.Errorf("%v, said %q and %q", err, stdout.String(), stderr.String())
	}
	// It is a node now, and gets no secret again.
	want := d.state(t)
	if out, err := d.deliver(t, "60").CombinedOutput(); err != nil ||
		string(out) != "this machine is a node of the cluster\n" {
		t.Errorf("the second time: %v\n%s", err, out)
	}
	if diff := cmp.Diff(want, d.state(t)); diff != "" {
		t.Errorf("the second time (-want +got):\n%s", diff)
	}
}

// It runs however a cloud starts it.
func TestLinuxScriptIsAProgram(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	write(t, filepath.Join(d.root, doneMarker), "", 0o600)
	script := strings.Replace(LinuxScript(d.secret, scriptKey), "\nROOT=\n", "\nROOT="+d.root+"\n", 1)
	at := filepath.Join(t.TempDir(), "with a space")
	write(t, at, script, 0o700)
	input := exec.CommandContext(t.Context(), "bash")
	input.Stdin = strings.NewReader(script)
	for _, cmd := range []*exec.Cmd{
		exec.CommandContext(t.Context(), at), exec.CommandContext(t.Context(), "bash", at),
		input,
	} {
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "this machine is a node of the cluster\n" {
			t.Errorf("%s: %v\n%s", cmd, err, out)
		}
	}
}

func TestLinuxScriptGivesUp(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	var log []string
	for i := range 25 {
		log = append(log, "line "+strconv.Itoa(i))
	}
	write(t, filepath.Join(d.root, "var", "log", "mixedkube-bootstrap.log"), strings.Join(log, "\n")+"\n", 0o600)
	want := "error: after 0 seconds this machine is not a node of the cluster; it keeps trying\n" +
		"The end of /var/log/mixedkube-bootstrap.log:\n" + strings.Join(log[5:], "\n") + "\n"
	if diff := cmp.Diff(want, d.mustGiveUp(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(
		[]string{"systemctl status --no-pager --lines=0 mixedkube-bootstrap.service mixedkube-bootstrap.path"},
		d.calls(t, "systemctl"),
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.checkFiles(t)
	// Without a log it reports that the log is missing.
	if err := os.Remove(filepath.Join(d.root, "var", "log", "mixedkube-bootstrap.log")); err != nil {
		t.Fatal(err)
	}
	if message := d.mustGiveUp(t); !strings.Contains(message, "mixedkube-bootstrap.log: No such file") &&
		!strings.Contains(message, "cannot open") {
		t.Errorf("said:\n%s", message)
	}
}

// After a power failure at any point, each file is complete or missing. The file that the
// bootstrap waits for is written last, and the next run ends as if the power had not failed.
func TestLinuxScriptAfterAPowerFailure(t *testing.T) {
	t.Parallel()
	m := controlPlaneMachine(t)
	files := newDelivery(t, m).secret
	for crash := 1; crash <= len(files); crash++ {
		t.Run(strconv.Itoa(crash), func(t *testing.T) {
			t.Parallel()
			d := newDelivery(t, m)
			cmd := d.deliver(t, "0")
			cmd.Env = append(cmd.Env, "CRASH="+strconv.Itoa(crash))
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() == 1 {
				t.Fatalf("the power did not fail:\n%s", out)
			}
			existing := 0
			state := d.state(t)
			for _, file := range d.secret {
				if content, ok := state[file.Path]; ok {
					existing++
					if content != "-rw------- "+file.Content {
						t.Errorf("%s is %q", file.Path, content)
					}
				}
			}
			if exists(d.root, secretConfig) || existing != crash-1 {
				t.Errorf("%d files are there, the last one: %t", existing, exists(d.root, secretConfig))
			}
			d.mustGiveUp(t)
			d.checkFiles(t)
		})
	}
}

// hostileShellTexts would do something if one of them became code.
var hostileShellTexts = []string{
	"a b", " a ", "$(exit 1)", "`exit 1`", "'; exit 1; '", `"; exit 1; "`, "${HOME}", "*", "?", "~", "-n", "--", "a\nb",
	`\n`, "\t", "%PAYLOAD%", "é", "\x7f", "\xff", "#",
}

func TestLinuxScriptWritesAnything(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	d.secret = nil
	for i, text := range hostileShellTexts {
		dir := "/any/" + strconv.Itoa(i) + "/" + text
		d.secret = append(d.secret,
			File{Path: dir + "/" + text, Content: text, Secret: true},
			File{Path: dir + "/program", Content: text + "\n\n", Secret: true, Executable: true})
	}
	d.secret = append(d.secret, File{Path: "/any/empty", Secret: true},
		File{Path: "/any/zero", Content: "a\x00b", Secret: true},
		File{Path: "/any/large", Content: strings.Repeat("0123456789abcde\n", 1<<14), Secret: true})
	write(t, d.at, LinuxScript(d.secret, scriptKey), 0o700)
	d.mustGiveUp(t)
	d.checkFiles(t)
	if got := len(d.state(t)); got != len(d.secret)+len(newDelivery(t, controlPlaneMachine(t)).state(t)) {
		t.Errorf("%d files", got)
	}
	// Public files have the same mode as in CloudConfig.
	d.secret = nil
	write(t, d.at, LinuxScript([]File{
		{Path: "/any/public", Content: "x\n"},
		{Path: "/any/script.sh", Content: "y\n", Executable: true},
	}, scriptKey), 0o700)
	d.mustGiveUp(t)
	state := d.state(t)
	if got := state["/any/public"] + state["/any/script.sh"]; got != "-rw-r--r-- x\n-rwxr-xr-x y\n" {
		t.Errorf("%q", got)
	}
}

func TestLinuxScriptOfNoFiles(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	want := d.state(t)
	write(t, d.at, LinuxScript(nil, scriptKey), 0o700)
	d.mustGiveUp(t)
	if diff := cmp.Diff(want, d.state(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Content that was changed, or that is for another machine, fails at once with an error that
// names the key, and nothing is written.
func TestLinuxScriptThatIsNotForTheMachine(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	script, payload := LinuxScript(d.secret, scriptKey), scriptKey.encrypt(linuxPayload(d.secret))
	other := NewPayloadKey([]byte("another machine's 32 random bytes")).encrypt(linuxPayload(d.secret))
	const notForIt = "error: the payload of this script was not encrypted with the key in " +
		"/etc/mixedkube/payload.key, or it was changed: nothing of it is written; a machine keeps the customData " +
		"that it was created with, so create it again\n"
	const version = "error: the payload of this script is not of version v1\n"
	middle, dots := len(payload)/2, strings.Split(payload, ".")
	flipped := "A"
	if payload[middle] == 'A' {
		flipped = "B"
	}
	before := d.state(t)
	for name, c := range map[string]struct{ payload, want string }{
		"another key":         {other, notForIt},
		"a changed character": {payload[:middle] + flipped + payload[middle+1:], notForIt},
		"cut in the middle":   {dots[0] + "." + dots[1][:len(dots[1])/8*4] + "." + dots[2], notForIt},
		"another HMAC":        {dots[0] + "." + dots[1] + "." + strings.Repeat("0", 64), notForIt},
		"no HMAC":             {dots[0] + "." + dots[1] + ".", notForIt},
		"cut at the end":      {dots[0] + "." + dots[1], version},
		"not encrypted":       {inBase64(linuxPayload(d.secret)), version},
		"another version":     {"v2." + dots[1] + "." + dots[2], version},
		"nothing":             {"", version},
	} {
		write(t, d.at, strings.Replace(script, payload, c.payload, 1), 0o700)
		cmd := d.deliver(t, "60")
		if out, err := cmd.CombinedOutput(); err == nil || string(out) != c.want {
			t.Errorf("%s: %v, said %q, want %q", name, err, out, c.want)
		}
		if diff := cmp.Diff(before, d.state(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The script waits for the key, and for the whole of it: cloud-init may come later.
func TestLinuxScriptWaitsForTheKey(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	at := filepath.Join(d.root, linuxPayloadKey)
	key := read(t, at)
	for name, existing := range map[string]string{
		"none": "", "half of it": key[:64], "all but the end": key[:len(key)-1],
	} {
		if existing == "" {
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, at, existing, 0o600)
		}
		want := "error: after 0 seconds cloud-init has not written /etc/mixedkube/payload.key, which this script " +
			"decrypts its files with: see /var/log/cloud-init.log\n"
		if message := d.mustGiveUp(t); message != want {
			t.Errorf("%s: said %q, want %q", name, message, want)
		}
		if exists(d.root, secretConfig) {
			t.Errorf("%s: the configuration is there", name)
		}
	}
	cmd := d.deliver(t, "60")
	cmd.SysProcAttr = nil
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if exists(d.root, secretConfig) {
		t.Error("the configuration is there before the key")
	}
	write(t, at, key, 0o600)
	for range 3000 {
		if exists(d.root, secretConfig) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	write(t, filepath.Join(d.root, doneMarker), "", 0o600)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	d.checkFiles(t)
}

// The script reads what others have encrypted, see [TestPayloadVectors]. Without compression
// it is text.
func TestLinuxScriptReadsVectors(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	write(t, filepath.Join(d.programs, "gzip"), "#!/bin/bash\nexec cat\n", 0o755)
	for _, v := range payload.Vectors() {
		write(t, filepath.Join(d.root, linuxPayloadKey), v.Key, 0o600)
		write(t, d.at, strings.Replace(selfContained("deliver.sh"), payloadMark, v.Payload, 1), 0o700)
		cmd := d.deliver(t, "0")
		cmd.Args[2] = `source "$1"; ROOT=$2; decrypt`
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != v.Plaintext {
			t.Errorf("%v, %q, want %q", err, out, v.Plaintext)
		}
	}
}

// No program is told a key as an argument, which everyone on the machine can see.
func TestLinuxScriptKeepsKeysOutOfArguments(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	log := filepath.Join(t.TempDir(), "arguments")
	for _, program := range []string{"openssl", "sha256sum", "base64", "gzip", "cat", "chmod", "mkdir"} {
		existing, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(d.programs, program),
			"#!/bin/bash\nprintf '%s ' \"${0##*/}\" \"$@\" >>"+log+"\nexport >>"+log+
				"\nexec "+existing+" \"$@\"\n", 0o755)
	}
	d.mustGiveUp(t)
	message := read(t, log)
	for _, program := range []string{"openssl enc", "sha256sum", "base64", "gzip"} {
		if !strings.Contains(message, program) {
			t.Errorf("%s was not run:\n%s", program, message)
		}
	}
	for _, secret := range []string{scriptKey.encryption, scriptKey.authentication} {
		if strings.Contains(message, secret) {
			t.Errorf("%s is in an argument or in the environment of a program", secret)
		}
	}
}

// When the machine is a node, neither the key nor the extension's copy of the script stays.
func TestLinuxScriptLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "linux-1"))
	d.at = filepath.Join(d.root, "var/lib/waagent/custom-script/download/0/script.sh")
	write(t, d.at, LinuxScript(d.secret, scriptKey), 0o700)
	d.mustGiveUp(t)
	if !exists(d.root, linuxPayloadKey) || len(d.calls(t, "rm")) > 0 {
		t.Errorf("removed before the machine is a node: %q", d.calls(t, "rm"))
	}
	d.mustRun(t, "bootstrap.sh")
	if exists(d.root, linuxPayloadKey) {
		t.Error("the key is there")
	}
	if out, err := d.deliver(t, "60").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(d.at); err == nil {
		t.Error("the copy of the script is there")
	}
	// A user's own file with the script stays.
	d.at = filepath.Join(d.root, "root/script.sh")
	write(t, d.at, LinuxScript(d.secret, scriptKey), 0o700)
	if out, err := d.deliver(t, "60").CombinedOutput(); err != nil || !exists(d.root, "root/script.sh") {
		t.Errorf("%v, there: %t\n%s", err, exists(d.root, "root/script.sh"), out)
	}
}

// Other keys come later to a machine of the control plane whose keys were given, and to no
// other one.
func TestThePayloadKeyStaysWhereKeysAreReplaced(t *testing.T) {
	t.Parallel()
	certificates := testCertificates(t)
	c := testCluster(network.FlannelVXLAN, "1.36")
	for name, tt := range map[string]struct {
		m    machine
		want bool
	}{
		"the first":              {testMachineJoining(t, c, "cp-1", Join{Certificates: certificates}), true},
		"a further one":          {testMachineJoining(t, c, "cp-2", joinWith(t, certificates)), true},
		"kubeadm makes the keys": {testMachine(t, c, "cp-1"), false},
		"kubeadm makes but one": {
			testMachineJoining(t, c, "cp-1", Join{Certificates: Certificates{CA: certificates.CA}}),
			false,
		},
		"a worker": {testMachine(t, c, "linux-1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDelivery(t, tt.m)
			key := filepath.Join(d.root, linuxPayloadKey)
			if err := os.Chmod(key, 0o644); err != nil {
				t.Fatal(err)
			}
			d.mustGiveUp(t)
			for range 2 { // also at a later boot
				d.mustRun(t, "bootstrap.sh")
				if exists(d.root, linuxPayloadKey) != tt.want {
					t.Fatalf("the key is there: %t", !tt.want)
				}
			}
			if tt.want {
				if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%v, %v", info.Mode(), err)
				}
			}
			for at := range d.state(t) {
				if strings.HasPrefix(at, linuxPKI) {
					t.Errorf("%s is left", at)
				}
			}
		})
	}
}

func TestLinuxScriptWritesTheConfigurationLast(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, controlPlaneMachine(t))
	d.mustGiveUp(t)
	calls := d.calls(t, "mv")
	last := len(calls) - 1
	if last != 10 ||
		calls[last] != "mv -f /etc/mixedkube/kubeadm/config.yaml.new /etc/mixedkube/kubeadm/config.yaml" {
		t.Errorf("%q", calls)
	}
	if !slices.IsSorted(calls[:last]) {
		t.Errorf("in another order than before: %q", calls[:last])
	}
}

func exists(root, at string) bool {
	_, err := os.Stat(filepath.Join(root, at))
	return err == nil
}

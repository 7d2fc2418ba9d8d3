package bootstrap

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const joinFile = "C:/mixedkube/kubeadm/join.yaml"

// TestWindowsProgramsKubeadm makes kubeadm.exe validate the unchanged configuration of Windows
// nodes: kubeadm of Linux accepts neither paths with a drive nor pipes.
func TestWindowsProgramsKubeadm(t *testing.T) {
	p := ensurePrograms(t)
	all := windowsNodes(t)
	m := windowsMachine(t, p, all[0])
	validate := func(content string) (string, bool) {
		check(t, m.Write(joinFile, content))
		_, message, ok := output(t, m, "C:/k/kubeadm.exe", "config", "validate", "--config", joinFile)
		return message, ok
	}
	judged := map[string]bool{}
	for _, n := range all {
		content := n.kubeadm(t).Content
		if judged[content] {
			continue
		}
		judged[content] = true
		if message, ok := validate(content); !ok || strings.TrimSpace(message) != "ok" {
			t.Errorf("%s: kubeadm.exe says %s\n%s", n, message, content)
		}
	}
	t.Logf("kubeadm.exe has taken %d configurations", len(judged))
	for _, wrong := range []struct{ was, becomes, wantMessage string }{
		{"criSocket:", "criSokcet:", `unknown field "nodeRegistration.criSokcet"`},
		{"C:/etc/kubernetes/pki/ca.crt", "etc/kubernetes/pki/ca.crt", "caCertPath: Invalid value"},
		{
			"npipe:////./pipe/containerd-containerd", "unix:///run/containerd.sock",
			"Usage of CRI endpoints without URL scheme",
		},
	} {
		message, _ := validate(replaceOnce(t, all[0].kubeadm(t).Content, wrong.was, wrong.becomes))
		if !strings.Contains(message, wrong.wantMessage) {
			t.Errorf("with %s kubeadm.exe says %s", wrong.becomes, message)
		}
	}
}

// TestWindowsProgramsContainerd has containerd.exe write down what it has read:
// it leaves out what it does not know.
func TestWindowsProgramsContainerd(t *testing.T) {
	p := ensurePrograms(t)
	all := windowsNodes(t)
	m := windowsMachine(t, p, all[0])
	dump := func(content string) any {
		check(t, m.Write("C:/Program Files/containerd/config.toml", content))
		out, message, ok := output(t, m, "C:/Program Files/containerd/containerd.exe", "config", "dump")
		var read map[string]any
		if err := toml.Unmarshal([]byte(out), &read); !ok || err != nil {
			t.Fatalf("containerd.exe says %s (%v)", message, err)
		}
		return read["plugins"]
	}
	judged := map[string]bool{}
	for _, n := range all {
		content := n.file(t, "config.toml").Content
		if judged[content] {
			continue
		}
		judged[content] = true
		if lost := missing("plugins", plugins(t, content), dump(content)); len(lost) > 0 {
			t.Errorf("%s: containerd.exe has not read %s", n, strings.Join(lost, ", "))
		}
	}
	t.Logf("containerd.exe has taken %d configurations", len(judged))
	wrong := replaceOnce(t, all[0].file(t, "config.toml").Content, "bin_dirs", "bin_dris")
	if lost := missing("plugins", plugins(t, wrong), dump(wrong)); len(lost) != 1 ||
		lost[0] != "plugins.io.containerd.cri.v1.runtime.cni.bin_dris" {
		t.Errorf("with bin_dris containerd.exe has not read %q", lost)
	}
}

func plugins(t *testing.T, content string) any {
	t.Helper()
	var config map[string]any
	check(t, toml.Unmarshal([]byte(content), &config))
	return config["plugins"]
}

// missing lists what of a configuration is not in another, or not the same.
func missing(path string, want, have any) []string {
	tables, ok := want.(map[string]any)
	if !ok {
		if reflect.DeepEqual(want, have) {
			return nil
		}
		return []string{path}
	}
	others, _ := have.(map[string]any)
	var lost []string
	for name, value := range tables {
		lost = append(lost, missing(fmt.Sprintf("%s.%s", path, name), value, others[name])...)
	}
	return lost
}

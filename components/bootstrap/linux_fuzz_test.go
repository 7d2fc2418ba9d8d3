package bootstrap

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
)

// FuzzNothingBecomesCode gives a node what the checks of a cluster would refuse: no
// script and no unit changes, and every file of data gives it back.
func FuzzNothingBecomesCode(f *testing.F) {
	for _, seed := range []string{
		"plain", "", "'", `"`, "`reboot`", "$(reboot)", "${PATH}", "a\nb", "\na: b", "a\r\nb", "a;b", "a && b", "a|b",
		"'@\n", "@'", `\`, `\n`, "a\tb",
		"#", "- a", "a: b", "a #b", "{a}", "[a]", "%TAG", "!!int 1", "&a", "*a", "true", "no", "null", "~", "1", "0x1",
		"0123", "1e3", "1:20", "12_34", ".5", "1e1000",
		"2001-01-01", "=", "<<", "é", "日本", "\u2028", "\u0085", "\ufeff", "\x00", "\x1b[0m", "\x7f", "\xff", "a ", " a",
		"---", "...", "- ", "EOF", "\"\n\"",
		"😀", "//", "-n", "--config", "%00", "%s",
	} {
		f.Add(seed)
	}
	c := testCluster(network.HostGateway, "1.36")
	workers := map[string]machine{}
	code := map[string]string{}
	for _, node := range []string{"cp-1", "cp-2", "linux-1", "win2022-1"} {
		workers[node] = testMachine(f, c, node)
	}
	for path, file := range filesByPath(workers["linux-1"]) {
		if isConstant(file) {
			code[path] = file.Content
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "?")
		}
		for node, m := range workers {
			hostile(&m, s)
			checkConfig(t, m, s)
			if m.pool.Platform.IsWindows() {
				continue
			}
			files := linuxFiles(m)
			for _, file := range files {
				if want, ok := code[file.Path]; ok && file.Content != want {
					t.Errorf("%q changes %s of %s", s, file.Path, node)
				}
			}
			if got := cloudFiles(t, CloudConfig(files))["/opt/mixedkube/bootstrap.sh"]; got.Content != code[got.Path] {
				t.Errorf("%q changes what cloud-init writes", s)
			}
			checkLinuxScript(t, files)
			checkDownloads(t, m, s)
		}
	})
}

// hostile puts a text wherever a user's text goes.
func hostile(m *machine, s string) {
	m.Name, m.endpoint = s, s
	m.join = Join{
		Token: "t" + s, CACertHashes: []string{s}, CertificateKey: "k" + s,
		Certificates: Certificates{CA: KeyPair{"c" + s, "k" + s}},
	}
	m.pool.Labels = map[string]string{s: s}
	m.pool.Size = s
	m.pool.Taints = []corev1.Taint{{Key: s, Value: s, Effect: corev1.TaintEffect(s)}}
	m.kubelet = KubeletOptions{
		SystemReserved: map[string]string{s: s}, KubeReserved: map[string]string{s: s},
		EvictionHard: map[string]string{s: s},
		EvictionSoft: map[string]string{s: s}, EvictionSoftGracePeriod: map[string]string{s: s}, PriorityClass: "p" + s,
	}
	m.release.Kubelet.Linux.URL = "https://example.com/" + s
	m.releases.Runc.Linux.URL = "https://example.com/" + s
}

func checkConfig(t *testing.T, m machine, s string) {
	t.Helper()
	var registration nodeRegistration
	if m.first {
		d := initOf(t, m)
		registration = d.init.NodeRegistration
		if d.cluster.ControlPlaneEndpoint != s || d.init.BootstrapTokens[0].Token != "t"+s ||
			d.init.CertificateKey != "k"+s {
			t.Errorf("%q became %+v", s, d)
		}
	} else {
		join := joinOf(t, m)
		registration = join.NodeRegistration
		want := discovery{bootstrapTokenDiscovery{APIServerEndpoint: s, Token: "t" + s, CACertHashes: []string{s}}}
		if diff := cmp.Diff(want, join.Discovery); diff != "" {
			t.Error(diff)
		}
	}
	if got := registration.Taints[0]; registration.Name != s || got.Key != s || got.Value != s || got.Effect != s {
		t.Errorf("%q became %+v", s, registration)
	}
	if got := registration.KubeletExtraArgs[1]; got.Name != "node-labels" || !strings.HasPrefix(got.Value, s+"="+s) &&
		!strings.HasSuffix(got.Value, s+"="+s) {
		t.Errorf("the label %q became %+v", s, got)
	}
	patch := patchOf(t, m)
	for _, values := range []map[string]string{
		patch.SystemReserved, patch.KubeReserved, patch.EvictionHard,
		patch.EvictionSoft, patch.EvictionSoftGracePeriod,
	} {
		if got, ok := values[s]; !ok || got != s {
			t.Errorf("%q became %+v", s, values)
		}
	}
}

func checkDownloads(t *testing.T, m machine, s string) {
	t.Helper()
	for _, row := range readTable(t, downloadsTable(m)) {
		if len(row) != 4 || !sha256Format.MatchString(row[0]) {
			t.Fatalf("%q breaks the table: %q", s, row)
		}
		if got, err := url.PathUnescape(row[1]); strings.HasPrefix(row[1], "https://example.com/") && !strings.Contains(s, "%") &&
			(err != nil || got != "https://example.com/"+s) {
			t.Errorf("%q became %q (%v)", s, row[1], err)
		}
	}
}

package bootstrap

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
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
		Token: "t" + s, CACertHashes: []string{s}, CertificateKey: "k" + s, EncryptionKeys: []string{"e" + s},
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
	m.apiServer = APIServerOptions{
		OIDC: OIDC{
			IssuerURL: "i" + s, ClientID: s, UsernameClaim: "u" + s, UsernamePrefix: "p" + s, GroupsClaim: "g" + s,
			GroupsPrefix: "q" + s,
		},
		CertSANs: []string{s}, ExtraArgs: map[string]string{"event-ttl": s}, PodSecurity: "p" + s,
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
		checkAPIServer(t, m, d.cluster.APIServer, s)
		if d.cluster.ControlPlaneEndpoint != s || d.init.BootstrapTokens[0].Token != "t"+s ||
			d.init.CertificateKey != "k"+s {
			t.Errorf("%q became %+v", s, d)
		}
	} else {
		join := joinOf(t, m)
		registration = join.NodeRegistration
		want := discovery{BootstrapToken: &bootstrapTokenDiscovery{
			APIServerEndpoint: s, Token: "t" + s, CACertHashes: []string{s},
		}}
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

// checkAPIServer decodes what the API server is told.
func checkAPIServer(t *testing.T, m machine, server apiServerComponent, s string) {
	t.Helper()
	if len(server.CertSANs) != 1 || server.CertSANs[0] != s || argsOf(server.ExtraArgs)["event-ttl"] != s {
		t.Errorf("%q became %+v", s, server)
	}
	var authentication authenticationConfiguration
	decode(t, m.apiServer.authentication(true), map[string]any{"AuthenticationConfiguration": &authentication})
	want := jwtAuthenticator{
		Issuer: jwtIssuer{URL: "i" + s, Audiences: []string{s}},
		ClaimMappings: claimMappings{
			Username: prefixedClaim{"u" + s, "p" + s}, Groups: &prefixedClaim{"g" + s, "q" + s},
		},
	}
	if diff := cmp.Diff([]jwtAuthenticator{want}, authentication.JWT); diff != "" {
		t.Errorf("%q (-want +got):\n%s", s, diff)
	}
	var encryption encryptionConfiguration
	decode(t, m.apiServer.encryption([]string{"e" + s}), map[string]any{"EncryptionConfiguration": &encryption})
	if got := encryption.Resources[0].Providers[0].Secretbox; got == nil || got.Keys[0].Secret != "e"+s {
		t.Errorf("%q became %+v", s, encryption)
	}
	var admission admissionConfiguration
	decode(t, m.apiServer.admission(), map[string]any{"AdmissionConfiguration": &admission})
	if got := admission.Plugins[0].Configuration.Defaults.Enforce; got != "p"+s {
		t.Errorf("%q became %q", s, got)
	}
	m.ca = "-----BEGIN CERTIFICATE-----"
	m.first = false
	var found kubeconfig
	decode(t, discoveryFiles(m)[1].Content, map[string]any{"Config": &found})
	if found.Users[0].User.Token != "t"+s || found.Clusters[0].Cluster.Server != "https://"+s {
		t.Errorf("%q became %+v", s, found)
	}
}

// argsOf are arguments by their names.
func argsOf(args []arg) map[string]string {
	values := map[string]string{}
	for _, a := range args {
		values[a.Name] = a.Value
	}
	return values
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

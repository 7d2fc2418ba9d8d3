package bootstrap

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	testEncryptionKey  = base64.StdEncoding.EncodeToString([]byte("0123456789abcdefghijklmnopqrstuv"))
	otherEncryptionKey = base64.StdEncoding.EncodeToString([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"))
)

// knownCluster is one whose certificate authority is known, with a way to join it.
func knownCluster(tb testing.TB) (Cluster, Join) {
	tb.Helper()
	c := testCluster(network.FlannelVXLAN, "1.36")
	j := Join{Token: testToken, Certificates: testCertificates(tb), EncryptionKeys: []string{testEncryptionKey}}
	c.CACertificate = j.Certificates.CA.Certificate
	return c, j
}

func TestTheAPIServerIsProtectedByDefault(t *testing.T) {
	t.Parallel()
	for _, version := range testVersions {
		cluster := initOf(t, testMachine(t, testCluster(network.FlannelVXLAN, version), "cp-1")).cluster
		for name, want := range map[string]string{
			"admission-control-config-file":               "/etc/mixedkube/apiserver/admission.yaml",
			"audit-log-maxage":                            "30",
			"audit-log-maxbackup":                         "10",
			"audit-log-maxsize":                           "100",
			"audit-log-path":                              "/var/log/kubernetes/audit/audit.log",
			"audit-policy-file":                           "/etc/mixedkube/apiserver/audit-policy.yaml",
			"authentication-config":                       "/etc/mixedkube/apiserver/authentication.yaml",
			"encryption-provider-config":                  "/etc/mixedkube/apiserver/encryption.yaml",
			"encryption-provider-config-automatic-reload": "true",
			"profiling":                                   "false",
			"tls-min-version":                             "VersionTLS12",
		} {
			if got := argsOf(cluster.APIServer.ExtraArgs)[name]; got != want {
				t.Errorf("%s: %s is %q, want %q", version, name, got, want)
			}
		}
		for name, component := range map[string]component{
			"the controller manager": cluster.ControllerManager, "the scheduler": cluster.Scheduler,
		} {
			if got := argsOf(component.ExtraArgs)["profiling"]; got != "false" {
				t.Errorf("%s: the profiling of %s is %q", version, name, got)
			}
		}
		want := []hostPathMount{
			{"mixedkube-apiserver", "/etc/mixedkube/apiserver", "/etc/mixedkube/apiserver", true, "Directory"},
			{
				"mixedkube-audit", "/var/log/kubernetes/audit", "/var/log/kubernetes/audit", false,
				"DirectoryOrCreate",
			},
		}
		if diff := cmp.Diff(want, cluster.APIServer.ExtraVolumes); diff != "" {
			t.Errorf("%s: volumes (-want +got):\n%s", version, diff)
		}
	}
}

func TestOptionsOfTheAPIServer(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.APIServer = APIServerOptions{
		Audit:     Audit{MaxAgeDays: 7, MaxBackups: 3, MaxSizeMB: 20},
		CertSANs:  []string{"api.example.org", "*.example.org", "203.0.113.10", "2001:db8::1"},
		ExtraArgs: map[string]string{"event-ttl": "2h", "tls-min-version": "VersionTLS13"},
	}
	server := initOf(t, testMachine(t, c, "cp-1")).cluster.APIServer
	if diff := cmp.Diff(c.APIServer.CertSANs, server.CertSANs); diff != "" {
		t.Errorf("certSANs (-want +got):\n%s", diff)
	}
	args := argsOf(server.ExtraArgs)
	for name, want := range map[string]string{
		"audit-log-maxage": "7", "audit-log-maxbackup": "3", "audit-log-maxsize": "20", "event-ttl": "2h",
		"tls-min-version": "VersionTLS13",
	} {
		if args[name] != want {
			t.Errorf("%s is %q, want %q", name, args[name], want)
		}
	}
	if len(args) != len(server.ExtraArgs) {
		t.Errorf("an argument is listed twice: %v", server.ExtraArgs)
	}
}

// All nodes of a control plane have the same four files, whatever is on or off: a node that
// joins later takes its arguments from the first.
func TestFilesOfTheAPIServer(t *testing.T) {
	t.Parallel()
	off := APIServerOptions{Audit: Audit{Disabled: true}, DisableEncryption: true}
	for name, options := range map[string]APIServerOptions{"defaults": {}, "off": off} {
		c, j := knownCluster(t)
		c.APIServer = options
		first := filesByPath(testMachineJoining(t, c, "cp-1", j))
		second := filesByPath(testMachineJoining(t, c, "cp-2", j))
		for path, secret := range map[string]bool{
			admissionFile: false, auditPolicyFile: false, authenticationFile: false, encryptionFile: true,
		} {
			if first[path].Secret != secret || first[path].Content == "" {
				t.Errorf("%s: %s is secret: %t, want %t", name, path, first[path].Secret, secret)
			}
			if diff := cmp.Diff(first[path], second[path]); diff != "" {
				t.Errorf("%s: %s differs (-first +second):\n%s", name, path, diff)
			}
		}
		worker := filesByPath(testMachineJoining(t, c, "linux-1", Join{Token: testToken}))
		for path := range worker {
			if strings.HasPrefix(path, apiServerDir) {
				t.Errorf("%s: a worker has %s", name, path)
			}
		}
	}
}

func TestSecretsAreEncrypted(t *testing.T) {
	t.Parallel()
	identity := encryptionProvider{Identity: &struct{}{}}
	// The names are of `base64 -d | sha256sum`.
	first, second := encryptionKey{"key-73337f47", testEncryptionKey}, encryptionKey{"key-5d854a6b", otherEncryptionKey}
	encrypted := encryptionProvider{Secretbox: &secretbox{[]encryptionKey{first}}}
	for name, tt := range map[string]struct {
		keys     []string
		disabled bool
		want     []encryptionProvider
	}{
		"with a key": {[]string{testEncryptionKey}, false, []encryptionProvider{encrypted, identity}},
		"with another that is trusted": {[]string{testEncryptionKey, otherEncryptionKey}, false, []encryptionProvider{
			{Secretbox: &secretbox{[]encryptionKey{first, second}}}, identity,
		}},
		"with another that encrypts": {[]string{otherEncryptionKey, testEncryptionKey}, false, []encryptionProvider{
			{Secretbox: &secretbox{[]encryptionKey{second, first}}}, identity,
		}},
		"with a key, switched off": {[]string{testEncryptionKey}, true, []encryptionProvider{identity, encrypted}},
		"without a key":            {nil, false, []encryptionProvider{identity}},
	} {
		c, j := knownCluster(t)
		c.APIServer.DisableEncryption = tt.disabled
		j.EncryptionKeys = tt.keys
		var got encryptionConfiguration
		decode(t, filesByPath(testMachineJoining(t, c, "cp-1", j))[encryptionFile].Content,
			map[string]any{"EncryptionConfiguration": &got})
		if diff := cmp.Diff([]encryptedResources{{[]string{"secrets"}, tt.want}}, got.Resources); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Anonymous users ask for the health, and for cluster-info only where nodes find the cluster
// by it.
func TestRequestsAllowedForAnonymousUsers(t *testing.T) {
	t.Parallel()
	known, j := knownCluster(t)
	health := []anonymousCondition{{"/healthz"}, {"/livez"}, {"/readyz"}}
	for name, tt := range map[string]struct {
		m      machine
		want   []anonymousCondition
		usages []string
	}{
		"the authority is known": {testMachineJoining(t, known, "cp-1", j), health, []string{"authentication"}},
		"it is not": {
			testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-1"),
			append(health, anonymousCondition{"/api/v1/namespaces/kube-public/configmaps/cluster-info"}),
			[]string{"signing", "authentication"},
		},
	} {
		var got authenticationConfiguration
		decode(t, filesByPath(tt.m)[authenticationFile].Content,
			map[string]any{"AuthenticationConfiguration": &got})
		if diff := cmp.Diff(anonymousAuth{true, tt.want}, got.Anonymous); diff != "" || got.JWT != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, got.JWT, diff)
		}
		if diff := cmp.Diff(tt.usages, initOf(t, tt.m).init.BootstrapTokens[0].Usages); diff != "" {
			t.Errorf("%s: usages of the token (-want +got):\n%s", name, diff)
		}
	}
}

func TestUsersOfAProvider(t *testing.T) {
	t.Parallel()
	ca := testPair(t, "login").Certificate
	for name, tt := range map[string]struct {
		oidc OIDC
		want jwtAuthenticator
	}{
		"the defaults": {
			OIDC{IssuerURL: "https://login.example.com", ClientID: "kubectl"},
			jwtAuthenticator{
				jwtIssuer{URL: "https://login.example.com", Audiences: []string{"kubectl"}},
				claimMappings{Username: prefixedClaim{"sub", "oidc:"}},
			},
		},
		"everything": {
			OIDC{
				IssuerURL: "https://login.example.com/tenant", ClientID: "kubectl", UsernameClaim: "email",
				UsernamePrefix: "-", GroupsClaim: "groups", CA: ca,
			},
			jwtAuthenticator{
				jwtIssuer{
					URL: "https://login.example.com/tenant", CertificateAuthority: ca, Audiences: []string{"kubectl"},
				},
				claimMappings{
					Username: prefixedClaim{"email", ""}, Groups: &prefixedClaim{"groups", "oidc:"},
				},
			},
		},
	} {
		var got authenticationConfiguration
		decode(t, APIServerOptions{OIDC: tt.oidc}.authentication(false),
			map[string]any{"AuthenticationConfiguration": &got})
		if diff := cmp.Diff([]jwtAuthenticator{tt.want}, got.JWT); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAuditPolicies(t *testing.T) {
	t.Parallel()
	own := "apiVersion: audit.k8s.io/v1\r\nkind: Policy\r\nrules: [{level: Metadata}]"
	for name, tt := range map[string]struct {
		audit Audit
		want  []string
	}{
		"the default": {Audit{}, []string{"None", "None", "None", "None", "Metadata"}},
		"off":         {Audit{Disabled: true}, []string{"None"}},
		"one's own":   {Audit{Policy: own}, []string{"Metadata"}},
	} {
		text := APIServerOptions{Audit: tt.audit}.auditPolicy()
		policy, errs := readAuditPolicy(text, nil)
		if len(errs) > 0 {
			t.Fatalf("%s: %v\n%s", name, errs.ToAggregate(), text)
		}
		var got []string
		for _, rule := range policy.Rules {
			got = append(got, rule.Level)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if errs := validateAuditPolicy(text, nil); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs.ToAggregate())
		}
	}
}

func TestPodSecurity(t *testing.T) {
	t.Parallel()
	for configured, want := range map[string]string{"": "privileged", "baseline": "baseline"} {
		var got admissionConfiguration
		decode(t, APIServerOptions{PodSecurity: configured}.admission(), map[string]any{"AdmissionConfiguration": &got})
		if got := got.Plugins[0].Configuration.Defaults; got != (podSecurityDefaults{want, "latest"}) {
			t.Errorf("%q became %+v", configured, got)
		}
	}
}

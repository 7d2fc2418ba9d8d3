package bootstrap

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// policy is an audit policy with rules.
func policy(rules string) APIServerOptions {
	return APIServerOptions{Audit: Audit{Policy: "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n" + rules}}
}

func extraArg(name, value string) APIServerOptions {
	return APIServerOptions{ExtraArgs: map[string]string{name: value}}
}

func TestInvalidOptionsOfTheAPIServer(t *testing.T) {
	t.Parallel()
	const (
		args = "apiServer.extraArgs"
		rule = "apiServer.audit.policy.rules"
		no   = "apiServer.audit.policy: Invalid value: "
	)
	for _, tt := range []struct {
		name    string
		options APIServerOptions
		want    string
	}{
		{"nothing", APIServerOptions{}, ""},
		{"all that is allowed", APIServerOptions{ExtraArgs: map[string]string{
			"event-ttl": "2h", "tls-min-version": "VersionTLS13", "profiling": "false",
			"enable-admission-plugins":      "NodeRestriction,AlwaysPullImages",
			"disable-admission-plugins":     "DefaultStorageClass",
			"kubelet-certificate-authority": "/etc/kubernetes/pki/ca.crt", "service-account-lookup": "true",
		}}, ""},
		{
			"an argument with its dashes", extraArg("--event-ttl", "2h"),
			args + `[--event-ttl]: Invalid value: "--event-ttl": is not the name of an argument: write it in lower ` +
				`case ` +
				"without the dashes before it, event-ttl for example",
		},
		{
			"an argument with a space", extraArg("event-ttl --anonymous-auth", "2h"),
			args + `[event-ttl --anonymous-auth]: Invalid value: "event-ttl --anonymous-auth": is not the name of an ` +
				"argument: write it in lower case without the dashes before it, event-ttl for example",
		},
		{
			"an argument of the library", extraArg("audit-policy-file", "/etc/policy.yaml"),
			args + `[audit-policy-file]: Invalid value: "/etc/policy.yaml": the library sets it: use ` +
				"apiServer.audit.policy",
		},
		{
			"a flag for OIDC", extraArg("oidc-issuer-url", "https://login.example.com"),
			args + `[oidc-issuer-url]: Invalid value: "https://login.example.com": the library sets it: use ` +
				"apiServer.oidc.issuerURL",
		},
		{
			"an argument of kubeadm", extraArg("client-ca-file", "/tmp/ca.crt"),
			args + `[client-ca-file]: Invalid value: "/tmp/ca.crt": kubeadm sets it as the cluster needs it: remove it`,
		},
		{
			"anonymous users", extraArg("anonymous-auth", "true"),
			args + `[anonymous-auth]: Invalid value: "true": the API server does not start with both this flag and ` +
				`its AuthenticationConfiguration, which allows anonymous users to request only its health: remove it`,
		},
		{
			"everyone is allowed everything", extraArg("authorization-mode", "AlwaysAllow"),
			args + `[authorization-mode]: Invalid value: "AlwaysAllow": kubeadm sets it as the cluster needs it: ` +
				`remove it`,
		},
		{
			"tokens in a file", extraArg("token-auth-file", "/etc/tokens.csv"),
			args + `[token-auth-file]: Invalid value: "/etc/tokens.csv": such tokens never expire, and are on the ` +
				`disk ` +
				"in clear text: remove it",
		},
		{
			"profiles", extraArg("profiling", "true"),
			args + `[profiling]: Invalid value: "true": profiles show what an API server does inside, and make it ` +
				`slow: ` +
				"remove it",
		},
		{
			"an old TLS", extraArg("tls-min-version", "VersionTLS10"),
			args + `[tls-min-version]: Invalid value: "VersionTLS10": must be VersionTLS12 or VersionTLS13`,
		},
		{
			"tokens of deleted accounts", extraArg("service-account-lookup", "false"),
			args + `[service-account-lookup]: Invalid value: "false": tokens of deleted service accounts would stay ` +
				"valid: remove it",
		},
		{
			"plugins without NodeRestriction", extraArg("enable-admission-plugins", "AlwaysPullImages"),
			args + `[enable-admission-plugins]: Invalid value: "AlwaysPullImages": it replaces kubeadm's list: add ` +
				"NodeRestriction, which keeps a node from changing others",
		},
		{
			"no PodSecurity", extraArg("disable-admission-plugins", "DefaultStorageClass,PodSecurity"),
			args + `[disable-admission-plugins]: Invalid value: "DefaultStorageClass,PodSecurity": PodSecurity keeps ` +
				"users and nodes apart: remove it from the list",
		},
		{
			"another line", extraArg("event-ttl", "2h\n--anonymous-auth=true"),
			args + `[event-ttl]: Invalid value: "2h\n--anonymous-auth=true": has a control character, or is not ` +
				"UTF-8: remove that",
		},
		{
			"names with ports, addresses with zones",
			APIServerOptions{CertSANs: []string{
				"api.example.com", "api.example.com:6443", "fe80::1%eth0", "API", "", "*.*.example.com",
			}},
			`apiServer.certSANs[1]: Invalid value: "api.example.com:6443": ` + notASAN + `
apiServer.certSANs[2]: Invalid value: "fe80::1%eth0": ` + notASAN + `
apiServer.certSANs[3]: Invalid value: "API": ` + notASAN + `
apiServer.certSANs[4]: Invalid value: "": ` + notASAN + `
apiServer.certSANs[5]: Invalid value: "*.*.example.com": ` + notASAN,
		},
		{
			"an unknown standard",
			APIServerOptions{PodSecurity: "baselin"},
			`apiServer.podSecurity: Invalid value: "baselin": unknown Pod Security Standard: did you mean ` +
				`"baseline"? ` +
				"(use privileged, baseline or restricted)",
		},
		{
			"negative limits",
			APIServerOptions{Audit: Audit{MaxAgeDays: -1, MaxBackups: -2, MaxSizeMB: -3}},
			`apiServer.audit.maxAgeDays: Invalid value: -1: must not be negative: 0 means the default
apiServer.audit.maxBackups: Invalid value: -2: must not be negative: 0 means the default
apiServer.audit.maxSizeMB: Invalid value: -3: must not be negative: 0 means the default`,
		},
		{"a good policy", policy("- level: Metadata\n  resources: [{resources: [secrets, serviceaccounts/*]}]\n" +
			"- level: Metadata\n  resources: [{group: authentication.k8s.io}]\n- level: RequestResponse\n"), ""},
		{
			"a policy that is off",
			APIServerOptions{Audit: Audit{
				Disabled: true, Policy: policy("- level: None").Audit.Policy,
			}},
			"apiServer.audit.disabled: Invalid value: true: cannot be combined with policy: remove one of them",
		},
		{
			"a policy that is not valid YAML",
			APIServerOptions{Audit: Audit{Policy: "rules: a: b"}},
			no + "must be a Policy of audit.k8s.io/v1 in YAML: mapping values are not allowed in this context",
		},
		{
			"an unknown key", policy("- level: None\n  user: [a]"),
			rule + `[0].user: Invalid value: "user": unknown key: did you mean "users"? (use level, users, ` +
				"userGroups, verbs, resources, namespaces, nonResourceURLs, omitStages or omitManagedFields)",
		},
		{"two policies", policy("- level: None\n---\na: b"), no + "must be one document"},
		{
			"another kind",
			APIServerOptions{Audit: Audit{Policy: "apiVersion: v1\nkind: ConfigMap"}},
			no + "must have the apiVersion audit.k8s.io/v1 and the kind Policy",
		},
		{"no rules", policy("  []"), no + "must have a rule: use audit.disabled to write nothing"},
		{
			"an unknown level", policy("- level: All"),
			rule + `[0].level: Invalid value: "All": unknown level (use None, Metadata, Request or ` +
				`RequestResponse)`,
		},
		{
			"an unknown stage", policy("- level: None\n  omitStages: [Request]"),
			rule + `[0].omitStages[0]: Invalid value: "Request": unknown stage (use RequestReceived, ` +
				"ResponseStarted, ResponseComplete or Panic)",
		},
		{
			"a star in the middle", policy("- level: None\n  nonResourceURLs: [/a*b]"),
			rule + `[0].nonResourceURLs[0]: Invalid value: "/a*b": must begin with /, and may have a * as its last ` +
				"character",
		},
		{
			"URLs and resources", policy("- level: None\n  nonResourceURLs: [/a]\n  namespaces: [b]"),
			rule + `[0].nonResourceURLs: Invalid value: ["/a"]: a rule is for resources or for other URLs: write ` +
				`two rules`,
		},
		{
			"names of nothing", policy("- level: None\n  resources: [{resourceNames: [a]}]"),
			rule + "[0].resources[0].resources: Required value: resourceNames needs resources: name the resources",
		},
		{
			"bodies of Secrets", policy("- level: Metadata\n  resources: [{resources: [secrets]}]\n  users: [a]\n" +
				"- level: Metadata\n  resources: [{group: authentication.k8s.io}, {resources: " +
				"[serviceaccounts/token]}]\n" +
				"- level: Request\n"),
			rule + `[2].level: Invalid value: "Request": would write the bodies of Secrets into the log: put a ` +
				`rule of ` +
				"the level Metadata for all of them before it",
		},
		{
			"bodies of all kinds", policy("- level: RequestResponse"),
			rule + `[0].level: Invalid value: "RequestResponse": ` + bodies("Secrets") + "\n" +
				rule + `[0].level: Invalid value: "RequestResponse": ` + bodies("TokenReviews") + "\n" +
				rule + `[0].level: Invalid value: "RequestResponse": ` + bodies("tokens of service accounts"),
		},
		{
			"half a provider",
			APIServerOptions{OIDC: OIDC{UsernamePrefix: "system:", GroupsPrefix: "a", CA: "no"}},
			`apiServer.oidc.ca: Invalid value: must be a certificate in PEM
apiServer.oidc.clientID: Required value: without it, the API server would accept tokens for other clients: set ` +
				`the ID of the client that kubectl uses
apiServer.oidc.groupsClaim: Required value: groupsPrefix is set: set groupsClaim too
apiServer.oidc.issuerURL: Required value: the URL of the provider, https://login.example.com for example, as in the ` +
				`claim iss of its tokens
apiServer.oidc.usernamePrefix: Invalid value: "system:": system: is reserved for Kubernetes: use ` +
				`another prefix, for example oidc:`,
		},
		{"an issuer without TLS", issuer("http://a.example.com"), issuerIs("http://a.example.com", "its scheme "+
			"must be "+
			"https")},
		{
			"an issuer without a scheme", issuer("a.example.com"),
			issuerIs("a.example.com", "is not a URL: write it as https://login.example.com"),
		},
		{
			"an issuer with a query", issuer("https://a.example.com?x"),
			issuerIs("https://a.example.com?x", "must not have a query or a fragment"),
		},
		{
			"an issuer with a password", issuer("https://a:geheim@a.example.com"),
			"apiServer.oidc.issuerURL: Invalid value: must not have a user or a password",
		},
		{
			"the cluster's own issuer", issuer("https://kubernetes.default.svc.cluster.local"),
			issuerIs("https://kubernetes.default.svc.cluster.local",
				"is the issuer of the cluster's own service accounts: use another one"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, lines(tt.options.Validate(field.NewPath("apiServer")))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const notASAN = "must be a DNS name in lower case or an IP address, api.example.com or 203.0.113.10 for example, " +
	"without a port"

func bodies(of string) string {
	return "would write the bodies of " + of + " into the log: put a rule of the level Metadata for all of them " +
		"before it"
}

func issuer(url string) APIServerOptions {
	return APIServerOptions{OIDC: OIDC{IssuerURL: url, ClientID: "kubectl"}}
}

func issuerIs(url, what string) string {
	return `apiServer.oidc.issuerURL: Invalid value: "` + url + `": ` + what
}

// lines are errors, sorted.
func lines(errs field.ErrorList) string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

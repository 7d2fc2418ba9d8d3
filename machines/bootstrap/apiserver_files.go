package bootstrap

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

const (
	// apiServerDir has the files of the API server, which sees it at the same path.
	apiServerDir       = linuxConfig + "/apiserver"
	admissionFile      = apiServerDir + "/admission.yaml"
	auditPolicyFile    = apiServerDir + "/audit-policy.yaml"
	authenticationFile = apiServerDir + "/authentication.yaml"
	encryptionFile     = apiServerDir + "/encryption.yaml"

	auditDir = "/var/log/kubernetes/audit"

	// apiServerConfig is stable from Kubernetes 1.34 on for all three kinds.
	apiServerConfig = "apiserver.config.k8s.io/v1"

	clusterInfo = "/api/v1/namespaces/kube-public/configmaps/cluster-info"
)

// apiServerFiles returns the files of the API server. All four always exist, and state it
// themselves if a feature is off. So the arguments never change, and a node that joins later
// has the files that the arguments of the first node refer to.
func apiServerFiles(m machine) []File {
	return []File{
		{Path: admissionFile, Content: m.apiServer.admission()},
		{Path: auditPolicyFile, Content: m.apiServer.auditPolicy()},
		{Path: authenticationFile, Content: m.apiServer.authentication(m.ca == "")},
		{Path: encryptionFile, Content: m.apiServer.encryption(m.join.EncryptionKeys), Secret: true},
	}
}

const defaultAuditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
# A request is one line, when it has been answered.
omitStages:
  - RequestReceived
rules:
  - level: None
    nonResourceURLs:
      - /healthz*
      - /livez*
      - /readyz*
  - level: None
    resources:
      - resources:
          - events
      - group: events.k8s.io
        resources:
          - events
  # Each of them renews its lease every few seconds.
  - level: None
    userGroups:
      - system:nodes
    verbs:
      - get
      - update
    resources:
      - group: coordination.k8s.io
        resources:
          - leases
  - level: None
    users:
      - system:kube-controller-manager
      - system:kube-scheduler
    verbs:
      - get
      - update
    resources:
      - group: coordination.k8s.io
        resources:
          - leases
  # Who did what and when; no bodies, so no Secrets.
  - level: Metadata
`

func (o APIServerOptions) auditPolicy() string {
	if o.Audit.Disabled {
		return "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n  - level: None\n"
	}
	if o.Audit.Policy != "" {
		return unixText(o.Audit.Policy)
	}
	return defaultAuditPolicy
}

type authenticationConfiguration struct {
	typeMeta  `yaml:",inline"`
	JWT       []jwtAuthenticator `yaml:"jwt,omitempty"`
	Anonymous anonymousAuth      `yaml:"anonymous"`
}

type jwtAuthenticator struct {
	Issuer        jwtIssuer     `yaml:"issuer"`
	ClaimMappings claimMappings `yaml:"claimMappings"`
}

type jwtIssuer struct {
	URL                  string   `yaml:"url"`
	CertificateAuthority string   `yaml:"certificateAuthority,omitempty"`
	Audiences            []string `yaml:"audiences"`
}

type claimMappings struct {
	Username prefixedClaim  `yaml:"username"`
	Groups   *prefixedClaim `yaml:"groups,omitempty"`
}

type prefixedClaim struct {
	Claim  string `yaml:"claim"`
	Prefix string `yaml:"prefix"`
}

type anonymousAuth struct {
	Enabled    bool                 `yaml:"enabled"`
	Conditions []anonymousCondition `yaml:"conditions"`
}

type anonymousCondition struct {
	Path string `yaml:"path"`
}

// authentication lets the kubelet and load balancers ask for the health of an API server
// without a certificate, and nodes that look for the cluster by a hash read cluster-info.
func (o APIServerOptions) authentication(byHash bool) string {
	config := authenticationConfiguration{
		typeMeta: typeMeta{APIVersion: apiServerConfig, Kind: "AuthenticationConfiguration"},
		Anonymous: anonymousAuth{
			Enabled: true, Conditions: []anonymousCondition{{"/healthz"}, {"/livez"}, {"/readyz"}},
		},
	}
	if byHash {
		config.Anonymous.Conditions = append(config.Anonymous.Conditions, anonymousCondition{clusterInfo})
	}
	if o.OIDC != (OIDC{}) {
		config.JWT = []jwtAuthenticator{o.OIDC.authenticator()}
	}
	return yamlDocuments(config)
}

const oidcPrefix = "oidc:"

func (o OIDC) authenticator() jwtAuthenticator {
	mappings := claimMappings{
		Username: prefixedClaim{cmp.Or(o.UsernameClaim, "sub"), prefixOf(o.UsernamePrefix)},
	}
	if o.GroupsClaim != "" {
		mappings.Groups = &prefixedClaim{o.GroupsClaim, prefixOf(o.GroupsPrefix)}
	}
	issuer := jwtIssuer{URL: o.IssuerURL, Audiences: []string{o.ClientID}}
	if o.CA != "" {
		issuer.CertificateAuthority = unixText(o.CA)
	}
	return jwtAuthenticator{Issuer: issuer, ClaimMappings: mappings}
}

// prefixOf treats "-" as no prefix, like the flag --oidc-username-prefix.
func prefixOf(configured string) string {
	if configured == "-" {
		return ""
	}
	return cmp.Or(configured, oidcPrefix)
}

type encryptionConfiguration struct {
	typeMeta  `yaml:",inline"`
	Resources []encryptedResources `yaml:"resources"`
}

type encryptedResources struct {
	Resources []string             `yaml:"resources"`
	Providers []encryptionProvider `yaml:"providers"`
}

// encryptionProvider has one of its fields.
type encryptionProvider struct {
	Secretbox *secretbox `yaml:"secretbox,omitempty"`
	Identity  *struct{}  `yaml:"identity,omitempty"`
}

type secretbox struct {
	Keys []encryptionKey `yaml:"keys"`
}

type encryptionKey struct {
	Name   string `yaml:"name"`
	Secret string `yaml:"secret"`
}

// EncryptionKeyName returns the name of one of the [Join.EncryptionKeys] in the configuration of
// the API server: key- and eight hexadecimal digits of the SHA-256 hash of its bytes. Data that
// the key has encrypted begins with k8s:enc:secretbox:v1:NAME: in etcd, and Kubernetes only
// tries a key of that name (staging/src/k8s.io/apiserver/pkg/server/options/encryptionconfig
// in Kubernetes). So the name stays the same when the key is no longer the first. It reveals
// nothing about the key, which is random.
func EncryptionKeyName(key string) string {
	b, _ := base64.StdEncoding.DecodeString(key) // The check has refused invalid base64.
	hash := sha256.Sum256(b)
	return "key-" + hex.EncodeToString(hash[:4])
}

// encryption encrypts with the first key of the first provider, and decrypts with whichever
// it was: so the encryption can be switched on and off, and keys can be replaced.
func (o APIServerOptions) encryption(keys []string) string {
	providers := []encryptionProvider{{Identity: &struct{}{}}}
	if len(keys) > 0 {
		box := &secretbox{}
		for _, key := range keys {
			box.Keys = append(box.Keys, encryptionKey{EncryptionKeyName(key), key})
		}
		providers = []encryptionProvider{{Secretbox: box}, providers[0]}
		if o.DisableEncryption {
			providers[0], providers[1] = providers[1], providers[0]
		}
	}
	return yamlDocuments(encryptionConfiguration{
		typeMeta:  typeMeta{APIVersion: apiServerConfig, Kind: "EncryptionConfiguration"},
		Resources: []encryptedResources{{[]string{"secrets"}, providers}},
	})
}

type admissionConfiguration struct {
	typeMeta `yaml:",inline"`
	Plugins  []admissionPlugin `yaml:"plugins"`
}

type admissionPlugin struct {
	Name          string                   `yaml:"name"`
	Configuration podSecurityConfiguration `yaml:"configuration"`
}

type podSecurityConfiguration struct {
	typeMeta   `yaml:",inline"`
	Defaults   podSecurityDefaults   `yaml:"defaults"`
	Exemptions podSecurityExemptions `yaml:"exemptions"`
}

type podSecurityDefaults struct {
	Enforce        string `yaml:"enforce"`
	EnforceVersion string `yaml:"enforce-version"`
}

type podSecurityExemptions struct {
	Namespaces []string `yaml:"namespaces"`
}

// podSecurityPrivileged is Kubernetes' own default.
const podSecurityPrivileged = "privileged"

func (o APIServerOptions) admission() string {
	return yamlDocuments(admissionConfiguration{
		typeMeta: typeMeta{APIVersion: apiServerConfig, Kind: "AdmissionConfiguration"},
		Plugins: []admissionPlugin{{
			Name: "PodSecurity",
			Configuration: podSecurityConfiguration{
				typeMeta: typeMeta{
					APIVersion: "pod-security.admission.config.k8s.io/v1", Kind: "PodSecurityConfiguration",
				},
				Defaults:   podSecurityDefaults{cmp.Or(o.PodSecurity, podSecurityPrivileged), "latest"},
				Exemptions: podSecurityExemptions{[]string{"kube-system"}},
			},
		}},
	})
}

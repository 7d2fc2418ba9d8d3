package bootstrap

// APIServerOptions are options of the API servers. The zero value has safe defaults: an
// audit log without bodies, Secrets encrypted in etcd where [Join.EncryptionKeys] are given,
// no anonymous requests except health checks, no profiling, TLS 1.2 or newer.
//
// They take effect when the first node creates the cluster. What is in the files below
// /etc/mixedkube/apiserver can be changed later: bring the files of the nodes of the
// control plane onto them again. The API server reads encryption.yaml and
// authentication.yaml by itself, the other two at its start. Arguments, certificate names
// and a change of the audit log's limits need `kubeadm init phase control-plane` after a
// change of the ConfigMap kubeadm-config
// (https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-reconfigure/).
type APIServerOptions struct {
	// Audit is the audit log.
	Audit Audit `json:"audit" pulumi:"audit,optional"`
	// DisableEncryption stores new Secrets in etcd without encryption. Secrets that are already
	// encrypted can still be read.
	DisableEncryption bool `json:"disableEncryption" pulumi:"disableEncryption,optional"`
	// OIDC is a provider of identities whose users the API server takes. Default: none.
	OIDC OIDC `json:"oidc" pulumi:"oidc,optional"`
	// PodSecurity is the Pod Security Standard that namespaces without a label of their own
	// enforce: privileged, baseline or restricted. kube-system is exempt. Default:
	// privileged, which is Kubernetes' own: agents of nodes need it, host-process ones too.
	PodSecurity string `json:"podSecurity" pulumi:"podSecurity,optional"`
	// CertSANs are further names and addresses in the certificate of the API servers.
	CertSANs []string `json:"certSANs" pulumi:"certSANs,optional"`
	// ExtraArgs are further arguments by their names, without the dashes:
	// "default-not-ready-toleration-seconds": "60" for example
	// (https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/).
	// Arguments that kubeadm or this library sets are refused, and so are arguments that would
	// undo a protective default. An argument cannot refer to a file of the machine: none is
	// mounted for it.
	ExtraArgs map[string]string `json:"extraArgs" pulumi:"extraArgs,optional"`
}

// Audit configures the audit log of requests to the API server, which is written into files on the nodes of the
// control plane, /var/log/kubernetes/audit/audit.log
// (https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/).
type Audit struct {
	// Disabled writes nothing.
	Disabled bool `json:"disabled" pulumi:"disabled,optional"`
	// Policy is a policy of your own, the text of a Policy of audit.k8s.io/v1 in YAML. It
	// must not write bodies with Secrets or tokens. The default writes who did what and
	// when (level Metadata), never bodies, and leaves out events, health checks, and the
	// leases that nodes and controllers renew.
	Policy string `json:"policy" pulumi:"policy,optional"`
	// MaxAgeDays is how long a file is kept. Default: 30, as in the CIS benchmark.
	MaxAgeDays int `json:"maxAgeDays" pulumi:"maxAgeDays,optional"`
	// MaxBackups is how many files are kept in addition to the current one. Default: 10, as in
	// the CIS benchmark: with that of MaxSizeMB, 1.1 GB at most.
	MaxBackups int `json:"maxBackups" pulumi:"maxBackups,optional"`
	// MaxSizeMB is how large a file gets. Default: 100, as in the CIS benchmark.
	MaxSizeMB int `json:"maxSizeMB" pulumi:"maxSizeMB,optional"`
}

// OIDC is a provider of identities that speaks OpenID Connect
// (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration).
type OIDC struct {
	// IssuerURL is the provider's, with https, as in the claim iss of its tokens.
	IssuerURL string `json:"issuerURL" pulumi:"issuerURL"`
	// ClientID is the client that the tokens are issued for, their claim aud.
	ClientID string `json:"clientID" pulumi:"clientID"`
	// UsernameClaim is the claim with the name of the user. Default: sub. With email, the
	// claim email_verified must not be false.
	UsernameClaim string `json:"usernameClaim" pulumi:"usernameClaim,optional"`
	// UsernamePrefix is put before the name. Default: oidc:, which keeps a user of the
	// provider from being one of Kubernetes' own. "-" means none.
	UsernamePrefix string `json:"usernamePrefix" pulumi:"usernamePrefix,optional"`
	// GroupsClaim is the claim with the user's groups. Default: none.
	GroupsClaim string `json:"groupsClaim" pulumi:"groupsClaim,optional"`
	// GroupsPrefix is as UsernamePrefix, for groups: without a prefix, anyone who names groups
	// at the provider can create system:masters.
	GroupsPrefix string `json:"groupsPrefix" pulumi:"groupsPrefix,optional"`
	// CA is the certificate authority of the provider's server, in PEM. Default: those
	// that the API server's image trusts.
	CA string `json:"ca" pulumi:"ca,optional"`
}

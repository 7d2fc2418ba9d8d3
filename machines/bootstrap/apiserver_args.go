package bootstrap

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

const (
	profilingArg       = "profiling"
	tlsMinVersionArg   = "tls-min-version"
	enablePluginsArg   = "enable-admission-plugins"
	disablePluginsArg  = "disable-admission-plugins"
	accountLookupArg   = "service-account-lookup"
	nodeRestriction    = "NodeRestriction"
	tls12              = "VersionTLS12"
	tls13              = "VersionTLS13"
	apiServerVolume    = "mixedkube-apiserver"
	auditVolume        = "mixedkube-audit"
	directory          = "Directory"
	directoryOrCreate  = "DirectoryOrCreate"
	defaultAuditAge    = 30
	defaultAuditFiles  = 10
	defaultAuditSizeMB = 100
)

// component returns the API server as kubeadm starts it.
func (o APIServerOptions) component() apiServerComponent {
	args := o.ownArgs()
	maps.Copy(args, o.ExtraArgs)
	server := apiServerComponent{
		CertSANs: o.CertSANs,
		ExtraVolumes: []hostPathMount{
			{apiServerVolume, apiServerDir, apiServerDir, true, directory},
			{auditVolume, auditDir, auditDir, false, directoryOrCreate},
		},
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		server.ExtraArgs = append(server.ExtraArgs, arg{name, args[name]})
	}
	return server
}

// ownArgs returns the arguments that this library sets.
func (o APIServerOptions) ownArgs() map[string]string {
	return map[string]string{
		"admission-control-config-file":               admissionFile,
		"audit-log-maxage":                            strconv.Itoa(cmp.Or(o.Audit.MaxAgeDays, defaultAuditAge)),
		"audit-log-maxbackup":                         strconv.Itoa(cmp.Or(o.Audit.MaxBackups, defaultAuditFiles)),
		"audit-log-maxsize":                           strconv.Itoa(cmp.Or(o.Audit.MaxSizeMB, defaultAuditSizeMB)),
		"audit-log-path":                              auditDir + "/audit.log",
		"audit-policy-file":                           auditPolicyFile,
		"authentication-config":                       authenticationFile,
		"encryption-provider-config":                  encryptionFile,
		"encryption-provider-config-automatic-reload": "true",
		profilingArg:                                  "false",
		tlsMinVersionArg:                              tls12,
	}
}

// kubeadmArgs are the arguments that kubeadm sets (getAPIServerCommand in
// cmd/kubeadm/app/phases/controlplane/manifests.go), but the admission plugins.
var kubeadmArgs = []string{
	"advertise-address", "allow-privileged", "authorization-mode", "client-ca-file", "enable-bootstrap-token-auth",
	"etcd-cafile", "etcd-certfile", "etcd-keyfile", "etcd-servers", "kubelet-client-certificate",
	"kubelet-client-key", "kubelet-preferred-address-types", "proxy-client-cert-file", "proxy-client-key-file",
	"requestheader-allowed-names", "requestheader-client-ca-file", "requestheader-extra-headers-prefix",
	"requestheader-group-headers", "requestheader-username-headers", "secure-port", "service-account-issuer",
	"service-account-key-file", "service-account-signing-key-file", "service-cluster-ip-range", "tls-cert-file",
	"tls-private-key-file",
}

// optionOfArg is the option that stands for an argument.
var optionOfArg = map[string]string{
	"admission-control-config-file":               "podSecurity",
	"audit-log-maxage":                            "audit.maxAgeDays",
	"audit-log-maxbackup":                         "audit.maxBackups",
	"audit-log-maxsize":                           "audit.maxSizeMB",
	"audit-log-path":                              "audit",
	"audit-policy-file":                           "audit.policy",
	"authentication-config":                       "oidc",
	"encryption-provider-config":                  "disableEncryption",
	"encryption-provider-config-automatic-reload": "disableEncryption",
	"oidc-ca-file":                                "oidc.ca",
	"oidc-client-id":                              "oidc.clientID",
	"oidc-groups-claim":                           "oidc.groupsClaim",
	"oidc-groups-prefix":                          "oidc.groupsPrefix",
	"oidc-issuer-url":                             "oidc.issuerURL",
	"oidc-username-claim":                         "oidc.usernameClaim",
	"oidc-username-prefix":                        "oidc.usernamePrefix",
}

// unsafeArgs undo a protection whatever their value is, or cannot be used with it.
var unsafeArgs = map[string]string{
	"anonymous-auth": "the API server does not start with both this flag and its AuthenticationConfiguration, which " +
		"allows anonymous users to request only its health",
	"authorization-config":              "it replaces kubeadm's modes Node and RBAC",
	"authorization-webhook-config-file": "kubeadm's modes are Node and RBAC",
	"bind-address":                      "kubelets, load balancers and the machine itself connect to all addresses",
	"token-auth-file":                   "such tokens never expire, and are on the disk in clear text",
}

// protectingPlugins are admission plugins that are on by default, or by kubeadm, and keep
// users and nodes apart.
var protectingPlugins = []string{
	"CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction", nodeRestriction, "PodSecurity",
	"ServiceAccount",
}

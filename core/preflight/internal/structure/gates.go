package structure

// gate is a feature gate that is off by default. While it is off, API servers drop the fields that belong to it.
type gate struct {
	name string
	// until is the last minor version in which it is off, 0 if it is off in all known versions.
	until int
}

var (
	podCertificates = &gate{"PodCertificateRequest", 36}
	trustBundles    = &gate{"ClusterTrustBundleProjection", 36}
	workloads       = &gate{name: "GenericWorkload"}
	evictions       = &gate{name: "EvictionRequestAPI"}
	fileOwners      = &gate{name: "AtomicWriteVolumeUserFields"}
	emptyDirModes   = &gate{name: "EmptyDirVolumeMode"}
	mountOptions    = &gate{name: "VolumeBindMountOptions"}
	http2Probes     = &gate{name: "H2CContainerProbe"}
	tlsProbes       = &gate{name: "GRPCContainerProbeTLS"}
)

// gates are the gates of fields, by type: those that are off by default in a supported version. Another rule, MK131, is
// about stopSignal.
var gates = map[string]map[string]*gate{
	"core.v1.PodSpec": {
		"evictionResponders": evictions, "schedulingGroup": workloads, "workloadRef": workloads,
	},
	"core.v1.VolumeMount":   {"bindMountOptions": mountOptions},
	"core.v1.HTTPGetAction": {"protocol": http2Probes},
	"core.v1.GRPCAction":    {"mode": tlsProbes},

	"core.v1.VolumeProjection":     {"clusterTrustBundle": trustBundles, "podCertificate": podCertificates},
	"core.v1.EmptyDirVolumeSource": {"mode": emptyDirModes},

	"core.v1.ConfigMapVolumeSource":         {"defaultUser": fileOwners},
	"core.v1.DownwardAPIVolumeSource":       {"defaultUser": fileOwners},
	"core.v1.ProjectedVolumeSource":         {"defaultUser": fileOwners},
	"core.v1.SecretVolumeSource":            {"defaultUser": fileOwners},
	"core.v1.KeyToPath":                     {"user": fileOwners},
	"core.v1.DownwardAPIVolumeFile":         {"user": fileOwners},
	"core.v1.ServiceAccountTokenProjection": {"user": fileOwners},
	"core.v1.ClusterTrustBundleProjection":  {"user": fileOwners},
	"core.v1.PodCertificateProjection":      {"user": fileOwners},
}

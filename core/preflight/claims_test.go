package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// acrossCase is a set of objects and all their findings across objects.
type acrossCase struct {
	name, objects string
	options       preflight.Options
	want          []string
}

func runAcrossCases(t *testing.T, tests []acrossCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			objects := fromYAML(t, tt.objects)
			across := acrossOf(t, tt.options, objects)
			var got []string
			for i := range objects {
				for _, text := range texts(across[i]) {
					got = append(got, fmt.Sprintf("%d %s", i, text))
				}
			}
			diffFindings(t, tt.want, got)
		})
	}
}

const (
	inWindows = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}"
	inLinux   = "nodeSelector: {kubernetes.io/os: linux}"
	mounts    = ", volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]"
)

func TestFileSystemsOfClaims(t *testing.T) {
	t.Parallel()
	class := func(more, parameters string) string {
		return "{kind: StorageClass, metadata: {name: fast" + more + "}, parameters: {" + parameters + "}}\n---\n"
	}
	claim := func(spec string) string {
		return "{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, spec: {" + spec + "}}\n---\n"
	}
	volume := func(spec string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {" + spec + "}}\n---\n"
	}
	const (
		ext4, ofFast = "csi.storage.k8s.io/fstype: ext4", "storageClassName: fast"
		isDefault    = ", annotations: {storageclass.kubernetes.io/is-default-class: 'true'}"
		at           = `spec.template.spec.volumes[0].persistentVolumeClaim.claimName: "data": `
		byClass      = "the StorageClass fast formats disks with ext4, which Windows does not have: use a class with " +
			"ntfs (MK529)"
		ofVolume = "{driver: disk.example.com, fsType: xfs}"
		byVolume = "the PersistentVolume disk has the file system xfs, which Windows does not have: use a volume " +
			"with ntfs (MK529)"
	)
	pods := deploy("shop", inWindows+mounts)
	runAcrossCases(t, []acrossCase{
		{
			name: "by the class", objects: class("", ext4) + claim(ofFast) + pods,
			want: []string{"2 warning " + at + byClass},
		},
		{
			name: "by another name of the parameter", objects: class("", "fsType: ext4") + claim(ofFast) + pods,
			want: []string{"2 warning " + at + byClass},
		},
		{
			name: "by the default class", objects: class(isDefault, ext4) + claim("accessModes: []") + pods,
			want: []string{"2 warning " + at + byClass},
		},
		{
			name: "two default classes",
			objects: strings.Replace(class(isDefault, "fsType: ntfs"), "name: fast", "name: slow", 1) +
				class(isDefault, ext4) + claim("accessModes: []") + pods,
		},
		{name: "no default class", objects: class("", ext4) + claim("accessModes: []") + pods},
		{name: "no class at all", objects: class(isDefault, ext4) + claim("storageClassName: ''") + pods},
		{name: "a class that is not known", objects: class("", ext4) + claim("storageClassName: $unknown") + pods},
		{
			name:    "a claim of another namespace",
			objects: class("", ext4) + strings.Replace(claim(ofFast), "namespace: shop", "namespace: other", 1) + pods,
		},
		{
			name:    "NTFS on Linux",
			objects: class("", "fstype: NTFS") + claim(ofFast) + deploy("shop", inLinux+mounts),
			want: []string{"2 warning " + at + "the StorageClass fast formats disks with NTFS, which Linux does not " +
				"have: use a class with ext4 or xfs (MK530)"},
		},
		{name: "ext4 on Linux", objects: class("", ext4) + claim(ofFast) + deploy("shop", inLinux+mounts)},
		{
			name: "by the volume that the claim names", objects: volume("csi: "+ofVolume) + claim("volumeName: "+
				"disk") + pods,
			want: []string{"2 warning " + at + byVolume},
		},
		{
			name: "by the volume that names the claim",
			objects: volume("csi: "+ofVolume+", claimRef: {name: data, namespace: "+
				"shop}") + claim("storageClassName: ''") + pods,
			want: []string{"2 warning " + at + byVolume},
		},
		{
			name: "a volume of NFS", objects: volume("nfs: {server: a, path: /}") + claim("volumeName: disk") + pods,
			want: []string{"2 error " + at + "leads to the PersistentVolume disk with nfs: Windows cannot mount NFS " +
				"volumes: use an SMB share, with its CSI driver (MK504)"},
		},
		{
			name: "a volume of iSCSI", objects: volume("iscsi: {lun: 0}") + claim("volumeName: disk") + pods,
			want: []string{"2 error " + at + "leads to the PersistentVolume disk with iscsi: Windows nodes cannot " +
				"mount iscsi volumes: use a CSI driver for Windows (MK522)"},
		},
		{
			name:    "a volume of iSCSI on Linux",
			objects: volume("iscsi: {lun: 0}") + claim("volumeName: disk") + deploy("shop", inLinux+mounts),
		},
		{
			name: "the claims of a StatefulSet",
			objects: class("", ext4) + strings.Replace(strings.Replace(
				deploy("shop", inWindows), "Deployment", "StatefulSet", 1),
				"spec:\n", "spec:\n  volumeClaimTemplates: [{metadata: {name: a}, spec: {storageClassName: "+
					"fast}}]\n", 1),
			want: []string{`1 warning spec.volumeClaimTemplates[0].spec.storageClassName: "fast": ` + byClass},
		},
		{
			name: "a claim of the pods",
			objects: class("", ext4) + deploy("shop", inWindows+
				", volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: fast}}}}]"),
			want: []string{`1 warning ` +
				`spec.template.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.storageClassName: "fast": ` +
				byClass},
		},
	})
}

func TestDisksOfBothOperatingSystems(t *testing.T) {
	t.Parallel()
	class := func(driver string) string {
		return "{kind: StorageClass, metadata: {name: fast}, provisioner: " + driver + "}\n---\n" +
			claimOf("storageClassName: fast")
	}
	volume := func(spec string) string {
		return "{kind: PersistentVolume, metadata: {name: disk}, spec: {" + spec + "}}\n---\n" +
			claimOf("volumeName: disk")
	}
	windows := deploy("shop", inWindows+mounts) + "\n---\n"
	linux := strings.Replace(deploy("shop", inLinux+mounts), "Deployment", "StatefulSet", 1)
	found := func(severity, at string) []string {
		return []string{severity + ` metadata.name: "data": leads to the ` + at + ", a disk, and is mounted by " +
			"Windows pods (Deployment/shop) and by Linux pods (StatefulSet/shop): use a claim for each operating " +
			"system, or an SMB share (MK553)"}
	}
	const ebs, azure = "ebs.csi.aws.com", "disk.csi.azure.com"
	runAcrossCases(t, []acrossCase{
		{
			name: "by the class", objects: class(ebs) + windows + linux,
			want: found("1 error", "StorageClass fast"),
		},
		{
			name: "by the volume", objects: volume("csi: {driver: "+azure+"}") + windows + linux,
			want: found("1 error", "PersistentVolume disk"),
		},
		{
			name: "of Kubernetes itself", objects: volume("azureDisk: {diskName: a}") + windows + linux,
			want: found("1 error", "PersistentVolume disk"),
		},
		{
			name: "a class of AKS", options: on(topology.AKS),
			objects: claimOf("storageClassName: managed-csi") + windows + linux,
			want:    found("0 error", "StorageClass managed-csi"),
		},
		{
			name:    "no replicas",
			objects: class(ebs) + windows + strings.Replace(linux, "spec:\n", "spec:\n  replicas: 0\n", 1),
			want:    found("1 warning", "StorageClass fast"),
		},
		{
			name:    "replicas that are not known",
			objects: class(ebs) + windows + strings.Replace(linux, "spec:\n", "spec:\n  replicas: $unknown\n", 1),
			want:    found("1 warning", "StorageClass fast"),
		},
		{name: "a share", objects: class("file.csi.azure.com") + windows + linux},
		{name: "a driver that is not known", objects: class("$unknown") + windows + linux},
		{name: "Windows pods only", objects: class(ebs) + windows +
			strings.Replace(windows, "name: shop", "name: b", 1)},
		{
			name:    "pods of another namespace",
			objects: class(ebs) + windows + strings.Replace(linux, "namespace: shop", "namespace: other", 1),
		},
	})
}

func TestSharesOfSeveralVolumes(t *testing.T) {
	t.Parallel()
	volume := func(name, driver, handle, attributes, secret string) string {
		return "{kind: PersistentVolume, metadata: {name: " + name + "}, spec: {claimRef: {name: " + name +
			", namespace: shop}, csi: {driver: " + driver + ", volumeHandle: " + handle + ", volumeAttributes: {" +
			attributes + "}, nodeStageSecretRef: {name: " + secret + ", namespace: shop}}}}\n---\n"
	}
	const smb, azure = "smb.csi.k8s.io", "file.csi.azure.com"
	pods := deploy("shop", inWindows+mounts)
	const twice = `spec.csi.volumeHandle: "a": the PersistentVolume other has the same share with another handle or ` +
		`Secret: give both the same volumeHandle and Secret, or let the pods share one claim (MK531)`
	mixed := func(other string) string {
		return `warning spec.csi.volumeHandle: "a": the PersistentVolume ` + other + ` has the same handle and ` +
			`another share: give each share a handle of its own (MK539)`
	}
	runAcrossCases(t, []acrossCase{
		{
			name: "two handles", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", smb, "b", `source: '\\FILES\shop\'`, "s") + pods,
			want: []string{"0 warning " + twice},
		},
		{
			name: "two Secrets", objects: volume("data", azure, "a", "shareName: shop, storageAccount: x", "s") +
				volume("other", azure, "a", "sharename: shop, storageaccount: x", "t") + pods,
			want: []string{"0 warning " + twice},
		},
		{
			name: "the same handle and Secret", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", smb, "a", "source: //files/shop", "s") + pods,
		},
		{
			name: "another share of the server", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", smb, "b", "source: //files/stock", "s") + pods,
		},
		{
			name: "the share of another account", objects: volume("data", azure, "a", "shareName: shop", "s") +
				volume("other", azure, "b", "shareName: shop", "t") + pods,
		},
		{
			name: "for Linux pods", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", smb, "b", "source: //files/shop", "s") + deploy("shop", inLinux+mounts),
		},
		{
			name: "two shares of one handle", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", smb, "a", "source: //files/stock", "s") + deploy("shop", inLinux+mounts),
			want: []string{"0 " + mixed("other"), "1 " + mixed("data")},
		},
		{
			name: "a handle of another driver", objects: volume("data", smb, "a", "source: //files/shop", "s") +
				volume("other", azure, "a", "shareName: stock", "s"),
		},
		{
			name: "a handle that is not known", objects: volume("data", smb, "$unknown", "source: //files/shop", "s") +
				volume("other", smb, "a", "source: //files/stock", "s") + pods,
		},
	})
}

func TestAutoscalersNeedRequests(t *testing.T) {
	t.Parallel()
	scaler := func(spec string) string {
		return "{kind: HorizontalPodAutoscaler, metadata: {name: shop, namespace: shop}, spec: {scaleTargetRef: " +
			"{kind: Deployment, name: shop}" + spec + "}}\n---\n"
	}
	pods := func(resources string) string {
		return strings.Replace(deploy("shop", inLinux), "{limits: {memory: 1Gi}}", "{"+resources+"}", 1)
	}
	const (
		cpu    = ", metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 70}}}]"
		ofOne  = ", metrics: [{containerResource: {container: other, name: cpu, target: {averageUtilization: 7}}}]"
		memory = ", metrics: [{type: Pods}, {resource: {name: memory, target: {averageUtilization: 70}}}]"
		value  = ", metrics: [{type: Resource, resource: {name: cpu, target: {averageValue: 500m}}}]"
		tail   = ", so there is nothing to compare with: add it to resources.requests of the container (MK538)"
	)
	missing := func(path, resource string) []string {
		return []string{"0 warning spec." + path + ": the container shop of the pods requests no " + resource + tail}
	}
	runAcrossCases(t, []acrossCase{
		{
			name: "no request", objects: scaler(cpu) + pods("limits: {memory: 1Gi}"),
			want: missing("metrics[0].resource.target.averageUtilization", "cpu"),
		},
		{
			name: "the second metric", objects: scaler(memory) + pods("requests: {cpu: '1'}"),
			want: missing("metrics[1].resource.target.averageUtilization", "memory"),
		},
		{
			name: "version 1", objects: scaler(", targetCPUUtilizationPercentage: 70") + pods("requests: {memory: "+
				"1Gi}"),
			want: missing("targetCPUUtilizationPercentage", "cpu"),
		},
		{name: "by default", objects: scaler("") + pods("requests: {memory: 1Gi}"), want: missing("metrics", "cpu")},
		{name: "a request", objects: scaler(cpu) + pods("requests: {cpu: '1'}")},
		{name: "a limit is the request", objects: scaler(cpu) + pods("limits: {cpu: '1'}")},
		{name: "requests that are not known", objects: scaler(cpu) + pods("requests: $unknown")},
		{name: "a target that is not a share", objects: scaler(value) + pods("limits: {memory: 1Gi}")},
		{name: "another container", objects: scaler(ofOne) + pods("limits: {memory: 1Gi}")},
		{
			name:    "pods of another workload",
			objects: strings.Replace(scaler(cpu), "name: shop}", "name: other}", 1) + pods("limits: {memory: 1Gi}"),
		},
		{
			name: "pods in another namespace", objects: strings.Replace(scaler(cpu), "namespace: "+
				"shop", "namespace: b", 1) +
				pods("limits: {memory: 1Gi}"),
		},
	})
}

func TestServicesOfWindowsPods(t *testing.T) {
	t.Parallel()
	v134, v135 := preflight.Options{KubernetesVersion: "1.34"}, preflight.Options{KubernetesVersion: "1.35"}
	const internal = "selector: {app: shop}, internalTrafficPolicy: Local"
	const ipv6 = "selector: {app: shop}, ipFamilies: [IPv6]"
	pods, others := deploy("shop", inWindows), deploy("shop", inLinux)
	wantLocal := []string{`0 warning spec.internalTrafficPolicy: "Local": may cut Windows nodes off from the ` +
		`Service: use Cluster, or Kubernetes 1.35 or later (MK605)`}
	runAcrossCases(t, []acrossCase{
		{name: "internal traffic", objects: service(internal) + pods, options: v134, want: wantLocal},
		{name: "no version", objects: service(internal) + pods, want: wantLocal},
		{name: "internal traffic in 1.35", objects: service(internal) + pods, options: v135},
		{name: "internal traffic of Linux pods", objects: service(internal) + others, options: v134},
		{
			name: "IPv6 only", objects: service(ipv6) + pods,
			want: []string{`0 warning spec.ipFamilies: "IPv6": alone reaches Windows pods only in dual-stack ` +
				`networks that are not overlays of HNS (win-overlay): add IPv4, or make sure that Windows pods have ` +
				`IPv6 addresses (MK604)`},
		},
		{name: "IPv6 first", objects: service(ipv6+", ipFamilyPolicy: PreferDualStack") + pods},
		{name: "IPv6 of which is not known", objects: service(ipv6+", ipFamilyPolicy: $unknown") + pods},
		{name: "IPv6 of Linux pods", objects: service(ipv6) + others},
		{name: "IPv4", objects: service("selector: {app: shop}, ipFamilies: [IPv4]") + pods},
	})
}

func TestDriversWithoutWindows(t *testing.T) {
	t.Parallel()
	const (
		claim = "{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, " +
			"spec: {storageClassName: fast}}\n---\n"
		at   = "2 warning spec.template.spec.volumes[0].persistentVolumeClaim.claimName: \"data\": leads to the "
		fix  = ": use a driver that runs on Windows, such as smb.csi.k8s.io, or run the pods on Linux nodes (MK541)"
		ext4 = ", parameters: {csi.storage.k8s.io/fstype: ext4}"
	)
	class := func(driver string) string {
		return "{kind: StorageClass, metadata: {name: fast}, provisioner: " + driver + ext4 + "}\n---\n"
	}
	of := func(driver string) string { return "the CSI driver " + driver + " does not run on Windows nodes" + fix }
	volume := "{kind: PersistentVolume, metadata: {name: disk}, spec: {claimRef: {name: data, namespace: shop}, " +
		"csi: {driver: rook-ceph.rbd.csi.ceph.com, fsType: ext4}}}\n---\n"
	inline := ", volumes: [{name: data, csi: {driver: nfs.csi.k8s.io, fsType: ext4}}]"
	var cases []acrossCase
	for _, driver := range []string{
		"efs.csi.aws.com", "nfs.csi.k8s.io", "driver.longhorn.io", "rook-ceph.rbd.csi.ceph.com",
		"other.cephfs.csi.ceph.com", "blob.csi.azure.com",
	} {
		cases = append(cases, acrossCase{
			name: driver, objects: class(driver) + claim + deploy("shop", inWindows+mounts),
			want: []string{at + "StorageClass fast: " + of(driver)},
		})
	}
	runAcrossCases(t, append(cases, acrossCase{
		name: "by the volume", objects: volume + claim + deploy("shop", inWindows+mounts),
		want: []string{at + "PersistentVolume disk with csi: " + of("rook-ceph.rbd.csi.ceph.com")},
	}, acrossCase{name: "Linux pods", objects: class("efs.csi.aws.com") + claim + deploy("shop", inLinux+mounts)}))
	wantFindings(t, object(t, deploy("shop", inWindows+inline)), v136, "MK541",
		"spec.template.spec.volumes[0].csi: "+of("nfs.csi.k8s.io"))
	wantFindings(t, object(t, deploy("shop", inWindows+", volumes: [{name: data, csi: {driver: "+
		"'$secret-nfs.csi.k8s.io'}}]")), v136, "MK541", "spec.template.spec.volumes[0].csi: "+of("[secret]"))
	wantFindings(t, object(t, deploy("shop", inWindows+inline)), v136, "MK529")
	wantFindings(t, object(t, deploy("shop", inLinux+inline)), v136, "MK541")
}

package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestFieldsThatWindowsIgnores(t *testing.T) {
	t.Parallel()
	const noOS = "nodeSelector: {kubernetes.io/os: windows}\n"
	image := container("shop.example.com/shop:1.4")
	ctr := func(security string) string {
		return "containers: [{name: shop, image: shop.example.com/shop:1.4, securityContext: {" + security + "}}]\n"
	}
	missed := func(path, value string) string {
		return "warning spec." + path + ": " + value + "has no effect on Windows: remove it (MK507)"
	}
	const user = "has no effect on Windows: " + namedUser + " (MK507)"
	const nodes = "true: has no effect on Windows: remove it; to access the node, use a host-process " +
		"container, windowsOptions.hostProcess (MK507)"
	runPodCases(t, []podCase{
		{
			name: "of the pod",
			spec: noOS + "hostPID: true\nhostIPC: true\nshareProcessNamespace: true\nsecurityContext: {fsGroup: 1, " +
				"runAsGroup: 2, runAsUser: 3, seLinuxOptions: {level: x}, supplementalGroups: [4], sysctls: [{name: " +
				"a, value: b}]}\n" + image,
			want: []string{
				missed("hostIPC", "true: "), missed("hostPID", "true: "), missed("securityContext.fsGroup", "1: "),
				missed("securityContext.runAsGroup", "2: "),
				"warning spec.securityContext.runAsUser: 3: " + user, missed("securityContext.seLinuxOptions", ""),
				missed("securityContext.supplementalGroups", ""), missed("securityContext.sysctls", ""),
				missed("shareProcessNamespace", "true: "),
			},
		},
		{
			name: "of a container",
			spec: noOS + ctr(
				"privileged: true, capabilities: {add: [NET_ADMIN], drop: [ALL]}, readOnlyRootFilesystem: true, "+
					"procMount: Unmasked, runAsGroup: 2, runAsUser: 3, seLinuxOptions: {}",
			),
			want: []string{
				missed("containers[0].securityContext.capabilities.add", ""),
				"warning spec.containers[0].securityContext.privileged: " + nodes,
				missed("containers[0].securityContext.procMount", `"Unmasked": `),
				missed("containers[0].securityContext.readOnlyRootFilesystem", "true: "),
				missed("containers[0].securityContext.runAsGroup", "2: "),
				"warning spec.containers[0].securityContext.runAsUser: 3: " + user,
				missed("containers[0].securityContext.seLinuxOptions", ""),
			},
		},
		{
			name: "of the pod, by which it misses nothing",
			spec: noOS + "hostUsers: false\nsecurityContext: {appArmorProfile: {type: RuntimeDefault}, " +
				"fsGroupChangePolicy: Always, seccompProfile: {type: RuntimeDefault}, seLinuxChangePolicy: " +
				"Recursive, supplementalGroups: [], supplementalGroupsPolicy: Strict, sysctls: []}\n" + image,
		},
		{
			name: "of a container, by which it misses nothing",
			spec: noOS + ctr(
				"allowPrivilegeEscalation: false, appArmorProfile: {type: RuntimeDefault}, capabilities: {drop: "+
					"[ALL]}, procMount: Default, seccompProfile: {type: RuntimeDefault}",
			),
		},
		{
			name: "what is not known is set", spec: noOS + "securityContext: {runAsGroup: $unknown}\n" + image,
			want: []string{missed("securityContext.runAsGroup", "[unknown]: ")},
		},
		{
			name: "false asks for nothing",
			spec: noOS + "hostPID: false\n" + ctr("privileged: false, readOnlyRootFilesystem: false"),
		},
		{
			name: "the rest of it is not known",
			spec: noOS + "hostPID: $unknown\nsecurityContext: $unknown\ncontainers: [{name: shop, image: " +
				"shop.example.com/shop:1.4, securityContext: $unknown}]\n",
		},
		{name: "capabilities that are not known", spec: noOS + ctr("capabilities: {add: $unknown}")},
		{
			name: "os.name that is not known may make the API server refuse it",
			spec: "os: $unknown\n" + noOS + "hostPID: true\n" + image,
		},
		{
			name: "Linux pods", spec: "nodeSelector: {kubernetes.io/os: linux}\nhostPID: true\nsecurityContext: " +
				"{runAsUser: 1}\n" + image,
		},
		{name: "unknown pods", spec: "hostPID: true\nsecurityContext: {runAsUser: 1}\n" + image},
		{
			name: "one user for all containers, and a token, which no kubelet of today fails to give it",
			spec: noOS + "securityContext: {runAsUser: 1000}\nvolumes: [{name: t, projected: {sources: " +
				"[{serviceAccountToken: {path: t}}]}}]\n" + image,
			want: []string{"warning spec.securityContext.runAsUser: 1000: " + user},
		},
	})
}

func TestUsersOfWindowsContainers(t *testing.T) {
	t.Parallel()
	const servercore = "mcr.microsoft.com/windows/servercore:ltsc2022"
	image := container("shop.example.com/shop:1.4")
	const refused = `counts as root, and runAsNonRoot is true: the kubelet refuses to start the container: set ` +
		`windowsOptions.runAsUserName to ContainerUser, or remove runAsNonRoot (MK407)`
	const byDefault = `runs as ContainerAdministrator by default, and runAsNonRoot is true: set ` +
		`windowsOptions.runAsUserName to ContainerUser (MK408)`
	const noUser = `securityContext.windowsOptions.runAsUserName: a host-process container should name the user of ` +
		`the node that it runs as: set it to NT AUTHORITY\SYSTEM, to a lesser account, or to the name of a local ` +
		`group (MK515)`
	runPodCases(t, []podCase{
		{
			name: "ContainerAdministrator, in any case",
			spec: onWindows + "securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: " +
				"containeradministrator}}\n" + image,
			want: []string{`error spec.securityContext.windowsOptions.runAsUserName: "containeradministrator": ` +
				refused},
		},
		{
			name: "the container's own user and setting count",
			spec: onWindows + "securityContext: {runAsNonRoot: false, windowsOptions: {runAsUserName: " +
				"ContainerUser}}\ncontainers: [{name: a, image: a, securityContext: {runAsNonRoot: true, " +
				"windowsOptions: {runAsUserName: ContainerAdministrator}}}]\n",
			want: []string{`error spec.containers[0].securityContext.windowsOptions.runAsUserName: ` +
				`"ContainerAdministrator": ` + refused},
		},
		{
			name: "a secret user is not shown",
			spec: onWindows + "securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: " +
				"$secret-ContainerAdministrator}}\n" + image,
			want: []string{`error spec.securityContext.windowsOptions.runAsUserName: [secret]: ` + refused},
		},
		{
			name: "the container allows it",
			spec: onWindows + "securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: " +
				"ContainerAdministrator}}\ncontainers: [{name: a, image: a, securityContext: {runAsNonRoot: false}}]\n",
		},
		{
			name: "a user that is not known",
			spec: onWindows + "securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: $unknown}}\n" +
				container(servercore),
		},
		{
			name: "options that are not known",
			spec: onWindows + "securityContext: {runAsNonRoot: true, windowsOptions: $unknown}\n" +
				container(servercore),
		},
		{
			name: "it is not known whether it must not be root",
			spec: onWindows + "securityContext: {runAsNonRoot: $unknown, windowsOptions: {runAsUserName: " +
				"ContainerAdministrator}}\n" + image,
		},
		{
			name: "Linux pods ignore the user",
			spec: "nodeSelector: {kubernetes.io/os: linux}\nsecurityContext: {runAsNonRoot: true, windowsOptions: " +
				"{runAsUserName: ContainerAdministrator}}\n" + image,
			want: []string{`warning spec.securityContext.windowsOptions.runAsUserName: "ContainerAdministrator": has ` +
				`no effect on Linux, and these are Linux pods: set securityContext.runAsUser` + orWindows + ` (MK528)`},
		},
		{
			name: "the user of Server Core",
			spec: onWindows + "securityContext: {runAsNonRoot: true}\n" + container(servercore),
			want: []string{`warning spec.containers[0].image: "` + servercore + `": ` + byDefault},
		},
		{
			name: "the user of Nano Server",
			spec: onWindows + "securityContext: {runAsNonRoot: true}\n" +
				container("mcr.microsoft.com/windows/nanoserver:ltsc2022"),
		},
		{name: "the user of an unknown image", spec: onWindows + "securityContext: {runAsNonRoot: true}\n" + image},
		{
			name: "a host process without a user",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true}}\n" + image,
			want: []string{"warning spec.containers[0]." + noUser},
		},
		{
			name: "a host process with a user of its own",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: " +
				"true}}\ncontainers: [{name: a, image: a, securityContext: {windowsOptions: {runAsUserName: 'NT " +
				"AUTHORITY\\SYSTEM'}}}]\n",
		},
		{
			name: "a host process whose user is not known",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, " +
				"runAsUserName: $unknown}}\n" + image,
		},
		{
			name: "a host process that must not be root",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {runAsNonRoot: true, windowsOptions: " +
				"{hostProcess: true, runAsUserName: a}}\ncontainers: [{name: a, image: a, securityContext: " +
				"{runAsNonRoot: true}}]\n",
			want: []string{
				`warning spec.containers[0].securityContext.runAsNonRoot: true: must not be set for host-process ` +
					`containers: remove it (MK516)`,
				"warning spec.securityContext.runAsNonRoot: … (MK516)",
			},
		},
		{
			name: "gMSA for an init container",
			spec: onWindows + "initContainers: [{name: a, image: a, securityContext: {windowsOptions: " +
				"{gmsaCredentialSpecName: shop}}}]\n" + image,
			want: []string{
				`warning spec.initContainers[0].securityContext.windowsOptions.gmsaCredentialSpecName: "shop": the ` +
					`gMSA webhook does not look at init containers: set it on the pod (MK517)`,
				`info spec.initContainers[0].securityContext.windowsOptions.gmsaCredentialSpecName: "shop": has an ` +
					`effect only if the gMSA webhook sets the credential spec: make sure that the cluster ` +
					`has it (MK805)`,
			},
		},
		{
			name: "gMSA with its contents",
			spec: onWindows + "initContainers: [{name: a, image: a, securityContext: {windowsOptions: " +
				"{gmsaCredentialSpecName: shop, gmsaCredentialSpec: '{}'}}}]\n" + image,
		},
		{
			name: "gMSA for a container",
			spec: onWindows + "containers: [{name: a, image: a, securityContext: {windowsOptions: " +
				"{gmsaCredentialSpecName: shop}}}]\n",
			want: []string{"info spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: … (MK805)"},
		},
	})
}

func TestVolumesOnWindows(t *testing.T) {
	t.Parallel()
	image := container("shop.example.com/shop:1.4")
	volume := func(source string) string { return "volumes: [{name: v, " + source + "}]\n" }
	mounted := func(more string) string {
		return "containers: [{name: a, image: a, volumeMounts: [{name: v, mountPath: 'C:\\v'" + more + "}]}]\n"
	}
	const noPipe = `: host-process containers cannot mount named pipes and sockets: remove the volume, and open the ` +
		`path of the node itself (MK509)`
	runPodCases(t, []podCase{
		{
			name: "memory", spec: onWindows + volume("emptyDir: {medium: Memory}") + image,
			want: []string{`warning spec.volumes[0].emptyDir.medium: "Memory": is silently replaced with a directory ` +
				`on disk on Windows: remove it (MK502)`},
		},
		{
			name: "huge pages", spec: onWindows + volume("emptyDir: {medium: HugePages-2Mi}") + image,
			want: []string{`error spec.volumes[0].emptyDir.medium: "HugePages-2Mi": Windows has no huge pages for ` +
				`containers: remove it (MK501)`},
		},
		{
			name: "a block device",
			spec: onWindows + "volumes: [{name: v}]\ncontainers: [{name: a, image: a, volumeDevices: [{name: v, " +
				"devicePath: D}]}]",
			want: []string{`error spec.containers[0].volumeDevices: Windows cannot attach block devices to pods: ` +
				`mount a volume with a file system (MK503)`},
		},
		{
			name: "NFS", spec: onWindows + volume("nfs: {server: a, path: /b}") + image,
			want: []string{`error spec.volumes[0].nfs: Windows cannot mount NFS volumes: use an SMB share, with its ` +
				`CSI driver (MK504)`},
		},
		{
			name: "a Secret", spec: onWindows + volume("secret: {secretName: a}") + image,
			want: []string{`info spec.volumes[0].secret: is stored on the disk of a Windows node in clear text: ` +
				`encrypt the node's disk (MK520)`},
		},
		{
			name: "secrets of a vault", spec: onWindows + volume("csi: {driver: secrets-store.csi.k8s.io}") + image,
			want: []string{`info spec.volumes[0].csi: has secrets that are stored on the disk of a Windows node in ` +
				`clear text: encrypt the node's disk (MK520)`},
		},
		{name: "another driver", spec: onWindows + volume("csi: {driver: csi.example.com}") + image},
		{
			name: "a mode", spec: onWindows + volume("projected: {defaultMode: 256}") + image,
			want: []string{`warning spec.volumes[0].projected.defaultMode: 256: has no effect on Windows: remove it ` +
				`(MK513)`},
		},
		{
			name: "modes of single files",
			spec: onWindows + "volumes: [{name: v, configMap: {items: [{mode: 256}, {mode: 420}, {key: a}]}}, {name: " +
				"w, projected: {sources: [{configMap: {name: a}}, {downwardAPI: {items: [{mode: 256}]}}]}}]\n" + image,
			want: []string{
				"warning spec.volumes[0].configMap.items[0].mode: … (MK513)",
				"warning spec.volumes[1].projected.sources[1].downwardAPI.items[0].mode: … (MK513)",
			},
		},
		{
			name: "a projected Secret",
			spec: onWindows + volume("projected: {sources: [{secret: {name: a}}, $unknown]}") + image,
			want: []string{"info spec.volumes[0].projected.sources[0].secret: … (MK520)"},
		},
		{
			name: "a projected certificate",
			spec: onWindows + volume("projected: {sources: [{podCertificate: {signerName: example.com/shop}}, "+
				"{clusterTrustBundle: {name: a}}]}") + image,
			options: preflight.Options{KubernetesVersion: "1.37"},
			want: []string{`info spec.volumes[0].projected.sources[0].podCertificate: has a private key that is ` +
				`stored on the disk of a Windows node in clear text: encrypt the node's disk (MK520)`},
		},
		{
			name: "the mode that the API server sets",
			spec: onWindows + volume("configMap: {name: a, defaultMode: 420}") + image,
		},
		{
			name: "propagation",
			spec: onWindows + volume("emptyDir: {}") + mounted(", mountPropagation: Bidirectional"),
			want: []string{`warning spec.containers[0].volumeMounts[0].mountPropagation: "Bidirectional": Windows ` +
				`always mounts privately: remove it (MK511)`},
		},
		{name: "no propagation", spec: onWindows + volume("emptyDir: {}") + mounted(", mountPropagation: None")},
		{
			name: "a part of a volume", spec: onWindows + volume("emptyDir: {}") + mounted(", subPathExpr: $(POD)"),
			want: []string{`warning spec.containers[0].volumeMounts[0].subPathExpr: "$(POD)": is documented as not ` +
				`supported on Windows; it needs a new containerd: mount the whole volume (MK512)`},
		},
		{name: "a part whose name is empty", spec: onWindows + volume("emptyDir: {}") + mounted(", subPath: ''")},
		{
			name: "a pipe in a host process",
			spec: onWindows + hostProc + volume("hostPath: {path: '//./pipe/a'}") + mounted(""),
			want: []string{`error spec.volumes[0].hostPath: "//./pipe/a"` + noPipe},
		},
		{
			name: "a socket in a host process",
			spec: onWindows + hostProc + volume("hostPath: {path: 'C:\\a.sock', type: Socket}") + mounted(""),
			want: []string{`error spec.volumes[0].hostPath: "C:\\a.sock"` + noPipe},
		},
		{
			name: "a pipe that is not mounted",
			spec: onWindows + hostProc + volume("hostPath: {path: '\\\\.\\pipe\\a'}") + image,
		},
		{
			name: "a pipe in another container works",
			spec: onWindows + volume("hostPath: {path: '\\\\.\\pipe\\a'}") + mounted(""),
		},
		{
			name: "a directory in a host process",
			spec: onWindows + hostProc + volume("hostPath: {path: 'C:\\a'}") + mounted(""),
		},
		{
			name: "what is not known",
			spec: onWindows + "volumes: [$unknown, {name: a, emptyDir: $unknown}, {name: b, emptyDir: {medium: " +
				"$unknown}}, {name: c, configMap: {defaultMode: $unknown}}]\n" +
				"containers: [{name: a, image: a, volumeMounts: $unknown, volumeDevices: $unknown}]\n",
		},
		{
			name: "Linux pods", spec: "nodeSelector: {kubernetes.io/os: linux}\n" +
				strings.Replace(volume("emptyDir: {medium: Memory}")+mounted(", subPath: a"), `C:\v`, "/v", 1),
		},
	})
}

func TestResourcesAndOtherFields(t *testing.T) {
	t.Parallel()
	with := func(more string) string { return "containers: [{name: a, image: a, " + more + "}]\n" }
	runPodCases(t, []podCase{
		{
			name: "a fraction of a byte, on any node",
			spec: with("resources: {limits: {memory: 800m}, requests: {ephemeral-storage: 100m, memory: 1500m}}"),
			want: []string{
				`warning spec.containers[0].resources.limits.memory: "800m": is a fraction of a byte: did you mean ` +
					`800Mi? (MK518)`,
				"warning spec.containers[0].resources.requests.ephemeral-storage: … (MK518)",
				"warning spec.containers[0].resources.requests.memory: … (MK518)",
			},
		},
		{
			name: "a secret fraction is not shown", spec: with("resources: {limits: {memory: $secret-800m}}"),
			want: []string{`warning spec.containers[0].resources.limits.memory: [secret]: is a fraction of a byte: ` +
				`use a whole number of bytes (MK518)`},
		},
		{
			name: "half a byte", spec: with("resources: {limits: {memory: 0.5}}"),
			want: []string{`warning spec.containers[0].resources.limits.memory: 0.5: is a fraction of a byte: use a ` +
				`whole number of bytes (MK518)`},
		},
		{
			name: "whole bytes",
			spec: with(
				"resources: {limits: {memory: 2000m, cpu: 500m, ephemeral-storage: 1G}, requests: {memory: 1000}}",
			),
		},
		{
			name: "huge pages", spec: onWindows +
				with("resources: {requests: {hugepages-2Mi: 4Mi}, limits: {hugepages-1Gi: '0', hugepages-2Mi: 4Mi}}"),
			want: []string{
				"error spec.containers[0].resources.limits[hugepages-2Mi]: … (MK501)",
				"error spec.containers[0].resources.requests[hugepages-2Mi]: … (MK501)",
			},
		},
		{
			name: "a request below the limit", kind: "Deployment",
			spec: onWindows + with("resources: {requests: {memory: 1Gi}, limits: {memory: 2Gi}}"),
		},
		{
			name: "what is not known",
			spec: onWindows + "initContainers: [{name: b, image: b, resources: $unknown}]\n" +
				with("resources: {requests: {memory: $unknown, hugepages-2Mi: $unknown}, limits: {memory: 2Gi}}"),
		},
		{
			name: "the network of the node", spec: onWindows + "hostNetwork: true\n" + with("tty: false"),
			want: []string{`warning spec.hostNetwork: true: has no effect on Windows, except for host-process ` +
				`containers: remove it (MK505)`},
		},
		{
			name: "the network of the node, perhaps for a host process",
			spec: onWindows + "hostNetwork: true\n" + with("securityContext: {windowsOptions: $unknown}"),
		},
		{
			name: "DNS for the network of the node",
			spec: onWindows + "dnsPolicy: ClusterFirstWithHostNet\n" + with("tty: false"),
			want: []string{`warning spec.dnsPolicy: "ClusterFirstWithHostNet": is not supported on Windows: remove ` +
				`it (MK506)`},
		},
		{
			name: "a period of grace", spec: onWindows + "terminationGracePeriodSeconds: 60\n" + with("tty: false"),
			want: []string{`info spec.terminationGracePeriodSeconds: 60: is honored only with containerd (MK510)`},
		},
		{
			name: "a period of grace for host-process containers, which need containerd",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, " +
				"runAsUserName: 'NT AUTHORITY\\SYSTEM'}}\nterminationGracePeriodSeconds: 0\n" + with("tty: false"),
		},
		{
			name: "the default period, and the default path",
			spec: onWindows + "terminationGracePeriodSeconds: 30\n" +
				with("terminationMessagePath: /dev/termination-log"),
		},
		{
			name: "a termination message", spec: onWindows + with("terminationMessagePath: 'C:\\m'"),
			want: []string{`info spec.containers[0].terminationMessagePath: "C:\\m": may not work on Windows, where ` +
				`not every runtime can mount single files: remove it: the default works (MK519)`},
		},
		{
			name: "an overhead without a class", spec: "overhead: {cpu: 1}\n" + with("tty: false"),
			want: []string{`error spec.overhead: only a RuntimeClass gives pods an overhead: the API server refuses ` +
				`these: remove it (MK403)`},
		},
		{
			name: "an overhead with a class",
			spec: "overhead: {cpu: 1}\nruntimeClassName: $unknown\n" + with("tty: false"),
		},
		{
			name: "everything unknown",
			spec: "os: $unknown\nnodeSelector: $unknown\naffinity: $unknown\ntolerations: " +
				"$unknown\nruntimeClassName: $unknown\nsecurityContext: $unknown\nvolumes: $unknown\ncontainers: " +
				"$unknown\noverhead: $unknown\nhostNetwork: $unknown\ndnsPolicy: " +
				"$unknown\nterminationGracePeriodSeconds: $unknown\n", options: mixed("windows-2022"),
		},
	})
}

func TestWorkloadsOnWindowsWithoutAMemoryLimit(t *testing.T) {
	t.Parallel()
	unlimited := func(list string) string {
		return "info spec.template.spec." + list + ".resources.limits.memory: nothing limits the memory that this " +
			"container takes from its node: set a memory limit (MK514)"
	}
	ctr := func(resources string) string {
		return "containers: [{name: shop, image: shop.example.com/shop:1.4, resources: " + resources + "}]\n"
	}
	runPodCases(t, []podCase{
		{
			name: "no resources", kind: "Deployment", spec: onWindows + ctr("{}"),
			want: []string{unlimited("containers[0]")},
		},
		{
			name: "a request", kind: "StatefulSet", spec: onWindows + ctr("{requests: {memory: 1Gi}}"),
			want: []string{unlimited("containers[0]")},
		},
		{
			name: "another limit, in an agent of each node", kind: "DaemonSet",
			spec: onWindows + ctr("{limits: {cpu: 1}}"), want: []string{unlimited("containers[0]")},
		},
		{
			name: "one of several", kind: "ReplicaSet",
			spec: onWindows + "containers: [{name: a, image: a, resources: {limits: {memory: 1Gi}}}, {name: b, " +
				"image: b, resources: {}}]\n",
			want: []string{unlimited("containers[1]")},
		},
		{
			name: "a sidecar, and not what runs before", kind: "Deployment",
			spec: onWindows + "initContainers: [{name: a, image: a}, {name: b, image: b, restartPolicy: Always}, " +
				"{name: c, image: c, restartPolicy: Never}]\n" + ctr("{limits: {memory: 1Gi}}"),
			want: []string{unlimited("initContainers[1]")},
		},
		{name: "a limit", kind: "Deployment", spec: onWindows + ctr("{limits: {memory: 1Gi}}")},
		{name: "a limit that is not known", kind: "Deployment", spec: onWindows + ctr("{limits: {memory: $unknown}}")},
		{name: "limits that are not known", kind: "Deployment", spec: onWindows + ctr("{limits: $unknown}")},
		{name: "resources that are not known", kind: "Deployment", spec: onWindows + ctr("$unknown")},
		{name: "a Job, which ends", kind: "Job", spec: onWindows + ctr("{}")},
		{name: "a Pod, which somebody looks after", spec: onWindows + ctr("{}")},
		{
			name: "host process", kind: "DaemonSet",
			spec: onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, " +
				"runAsUserName: 'NT AUTHORITY\\SYSTEM'}}\n" + ctr("{}"),
		},
		{
			name: "perhaps host process", kind: "DaemonSet",
			spec: onWindows + "securityContext: {windowsOptions: {hostProcess: $unknown}}\n" + ctr("{}"),
		},
		{name: "Linux", kind: "Deployment", spec: "os: {name: linux}\n" + ctr("{}")},
		{name: "unknown pods", kind: "Deployment", spec: ctr("{}")},
	})
}

func TestPathsWithControlCharacters(t *testing.T) {
	t.Parallel()
	const fix = "double each backslash between double quotes, or write the path without quotes"
	pod := func(hostPath, mountPath string) string {
		return `{apiVersion: v1, kind: Pod, spec: {os: {name: windows}, ` +
			`nodeSelector: {kubernetes.io/os: windows}, volumes: [{name: v, hostPath: {path: ` + hostPath + `}}],
			containers: [{name: a, image: shop.example.com/shop, workingDir: C:\shop, ` +
			`volumeMounts: [{name: v, mountPath: ` + mountPath + `}]}]}}`
	}
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{"as they are meant", pod(`C:\etc\foo`, `"C:\\etc\\foo"`), nil},
		{"with slashes", pod(`C:/etc/foo`, `"C:/temp"`), nil},
		{
			"letters that mean control characters", pod(`"C:\etc\foo"`, `"C:\temp\new"`), []string{
				`spec.containers[0].volumeMounts[0].mountPath: "C:\temp\new": has the character U+0009, which \t ` +
					`means between double quotes: ` + fix + `: C:\temp\new (MK521)`,
				`spec.volumes[0].hostPath.path: "C:\x1btc\foo": has the character U+001B, which \e means between ` +
					`double quotes: ` + fix + `: C:\etc\foo (MK521)`,
			},
		},
		{
			"a secret one", pod(`"$secret-C:\temp"`, `C:\shop`),
			[]string{`spec.volumes[0].hostPath.path: [secret]: has the character U+0009, which \t means between ` +
				`double quotes: ` + fix + ` (MK521)`},
		},
		{
			"no letter means it", pod(`"C:\x84"`, `C:\shop`),
			[]string{`spec.volumes[0].hostPath.path: "C:\u0084": has the character U+0084: ` + fix +
				`: C:\u0084 (MK521)`},
		},
		{"letters that mean other characters", pod(`"C:\Program Files\Logs"`, `C:\shop`), []string{
			"spec.volumes[0].hostPath.path: \"C:\\u2029rogram Files\\u2028ogs\": has the character U+2029, which \\P " +
				"means between double quotes: " + fix + `: C:\Program Files\Logs (MK521)`,
		}},
		{"not known", pod(`"$unknown"`, `"$unknown"`), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, tt.object), v136, "MK521", tt.want...)
		})
	}
	wantFindings(t, object(t, strings.ReplaceAll(pod(`"/\etc"`, `"\temp"`), "windows", "linux")), v136, "MK521")
	escaped := func(path, character, letters, intended string) string {
		return path + ": has the character " + character + ", which " + letters + " means between double quotes: " +
			fix + ": " + intended + " (MK521)"
	}
	wantFindings(t, object(t, `{apiVersion: v1, kind: Pod, spec: {volumes: [{name: v, hostPath: {path: "C:\etc"}}],
		containers: [{name: a, image: shop.example.com/shop, command: ["C:\app.exe", "c: \t", "C:\nginx"],
		args: ["-d", "d:\bin"], env: [{name: A, value: "x:\n  y"}, {name: B, value: "C:\temp"}]}]}}`), v136, "MK521",
		escaped(`spec.containers[0].args[1]: "d:\bin"`, "U+0008", `\b`, `d:\bin`),
		escaped(`spec.containers[0].command[0]: "C:\app.exe"`, "U+0007", `\a`, `C:\app.exe`),
		escaped(`spec.containers[0].env[1].value: "C:\temp"`, "U+0009", `\t`, `C:\temp`),
		escaped(`spec.volumes[0].hostPath.path: "C:\x1btc"`, "U+001B", `\e`, `C:\etc`))
	wantFindings(t, object(t,
		`{apiVersion: v1, kind: PersistentVolume, spec: {local: {path: "C:\_shop"}, hostPath: {path: "C:\etc"}}}`),
		v136, "MK521",
		"spec.hostPath.path: \"C:\\x1btc\": has the character U+001B, which \\e means between double quotes: "+fix+
			`: C:\etc (MK521)`,
		"spec.local.path: \"C:\\u00a0shop\": has the character U+00A0, which \\_ means between double quotes: "+fix+
			`: C:\_shop (MK521)`)
}

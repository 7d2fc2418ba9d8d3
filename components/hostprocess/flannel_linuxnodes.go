package hostprocess

import (
	"cmp"
	"strconv"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
)

const (
	// flannelHealth is the port of the node at which flanneld reports its health.
	flannelHealth = 8081
	runFlannel    = "/run/flannel"
	xtablesLock   = "/run/xtables.lock"
	cniPrograms   = "/opt/cni/bin"
	cniConfig     = "/etc/cni/net.d"
)

// flannelLinuxPods returns the pods of flannel on Linux, as in its own manifest
// (https://github.com/flannel-io/flannel/blob/master/Documentation/kube-flannel.yml), except
// that flanneld uses the interface with the node's address, and reaches the API server
// without a Service.
func flannelLinuxPods(a agent, args flannelSpec) corev1.PodSpecArgs {
	image := pulumi.String(cmp.Or(args.Image, DefaultFlannelImage))
	host, port := hostAndPort(args.endpoint)
	config := mount("config", a.mountPath())
	return corev1.PodSpecArgs{
		Os:           corev1.PodOSArgs{Name: pulumi.String(string(platform.LinuxOS))},
		NodeSelector: pulumi.StringMap{k8score.LabelOSStable: pulumi.String(string(platform.LinuxOS))},
		InitContainers: corev1.ContainerArray{
			corev1.ContainerArgs{
				Name:         pulumi.String("install-cni-plugin"),
				Image:        pulumi.String(cmp.Or(args.PluginImage, DefaultFlannelPluginImage)),
				Command:      pulumi.ToStringArray([]string{"cp", "-f", "/flannel", cniPrograms + "/flannel"}),
				VolumeMounts: corev1.VolumeMountArray{mount("cni-programs", cniPrograms)},
			},
			corev1.ContainerArgs{
				Name:  pulumi.String("install-cni"),
				Image: image,
				Command: pulumi.ToStringArray([]string{
					"/opt/bin/install-conf", a.mountPath() + "/cni-conf.json",
					cniConfig + "/10-flannel.conflist",
				}),
				VolumeMounts: corev1.VolumeMountArray{mount("cni-config", cniConfig), config},
			},
		},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String(a.name),
			Image: image,
			Command: pulumi.ToStringArray([]string{
				"/opt/bin/flanneld", "--ip-masq", "--kube-subnet-mgr", "--iface=$(HOST_IP)",
				"--net-config-path=" + a.mountPath() + "/net-conf.json",
				"--healthz-port=" + strconv.Itoa(flannelHealth),
			}),
			Env: corev1.EnvVarArray{
				fromField("NODE_NAME", "spec.nodeName"),
				fromField("HOST_IP", "status.hostIP"),
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_HOST"), Value: host},
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_PORT"), Value: port},
			},
			LivenessProbe:  flannelProbe("/healthz"),
			ReadinessProbe: flannelProbe("/readyz"),
			SecurityContext: corev1.SecurityContextArgs{
				Capabilities: corev1.CapabilitiesArgs{Add: pulumi.ToStringArray([]string{"NET_ADMIN", "NET_RAW"})},
			},
			Resources: corev1.ResourceRequirementsArgs{
				Requests: pulumi.StringMap{"cpu": pulumi.String("100m"), "memory": pulumi.String("50Mi")},
			},
			VolumeMounts: corev1.VolumeMountArray{mount("run", runFlannel), mount("xtables-lock", xtablesLock), config},
		}},
		Volumes: corev1.VolumeArray{
			hostVolume("run", runFlannel, "DirectoryOrCreate"),
			hostVolume("cni-programs", cniPrograms, "DirectoryOrCreate"),
			hostVolume("cni-config", cniConfig, "DirectoryOrCreate"),
			hostVolume("xtables-lock", xtablesLock, "FileOrCreate"),
			a.configVolume(),
		},
	}
}

func flannelProbe(path string) corev1.ProbeArgs {
	return corev1.ProbeArgs{
		HttpGet:             corev1.HTTPGetActionArgs{Path: pulumi.String(path), Port: pulumi.Int(flannelHealth)},
		InitialDelaySeconds: pulumi.Int(10),
		PeriodSeconds:       pulumi.Int(30),
	}
}

func hostVolume(name, path, typ string) corev1.VolumeArgs {
	return corev1.VolumeArgs{
		Name:     pulumi.String(name),
		HostPath: corev1.HostPathVolumeSourceArgs{Path: pulumi.String(path), Type: pulumi.String(typ)},
	}
}

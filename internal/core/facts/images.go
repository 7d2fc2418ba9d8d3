package facts

// An image has its digest if a public source publishes it, so that its tag cannot be moved to another
// image. TestImagesHaveTheirDigest lists the images without a digest.

// HostProcessImage is the base image for host-process containers, with the digest that Azure CNI is built on.
//
//facts:seen 2026-08-20 https://github.com/Azure/azure-container-networking/blob/master/.pipelines/build/dockerfiles/cni.Dockerfile
const HostProcessImage = "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image" +
	":v1.0.0@sha256:b4c9637e032f667c52d1eccfa31ad8c63f1b035e8639f3f48a510536bf34032b"

// FlannelImage and FlannelPluginImage are the images of flannel on Linux nodes, from the release that Windows nodes
// run.
//
//facts:seen 2026-10-08 https://github.com/flannel-io/flannel/blob/master/Documentation/kube-flannel.yml
//facts:released 2026-10-08
const (
	FlannelImage       = "ghcr.io/flannel-io/flannel:v" + Flannel
	FlannelPluginImage = "ghcr.io/flannel-io/flannel-cni-plugin:v" + FlannelPlugin
)

// WindowsExporterImage is built on the base image for host-process containers, like all
// releases since 0.30.
//
//facts:seen 2026-08-07 https://github.com/prometheus-community/windows_exporter/releases
//facts:released 2026-07-22
const WindowsExporterImage = "ghcr.io/prometheus-community/windows-exporter:0.31.8"

// CSIProxyImage is the newest image that SIG Windows publishes; the project itself has newer
// releases, without images.
//
//facts:seen 2026-07-01 https://github.com/kubernetes-sigs/sig-windows-tools/tree/master/hostprocess/csi-proxy
const CSIProxyImage = "ghcr.io/kubernetes-sigs/sig-windows/csi-proxy:v1.1.3"

// NodeProblemDetectorImage is for Windows Server 2022 and newer.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/node-problem-detector/blob/master/docs/release_process.md
//facts:released 2026-07-11
const NodeProblemDetectorImage = "registry.k8s.io/node-problem-detector/node-problem-detector-windows:v1.36.0"

// BusyBoxImage is Kubernetes' own copy, with the digest that its promotion names: the digest of
// the index of all platforms.
//
//facts:seen 2026-07-01 https://github.com/kubernetes/k8s.io/tree/main/registry.k8s.io/images
const BusyBoxImage = "registry.k8s.io/e2e-test-images/busybox:1.36.1-1" +
	"@sha256:a9155b13325b2abef48e71de77bb8ac015412a566829f621d06bfae5c699b1b9"

// GMSAWebhookChart is the version of the chart gmsa, and GMSAWebhookChartCommit a commit of the
// project that has its file charts/repo/gmsa-<version>.tgz.
//
//facts:seen 2026-07-01 https://github.com/kubernetes-sigs/windows-gmsa/commits/master/charts/repo
const (
	GMSAWebhookChart       = "0.13.0"
	GMSAWebhookChartCommit = "17a688ef83311a2a46f4037fb403194e5babd6e2"
)

// UbuntuOffer is the offer of the LTS release in Azure's marketplace that kops installs. An offer of 26.04 exists;
// machines have not been tried with it.
//
//facts:seen 2026-08-22 https://github.com/kubernetes/kops/blob/master/channels/stable
const UbuntuOffer = "ubuntu-24_04-lts"

// LinuxOfficialImages are the Docker official images, docker.io/library/…, that consist of a Linux userland, in
// addition to the distributions that package platform knows: the shells, and bases of other images. Neither does a file
// of theirs in library/ name windows-amd64 or a base image of Windows, nor did an earlier version of it.
//
//facts:seen 2026-08-21 https://github.com/docker-library/official-images/tree/master/library
var LinuxOfficialImages = []string{
	"alt", "bash", "buildpack-deps", "busybox", "cirros", "clefos", "mageia", "neurodebian",
}

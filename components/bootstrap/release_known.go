package bootstrap

import (
	"fmt"
	"strings"
)

// KnownReleases are releases that work together, with the places where their publishers
// have them, and those of their hashes that are known. For Windows most publishers'
// hashes are not: [NodeFiles] says where to read each one that is missing. What you host
// yourself, from `make node-binaries` for example, you put in its place.
//
// The hashes are those that the projects kops and kubespray install from.
func KnownReleases() Releases {
	return Releases{
		Kubernetes: []KubernetesRelease{
			kubernetesRelease("1.34.3",
				"0e759f40bbc717c05227ae3994b77786f58f59ffa0137a34958c6b26fa5bcbbd",
				"f9ce265434d306e59d800b26f3049b8430ba71f815947f4bacdcdc33359417fb",
				"ab60ca5f0fd60c1eb81b52909e67060e3ba0bd27e55a8ac147cbc2172ff14212"),
			kubernetesRelease("1.35.1",
				"e7343310e03ff0d424df4397bdfa4468947d6d1f0f93dac586c1e8d6e4086d5d",
				"8a7ff344eef1bfba88f9a74b3fdc9ea4448c94f1b3cefb8c0aeeaf1f96e05053",
				"36e2f4ac66259232341dd7866952d64a958846470f6a9a6a813b9117bd965207"),
			kubernetesRelease("1.36.1",
				"7efa1780c73d9fb3a464002864e582eb2d15aa691e475eaae323093d08feae14",
				"f35980333a4dae753807345ae359eca03f48f9945855e6a6a6708fe8b3b24038",
				"629d3f410e09bf49b64ae7079f7f0bda1191efed311f7d37fdbab0ad5b0ec2b7"),
		},
		Containerd: Release{"2.3.6", Downloads{
			Linux: Download{
				containerdURL("2.3.6", "linux"),
				"df806bb9b86653ebc94822a7076642ff3c3614324dbc1b511bdf75ac1669b762",
			},
			Windows: Download{URL: containerdURL("2.3.6", "windows")},
		}},
		Runc: Release{"1.4.3", Downloads{
			Linux: Download{
				githubURL("opencontainers/runc", "1.4.3", "runc.amd64"),
				"f6ae8efc0fa40079e1475e97cbe9d1bd3f106a28d6af78a11d9f1bd565515e60",
			},
		}},
		CNIPlugins: Release{"1.9.1", Downloads{
			Linux: Download{
				cniURL("1.9.1", "linux"),
				"b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303",
			},
			Windows: Download{URL: cniURL("1.9.1", "windows")},
		}},
		Flannel: Release{
			"0.28.10",
			Downloads{Windows: Download{URL: githubURL("flannel-io/flannel", "0.28.10", "flanneld.exe")}},
		},
		FlannelPlugin: Release{
			"1.9.1-flannel3",
			Downloads{Windows: Download{URL: githubURL("flannel-io/cni-plugin", "1.9.1-flannel3",
				"flannel-amd64.exe")}},
		},
	}
}

// kubernetesRelease has the hashes of kubelet, kubeadm and kubectl for Linux.
func kubernetesRelease(version, kubelet, kubeadm, kubectl string) KubernetesRelease {
	linux := func(name, hash string) Download {
		return Download{fmt.Sprintf("https://dl.k8s.io/v%s/bin/linux/amd64/%s", version, name), hash}
	}
	windows := func(name string) Download {
		return Download{URL: fmt.Sprintf("https://dl.k8s.io/v%s/bin/windows/amd64/%s.exe", version, name)}
	}
	return KubernetesRelease{
		Version: version,
		Kubelet: Downloads{linux("kubelet", kubelet), windows("kubelet")},
		Kubeadm: Downloads{linux("kubeadm", kubeadm), windows("kubeadm")},
		Kubectl: Downloads{Linux: linux("kubectl", kubectl)},

		KubeProxy: Downloads{Windows: windows("kube-proxy")},
	}
}

func containerdURL(version, system string) string {
	return githubURL("containerd/containerd", version, fmt.Sprintf("containerd-%s-%s-amd64.tar.gz", version, system))
}

func cniURL(version, system string) string {
	return githubURL("containernetworking/plugins", version,
		fmt.Sprintf("cni-plugins-%s-amd64-v%s.tgz", system, version))
}

func githubURL(repository, version, file string) string {
	return fmt.Sprintf("https://github.com/%s/releases/download/v%s/%s", repository, version, file)
}

// hashURL is where the publisher of a file has its hash; "" where that is not known.
func hashURL(url string) string {
	switch {
	case strings.HasPrefix(url, "https://dl.k8s.io/"), strings.Contains(url, "/containernetworking/plugins/"):
		return url + ".sha256"
	case strings.Contains(url, "/containerd/containerd/"):
		return url + ".sha256sum"
	case strings.Contains(url, "/opencontainers/runc/"):
		return url[:strings.LastIndex(url, "/")] + "/runc.sha256sum"
	default:
		return ""
	}
}

package bootstrap

import (
	"embed"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// linuxTexts are the files that are the same on every Linux node, whatever the
// arguments are: scripts and units of systemd.
//
//go:embed linux
var linuxTexts embed.FS

const (
	linuxConfig  = "/etc/mixedkube"
	linuxKubeadm = linuxConfig + "/kubeadm/config.yaml"
	linuxPKI     = linuxConfig + "/pki"

	// linuxKubernetesPKI is where kubeadm has certificates, and bootstrap.sh brings those of
	// linuxPKI.
	linuxKubernetesPKI = "/etc/kubernetes/pki"

	masqueradeNFT = linuxConfig + "/network/masquerade.nft"
	linuxPrograms = "/usr/local/bin"
	systemdUnits  = "/etc/systemd/system"
)

// linuxFiles returns the files of a Linux node. bootstrap.sh, which a unit of systemd runs,
// does the rest. All that a user can pass is in files of data.
func linuxFiles(m machine) []File {
	files := []File{
		constant("/opt/mixedkube/bootstrap.sh"),
		constant(systemdUnits + "/mixedkube-bootstrap.service"),
		constant(systemdUnits + "/mixedkube-bootstrap.path"),
		constant(systemdUnits + "/containerd.service"),
		constant(systemdUnits + "/kubelet.service"),
		constant(systemdUnits + "/kubelet.service.d/10-kubeadm.conf"),
		{Path: "/etc/modules-load.d/mixedkube.conf", Content: linuxText("modules.conf")},
		{Path: "/etc/sysctl.d/99-mixedkube.conf", Content: linuxText("sysctl.conf")},
		{Path: "/etc/containerd/config.toml", Content: containerdConfig(m)},
		{Path: linuxConfig + "/downloads.tsv", Content: downloadsTable(m)},
		{Path: linuxConfig + "/role", Content: linuxRole(m) + "\n"},
		{Path: linuxKubeadm, Content: kubeadmConfig(m), Secret: true},
		{Path: linuxPatches + "/" + kubeletPatchName, Content: kubeletPatch(m)},
	}
	if name, content, ok := m.network.CNIConfig(m.plan); ok {
		files = append(files, File{Path: linuxCNIConfig + "/" + name, Content: content})
	}
	if m.network.Kind.Planned() {
		files = append(files,
			constant("/opt/mixedkube/network.sh"),
			constant(systemdUnits+"/mixedkube-network.service"),
			constant(systemdUnits+"/mixedkube-network.path"),
			constant(systemdUnits+"/mixedkube-network-changed.service"),
			File{Path: linuxConfig + "/network/routes.tsv", Content: routesTable(m)},
			File{Path: masqueradeNFT, Content: masquerade(m.plan.PodCIDR, m.plan.Direct)},
		)
	}
	if m.localEndpoint.IsValid() {
		files = append(files,
			constant("/opt/mixedkube/endpoint.sh"),
			constant(systemdUnits+"/mixedkube-endpoint.service"),
			File{Path: linuxConfig + "/endpoint", Content: m.localEndpoint.String() + "\n"},
		)
	}
	files = append(files, egressFiles(m.network)...)
	if m.ControlPlane {
		files = append(files, apiServerFiles(m)...)
		files = append(files,
			constant("/opt/mixedkube/control-plane.sh"),
			constant("/opt/mixedkube/renew-certificates.sh"),
			constant("/opt/mixedkube/replace-keys.sh"),
			constant(systemdUnits+"/mixedkube-renew-certificates.service"),
			constant(systemdUnits+"/mixedkube-replace-keys.service"),
			constant(systemdUnits+"/mixedkube-renew-certificates.timer"),
		)
	}
	files = append(files, discoveryFiles(m)...)
	files = append(files, m.join.Certificates.files(linuxPKI)...)
	slices.SortFunc(files, byPath)
	return files
}

// linuxRole returns what kubeadm is to do.
func linuxRole(m machine) string {
	if m.first {
		return "init"
	}
	return "join"
}

// constant is one of linuxTexts in its place; scripts are programs.
func constant(path string) File {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return File{Path: path, Content: linuxText(name), Executable: strings.HasSuffix(name, ".sh")}
}

func linuxText(name string) string {
	text, err := linuxTexts.ReadFile("linux/" + name)
	if err != nil {
		panic("bootstrap: " + err.Error())
	}
	return string(text)
}

// downloadsTable lists what the node downloads. kubeadm has the version of the control plane,
// even if the node's kubelet is older: a node must be joined by the kubeadm that the
// cluster was created with
// (https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/#version-skew-policy).
func downloadsTable(m machine) string {
	rows := [][]string{
		downloadRow(m.releases.Containerd.Linux, "/usr/local", "archive"),
		downloadRow(m.releases.Runc.Linux, "/usr/local/sbin/runc", "program"),
		downloadRow(m.releases.CNIPlugins.Linux, linuxCNIPrograms, "archive"),
		downloadRow(m.release.Kubelet.Linux, linuxPrograms+"/kubelet", "program"),
		downloadRow(m.controlPlane.Kubeadm.Linux, linuxPrograms+"/kubeadm", "program"),
	}
	if m.ControlPlane {
		rows = append(rows, downloadRow(m.controlPlane.Kubectl.Linux, linuxPrograms+"/kubectl", "program"))
	}
	return table([]string{"sha256", "address", "destination", "kind"}, rows)
}

func downloadRow(d Download, destination, kind string) []string {
	return []string{d.SHA256, d.URL, destination, kind}
}

// routesTable lists the node's own routes: none where a router has them.
func routesTable(m machine) string {
	var rows [][]string
	for _, route := range m.plan.Routes {
		rows = append(rows, []string{route.Destination.String(), route.NextHop.String()})
	}
	return table([]string{"destination", "next hop"}, rows)
}

// table writes rows for bash to read: fields between tabs, below a comment. A field cannot
// contain a tab or a line end. The check of the releases has refused such addresses; here they
// are escaped as in an address, so that a row always stays a row.
func table(columns []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("# " + strings.Join(columns, "\t") + "\n")
	for _, row := range rows {
		for i, field := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			for _, c := range []byte(field) {
				if c <= ' ' || c >= 0x7f {
					fmt.Fprintf(&b, "%%%02X", c)
				} else {
					b.WriteByte(c)
				}
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// masquerade returns a file for nft: packets of the node's pods to addresses outside of the direct
// ranges leave with the node's address. Declaring the table first lets it be deleted even if it
// does not exist yet. The values are addresses, so they need no escaping.
func masquerade(pods netip.Prefix, direct []netip.Prefix) string {
	var elements string
	if len(direct) > 0 {
		ranges := make([]string, len(direct))
		for i, prefix := range direct {
			ranges[i] = prefix.String()
		}
		elements = "\t\telements = { " + strings.Join(ranges, ", ") + " }\n"
	}
	return fmt.Sprintf(`table ip mixedkube
delete table ip mixedkube
table ip mixedkube {
	set direct {
		type ipv4_addr
		flags interval
		auto-merge
%s	}
	chain postrouting {
		type nat hook postrouting priority srcnat; policy accept;
		ip saddr %s ip daddr != @direct masquerade
	}
}
`, elements, pods)
}

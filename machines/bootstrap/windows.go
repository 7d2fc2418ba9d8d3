package bootstrap

import (
	"embed"
	"path"
	"slices"
	"strings"
)

const (
	// windowsRoot is the directory of the files. Only the system and the administrators
	// may open it.
	windowsRoot = "C:/mixedkube"
	// windowsSettings has all that the scripts need to know about a node.
	windowsSettings = windowsRoot + "/node.json"
	windowsJoin     = windowsRoot + "/kubeadm/join.yaml"

	containerdDir  = "C:/Program Files/containerd"
	containerdFile = containerdDir + "/config.toml"
)

// windowsScripts are the PowerShell code of a node, of Windows PowerShell 5.1, which all
// releases of Windows Server have. It is the same for every node: whatever a user can
// say reaches it as data, never as a part of its text.
//
//go:embed windows/*.ps1
var windowsScripts embed.FS

// nodeScripts are the scripts among the files of a node.
var nodeScripts = []string{"bootstrap.ps1", "common.ps1", "kubelet.ps1", "network.ps1"}

// ownerMark is where the scripts that look whose a directory is have owner.ps1. The one that
// delivers cannot read it as a file: it runs before there are any.
const ownerMark = "%OWNER%\n"

// windowsScript returns the text of a script, with Unix lines however it was checked out.
func windowsScript(name string) string {
	return strings.Replace(windowsSource(name), ownerMark, windowsSource("owner.ps1"), 1)
}

func windowsSource(name string) string {
	text, err := windowsScripts.ReadFile("windows/" + name)
	if err != nil {
		panic(err) // the names are those of embedded files
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// windowsFiles returns the files of a Windows node, in the order of their paths. The script
// bootstrap.ps1 turns the machine into a node with them; [WindowsScript] delivers them and starts it.
func windowsFiles(m machine) []File {
	files := []File{
		{Path: containerdFile, Content: containerdConfig(m)},
		{Path: windowsJoin, Content: kubeadmConfig(m), Secret: true},
		{Path: windowsPatches + "/" + kubeletPatchName, Content: kubeletPatch(m)},
	}
	files = append(files, discoveryFiles(m)...)
	if name, content, ok := m.network.CNIConfig(m.plan); ok {
		files = append(files, File{Path: windowsCNIConfig + "/" + name, Content: content})
	}
	for _, name := range nodeScripts {
		files = append(files, File{Path: path.Join(windowsRoot, name), Content: windowsScript(name)})
	}
	slices.SortFunc(files, byPath)
	files = append(files, File{Path: windowsSettings, Content: windowsSettingsOf(m, files).text()})
	slices.SortFunc(files, byPath)
	for i := range files {
		files[i].Content = strings.ReplaceAll(files[i].Content, "\n", "\r\n")
	}
	return files
}

func byPath(a, b File) int { return strings.Compare(a.Path, b.Path) }

package preflight

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// filesOf are the kinds of volumes whose files have a mode.
var filesOf = [...]string{"configMap", "secret", "projected", "downwardAPI"}

var blockDeviceOnWindows = rule.Rule{
	ID: "MK503", Severity: rule.Error, Title: "a block device on Windows",
	Reason: "The kubelet on Windows cannot map block devices into a pod.",
	Source: "pkg/volume/util/volumepathhandler/volume_path_handler_unsupported.go of Kubernetes 1.36.3; " +
		windowsStorage,
}

// volumes checks the volumes of Windows pods, and how they are mounted.
func (c *check) volumes(p *judged) {
	for i, v := range tree.List(p.Spec["volumes"]) {
		if volume := tree.Map(v); volume != nil {
			c.volume(p, i, volume)
		}
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		c.escaped(ctr.Spec["workingDir"], func() string { return p.In(ctr, "workingDir") })
		if devices := tree.List(ctr.Spec["volumeDevices"]); len(devices) > 0 {
			c.report(blockDeviceOnWindows,
				rule.Problem{
					Path: p.In(ctr, "volumeDevices"), Detail: "Windows cannot attach block devices to pods",
					Fix: "mount a volume with a file system",
				})
		}
		for j, m := range tree.List(ctr.Spec["volumeMounts"]) {
			c.mount(p, ctr, j, tree.Map(m))
		}
	}
}

var memoryVolumeOnWindows = rule.Rule{
	ID: "MK502", Severity: rule.Warning, Title: "an emptyDir in memory on Windows",
	Reason: "The kubelet on Windows silently creates an ordinary directory on the node's disk instead.",
	Source: "pkg/volume/emptydir/empty_dir_unsupported.go of Kubernetes 1.36.3; " + windowsStorage,
}

func (c *check) volume(p *judged, i int, volume map[string]any) {
	if v, ok := volume["emptyDir"]; ok {
		medium := tree.Map(v)["medium"]
		if text, _ := tree.Text(medium); text == string(corev1.StorageMediumMemory) {
			c.report(memoryVolumeOnWindows, rule.Problem{
				Path: p.Path("volumes", i, "emptyDir", "medium"), Value: medium,
				Detail: "is silently replaced with a directory on disk on Windows", Fix: "remove it",
			})
		}
	}
	c.hostPath(p, i, tree.Map(volume["hostPath"]))
	c.escaped(tree.Map(volume["hostPath"])["path"], func() string { return p.Path("volumes", i, "hostPath", "path") })
	c.pipe(p, i, volume)
	c.files(p, volume, "volumes", i)
	projected := tree.Map(volume["projected"])
	for j, v := range tree.List(projected["sources"]) {
		if source := tree.Map(v); source != nil {
			c.files(p, source, "volumes", i, "projected", "sources", j)
		}
	}
}

var secretVolumeOnWindows = rule.Rule{
	ID: "MK520", Severity: rule.Info, Title: "a Secret volume on Windows",
	Reason: "The kubelet on Windows writes the Secret to the node's disk in clear text, because Windows has no file " +
		"system in memory.",
	Source: "https://kubernetes.io/docs/concepts/security/windows-security/#protection-for-secret-data-on-nodes",
}

// files checks the files of a volume, or of a source of a projected one.
func (c *check) files(p *judged, from map[string]any, at ...any) {
	path := func(keys ...any) string { return p.Path(slices.Concat(at, keys)...) }
	if pods.IsSet(from, "secret") {
		c.report(secretVolumeOnWindows,
			rule.Problem{
				Path: path("secret"), Detail: "is stored on the disk of a Windows node in clear text",
				Fix: "encrypt the node's disk",
			})
	}
	for _, kind := range filesOf {
		source := tree.Map(from[kind])
		if source == nil {
			continue
		}
		c.mode(source["defaultMode"], path(kind, "defaultMode"))
		for k, item := range tree.List(source["items"]) {
			c.mode(tree.Map(item)["mode"], path(kind, "items", k, "mode"))
		}
	}
}

var fileModeOnWindows = rule.Rule{
	ID: "MK513", Severity: rule.Warning, Title: "file modes on Windows",
	Reason: "Windows files have access control lists instead: the mode has no effect, and every user in the " +
		"container can read the file.",
	Source: windowsStorage,
}

func (c *check) mode(v any, path string) {
	if mode, ok := tree.Int(v); ok && mode != defaultMode {
		c.report(fileModeOnWindows,
			rule.Problem{Path: path, Value: v, Detail: "has no effect on Windows", Fix: "remove it"})
	}
}

var pipeInHostProcess = rule.Rule{
	ID: "MK509", Severity: rule.Error, Title: "a named pipe or socket mounted into a host-process container",
	Reason: "Host-process containers use the node's own pipes and sockets directly, and cannot mount them.",
	Source: hostProcessGuide + "#limitations",
}

// pipe reports named pipes and sockets of the node that are mounted into a host-process container.
func (c *check) pipe(p *judged, i int, volume map[string]any) {
	host := tree.Map(volume["hostPath"])
	if host == nil || !p.HostProcess() {
		return
	}
	path, _ := tree.Text(host["path"])
	kind, _ := tree.Text(host["type"])
	name, named := tree.Text(volume["name"])
	if !named || !p.mounts(name) || kind != string(corev1.HostPathSocket) && !isPipe(path) {
		return
	}
	c.report(pipeInHostProcess, rule.Problem{
		Path: p.Path("volumes", i, "hostPath"), Value: host["path"],
		Detail: "host-process containers cannot mount named pipes and sockets",
		Fix:    "remove the volume, and open the path of the node itself",
	})
}

func isPipe(path string) bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(path, "/", `\`)), `\\.\pipe\`)
}

// mounts reports whether a container mounts the volume.
func (p *judged) mounts(volume string) bool {
	for i := range p.Containers {
		for _, m := range tree.List(p.Containers[i].Spec["volumeMounts"]) {
			if name, ok := tree.Text(tree.Map(m)["name"]); ok && name == volume {
				return true
			}
		}
	}
	return false
}

// escapes maps characters to the letter that follows a backslash to write them in a double-quoted YAML string:
// https://yaml.org/spec/1.2.2/#57-escaped-characters.
var escapes = map[rune]string{
	0: `\0`, '\a': `\a`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`, 0x1b: `\e`,
	0x85: `\N`, 0xa0: `\_`, 0x2028: `\L`, 0x2029: `\P`,
}

func isEscape(r rune) bool { return unicode.IsControl(r) || escapes[r] != "" }

var controlCharacterInPath = rule.Rule{
	ID: "MK521", Severity: rule.Error, Title: "a control character in a path on Windows",
	Reason: "No path on Windows can contain one. It comes from a backslash between double quotes, where \\e, \\f, " +
		"\\t and others mean control characters in YAML, and in Go.",
	Source: "https://learn.microsoft.com/windows/win32/fileio/naming-a-file",
}

// escaped reports such characters and other control characters in a path, where a backslash and a letter were intended.
func (c *check) escaped(v any, path func() string) {
	text, _ := tree.Text(v)
	i := strings.IndexFunc(text, isEscape)
	if i < 0 {
		return
	}
	first, _ := utf8.DecodeRuneInString(text[i:])
	found := rule.Problem{
		Path: path(), Value: v, Detail: fmt.Sprintf("has the character %U", first),
		Fix: "double each backslash between double quotes, or write the path without quotes",
	}
	if letters, ok := escapes[first]; ok {
		found.Detail += ", which " + letters + " means between double quotes"
	}
	if _, secret := v.(Secret); !secret {
		found.Fix += ": " + unescaped(text)
	}
	c.report(controlCharacterInPath, found)
}

// persistentVolume checks the paths on the nodes.
func (c *check) persistentVolume() {
	spec := tree.Map(c.object["spec"])
	for _, source := range [...]string{"local", "hostPath"} {
		c.escaped(tree.Map(spec[source])["path"], func() string { return "spec." + source + ".path" })
	}
}

// unescaped returns a path as it was intended.
func unescaped(text string) string {
	var unescaped strings.Builder
	for _, r := range text {
		if letters, ok := escapes[r]; ok {
			unescaped.WriteString(letters)
		} else {
			unescaped.WriteRune(r)
		}
	}
	return unescaped.String()
}

var (
	mountPropagationOnWindows = rule.Rule{
		ID: "MK511", Severity: rule.Warning, Title: "mountPropagation on Windows",
		Reason: "Windows has no mount propagation: the kubelet silently mounts privately.",
		Source: "pkg/kubelet/kubelet_pods.go of Kubernetes 1.36.3, translateMountPropagation",
	}
	subPathOnWindows = rule.Rule{
		ID: "MK512", Severity: rule.Warning, Title: "subPath or subPathExpr on Windows",
		Reason: "Kubernetes documents subPath as not supported on Windows; newer versions of containerd support it. " +
			"Volumes of host-process containers are bound into the file system of the node, and are not checked.",
		Source: windowsStorage,
	}
)

func (c *check) mount(p *judged, ctr *pods.Container, i int, mount map[string]any) {
	c.escaped(mount["mountPath"], func() string { return p.In(ctr, "volumeMounts", i, "mountPath") })
	if propagation, ok := tree.Text(mount["mountPropagation"]); ok && propagation != "" &&
		propagation != string(corev1.MountPropagationNone) {
		c.report(mountPropagationOnWindows, rule.Problem{
			Path: p.In(ctr, "volumeMounts", i, "mountPropagation"), Value: mount["mountPropagation"],
			Detail: "Windows always mounts privately", Fix: "remove it",
		})
	}
	for _, name := range [...]string{"subPath", "subPathExpr"} {
		if v, ok := mount[name]; ok && v != nil && v != "" && !p.HostProcess() {
			c.report(subPathOnWindows, rule.Problem{
				Path: p.In(ctr, "volumeMounts", i, name), Value: v,
				Detail: "is documented as not supported on Windows; it needs a new containerd",
				Fix:    "mount the whole volume",
			})
		}
	}
}

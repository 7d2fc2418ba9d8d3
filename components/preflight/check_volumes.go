package preflight

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// filesOf are the kinds of volumes whose files have a mode.
var filesOf = [...]string{"configMap", "secret", "projected", "downwardAPI"}

// volumes checks the volumes of Windows pods, and how they are mounted.
func (c *check) volumes(p *pods) {
	for i, v := range tree.List(p.spec["volumes"]) {
		if volume := tree.Map(v); volume != nil {
			c.volume(p, i, volume)
		}
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		c.escaped(p.in(ctr, "workingDir"), ctr.spec["workingDir"])
		if devices := tree.List(ctr.spec["volumeDevices"]); len(devices) > 0 {
			c.report("MK503", problem{path: p.in(ctr, "volumeDevices"), detail: "Windows cannot attach block devices to pods", fix: "mount a volume with a file system"})
		}
		for j, m := range tree.List(ctr.spec["volumeMounts"]) {
			c.mount(p, ctr, j, tree.Map(m))
		}
	}
}

func (c *check) volume(p *pods, i int, volume map[string]any) {
	if v, ok := volume["emptyDir"]; ok {
		medium := tree.Map(v)["medium"]
		switch text, _ := tree.Text(medium); {
		case text == string(corev1.StorageMediumMemory):
			c.report("MK502", problem{
				path: p.path("volumes", i, "emptyDir", "medium"), value: medium,
				detail: "is silently a directory on disk on Windows", fix: "remove it",
			})
		case strings.HasPrefix(text, string(corev1.StorageMediumHugePages)):
			c.report("MK501", problem{
				path: p.path("volumes", i, "emptyDir", "medium"), value: medium,
				detail: "Windows has no huge pages for containers", fix: "remove it",
			})
		}
	}
	if isSet(volume, "nfs") {
		c.report("MK504", problem{path: p.path("volumes", i, "nfs"), detail: "Windows cannot mount NFS volumes", fix: "use an SMB share, with its CSI driver"})
	}
	c.escaped(p.path("volumes", i, "hostPath", "path"), tree.Map(volume["hostPath"])["path"])
	c.pipe(p, i, volume)
	c.files(p, volume, "volumes", i)
	projected := tree.Map(volume["projected"])
	for j, v := range tree.List(projected["sources"]) {
		if source := tree.Map(v); source != nil {
			c.files(p, source, "volumes", i, "projected", "sources", j)
		}
	}
}

// files checks the files that a volume, or a source of a projected one, brings.
func (c *check) files(p *pods, from map[string]any, at ...any) {
	path := func(keys ...any) string { return p.path(slices.Concat(at, keys)...) }
	if isSet(from, "secret") {
		c.report("MK520", problem{path: path("secret"), detail: "lies on the disk of a Windows node in clear text", fix: "encrypt the node's disk"})
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

func (c *check) mode(v any, path string) {
	if mode, ok := tree.Int(v); ok && mode != defaultMode {
		c.report("MK513", problem{path: path, value: v, detail: "has no effect on Windows", fix: "remove it"})
	}
}

// pipe finds named pipes and sockets of the node that are mounted into a
// host-process container.
func (c *check) pipe(p *pods, i int, volume map[string]any) {
	host := tree.Map(volume["hostPath"])
	if host == nil || !p.hostProcess() {
		return
	}
	path, _ := tree.Text(host["path"])
	kind, _ := tree.Text(host["type"])
	name, named := tree.Text(volume["name"])
	if !named || !p.mounts(name) || kind != string(corev1.HostPathSocket) && !isPipe(path) {
		return
	}
	c.report("MK509", problem{
		path: p.path("volumes", i, "hostPath"), value: host["path"],
		detail: "host-process containers cannot mount named pipes and sockets", fix: "remove the volume, and open the path of the node itself",
	})
}

func isPipe(path string) bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(path, "/", `\`)), `\\.\pipe\`)
}

// mounts says whether a container mounts the volume.
func (p *pods) mounts(volume string) bool {
	for i := range p.containers {
		for _, m := range tree.List(p.containers[i].spec["volumeMounts"]) {
			if name, ok := tree.Text(tree.Map(m)["name"]); ok && name == volume {
				return true
			}
		}
	}
	return false
}

// escapes are the characters that a letter after a backslash means, between double quotes
// in YAML: https://yaml.org/spec/1.2.2/#57-escaped-characters.
var escapes = map[rune]string{
	0: `\0`, '\a': `\a`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`, 0x1b: `\e`,
	0x85: `\N`, 0xa0: `\_`, 0x2028: `\L`, 0x2029: `\P`,
}

func isEscape(r rune) bool { return unicode.IsControl(r) || escapes[r] != "" }

// escaped finds such characters in a path, and other control characters: what was meant is a backslash and a letter.
func (c *check) escaped(path string, v any) {
	text, _ := tree.Text(v)
	i := strings.IndexFunc(text, isEscape)
	if i < 0 {
		return
	}
	first, _ := utf8.DecodeRuneInString(text[i:])
	found := problem{path: path, value: v, detail: fmt.Sprintf("has the character %U", first), fix: "double each backslash between double quotes, or write the path without quotes"}
	if letters, ok := escapes[first]; ok {
		found.detail += ", which " + letters + " means between double quotes"
	}
	if _, secret := v.(Secret); !secret {
		found.fix += ": " + unescaped(text)
	}
	c.report("MK521", found)
}

// persistentVolume checks the paths on the nodes.
func (c *check) persistentVolume() {
	spec := tree.Map(c.object["spec"])
	for _, source := range [...]string{"local", "hostPath"} {
		c.escaped("spec."+source+".path", tree.Map(spec[source])["path"])
	}
}

// unescaped is a path as it was meant.
func unescaped(text string) string {
	var meant strings.Builder
	for _, r := range text {
		if letters, ok := escapes[r]; ok {
			meant.WriteString(letters)
		} else {
			meant.WriteRune(r)
		}
	}
	return meant.String()
}

func (c *check) mount(p *pods, ctr *container, i int, mount map[string]any) {
	c.escaped(p.in(ctr, "volumeMounts", i, "mountPath"), mount["mountPath"])
	if propagation, ok := tree.Text(mount["mountPropagation"]); ok && propagation != "" && propagation != string(corev1.MountPropagationNone) {
		c.report("MK511", problem{
			path: p.in(ctr, "volumeMounts", i, "mountPropagation"), value: mount["mountPropagation"],
			detail: "Windows mounts privately always", fix: "remove it",
		})
	}
	for _, name := range [...]string{"subPath", "subPathExpr"} {
		if v, ok := mount[name]; ok && v != nil && v != "" {
			c.report("MK512", problem{
				path: p.in(ctr, "volumeMounts", i, name), value: v,
				detail: "is documented as not supported on Windows; it needs a new containerd", fix: "mount the whole volume",
			})
		}
	}
}

package collection

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// share is the location of an SMB volume.
type share struct{ driver, host, path string }

// shareOf returns the share of a volume. It returns false for a volume that is not a share or is unknown. If only a
// Secret names an account of Azure, the name of the Secret is used.
func shareOf(volume map[string]any) (share, bool) {
	csi := tree.Map(tree.At(volume, "spec", "csi"))
	driver, _ := tree.Text(csi["driver"])
	attributes := tree.Map(csi["volumeAttributes"])
	// The drivers ignore the case of attribute names. Which one of two spellings counts is not defined.
	text := func(key string) string {
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			if strings.EqualFold(name, key) {
				value, _ := tree.Text(attributes[name])
				return strings.ToLower(value)
			}
		}
		return ""
	}
	switch driver {
	case "smb.csi.k8s.io":
		source := strings.Trim(strings.ReplaceAll(text("source"), `\`, "/"), "/")
		return share{driver: driver, path: source + "/" + text("subdir")}, source != ""
	case "file.csi.azure.com":
		host := strings.Trim(text("server")+" "+text("storageaccount"), " ")
		if host == "" {
			host, _ = secretOf(csi)
		}
		return share{driver, host, text("sharename")}, text("sharename") != "" && host != ""
	}
	return share{}, false
}

// secretOf returns the name of the Secret with the user of a volume, or "" if there is none. It returns false if the
// name is unknown.
func secretOf(csi map[string]any) (string, bool) {
	secret := tree.Map(csi["nodeStageSecretRef"])
	name, _ := tree.Text(secret["name"])
	namespace, _ := tree.Text(secret["namespace"])
	known := !tree.IsUnknown(csi["nodeStageSecretRef"]) && !tree.IsUnknown(secret["name"]) &&
		!tree.IsUnknown(secret["namespace"])
	if name == "" {
		return "", known
	}
	return namespace + "/" + name, known
}

// shared is a PersistentVolume on a share.
type shared struct {
	share

	name   any
	handle string
	// user is the Secret with the user, and userKnown is whether it is known.
	user      string
	userKnown bool
}

// sharedOf reads a volume. It returns false for a volume that is not a share or is unknown.
func sharedOf(volume map[string]any) (shared, bool) {
	csi := tree.Map(tree.At(volume, "spec", "csi"))
	s := shared{name: tree.At(volume, "metadata", "name")}
	var is, known bool
	s.share, is = shareOf(volume)
	s.handle, known = tree.Text(csi["volumeHandle"])
	s.user, s.userKnown = secretOf(csi)
	return s, is && known
}

// shares returns the volumes on shares, sorted by name.
func (s *Storage) shares() []shared {
	var all []shared
	for _, name := range slices.Sorted(maps.Keys(s.volumes)) {
		if volume, is := sharedOf(s.volumes[name].tree()); is {
			all = append(all, volume)
		}
	}
	return all
}

// mountedOnWindows returns the names of the volumes whose claims Windows pods mount.
func (c *Collection) mountedOnWindows() map[string]bool {
	mounted := map[string]bool{}
	for _, w := range c.workloads {
		if !w.hasNamespace || w.os != platform.WindowsOS {
			continue
		}
		for _, claim := range w.claims {
			key := claimKey(w.namespace, claim)
			bound, _ := tree.Text(tree.At(c.disks.claims[key].tree(), "spec", "volumeName"))
			claimed, _ := tree.Text(tree.At(c.disks.claimed[key].tree(), "metadata", "name"))
			mounted[bound], mounted[claimed] = true, true
		}
	}
	return mounted
}

// SameShare returns the name of the first PersistentVolume that a node would connect to the share of a PersistentVolume
// in another way: with another handle, or as another user. It returns nil if there is none.
func (o *Object) SameShare() any {
	return o.firstShared(func(own, other *shared) bool {
		anotherUser := own.userKnown && other.userKnown && other.user != own.user
		return other.share == own.share && (other.handle != own.handle || anotherUser)
	})
}

// SameHandle returns the name of the first PersistentVolume of the same driver that has the handle of a
// PersistentVolume and another share. It returns nil if there is none.
func (o *Object) SameHandle() any {
	return o.firstShared(func(own, other *shared) bool {
		return other.driver == own.driver && other.path != own.path && other.handle == own.handle
	})
}

func (o *Object) firstShared(conflicts func(own, other *shared) bool) any {
	own, is := sharedOf(o.Tree)
	if !is {
		return nil
	}
	all := o.others.shares()
	i := slices.IndexFunc(all, func(other shared) bool { return conflicts(&own, &other) })
	if i < 0 {
		return nil
	}
	return all[i].name
}

// MountedOnWindows reports whether Windows pods mount the claim of a PersistentVolume.
func (o *Object) MountedOnWindows() bool {
	name, _ := tree.Text(tree.At(o.Tree, "metadata", "name"))
	return name != "" && o.others.mounted()[name]
}

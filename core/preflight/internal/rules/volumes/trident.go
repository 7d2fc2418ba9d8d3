package volumes

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// trident is the CSI driver of NetApp, which mounts SMB shares on Windows.
const trident = "csi.trident.netapp.io"

// tridentParameter is the prefix that Trident removes from the parameters of a class.
const tridentParameter = "trident.netapp.io/"

// nfsOfTrident reports whether Trident provisions NFS volumes for a class with known parameters, or may do so: without
// nasType it takes any backend, and a backend has NFS volumes by default. A class that names its backends may leave it
// to them.
func nfsOfTrident(parameters map[string]any) (Unmountable, bool) {
	const fix = "set " + tridentParameter + "nasType to smb"
	named := false
	for _, prefix := range [...]string{tridentParameter, ""} {
		if key := prefix + "nasType"; parameters[key] != nil {
			text, _ := tree.Text(parameters[key])
			return Unmountable{
				Obstacle: NFS, Field: []any{key}, Value: parameters[key], Fix: fix,
				Detail: "Windows cannot mount NFS volumes of Trident",
			}, strings.EqualFold(text, "nfs")
		}
		for _, key := range [...]string{"selector", "storagePools", "additionalStoragePools"} {
			named = named || parameters[prefix+key] != nil
		}
	}
	return Unmountable{
		Obstacle: NFS, Severity: rule.Warning, Fix: fix,
		Detail: "Trident may provision NFS volumes for it, because nasType is not set",
	}, !named
}

package collection

import (
	"hash/maphash"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// identity is the group, the kind, the namespace and the name of an object, hashed: a collection has tens of thousands
// of objects. It is 0 for an object without a name, and if a part is not known.
type identity uint64

var seed = maphash.MakeSeed()

func identityOf(object map[string]any) identity {
	version, hasVersion := tree.Text(object["apiVersion"])
	kind, hasKind := tree.Text(object["kind"])
	name, hasName := tree.Text(tree.At(object, "metadata", "name"))
	namespace, hasNamespace := subject.Namespace(object)
	if !hasVersion || !hasKind || !hasName || !hasNamespace || name == "" || isHook(object) ||
		placeholder.In(name) || placeholder.In(namespace) {
		return 0
	}
	group, _, grouped := strings.Cut(version, "/")
	if !grouped {
		group = ""
	}
	return identity(maphash.Comparable(seed, [4]string{group, kind, namespace, name}))
}

// isHook reports whether Helm or Argo CD creates an object only for a while: several may have the same name.
func isHook(object map[string]any) bool {
	annotations := tree.At(object, "metadata", "annotations")
	return tree.At(annotations, "helm.sh/hook") != nil || tree.At(annotations, "argocd.argoproj.io/hook") != nil
}

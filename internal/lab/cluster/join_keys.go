package cluster

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
)

// keyPairs are the files that the machines of a control plane share, by kubeadm's names for
// them. kubeadm creates missing pairs, but does not complete a pair: it treats a sa.key without
// sa.pub as both, and the API server does not start.
var keyPairs = []struct{ name, public, private string }{
	{"CA", "ca.crt", "ca.key"},
	{"service account", "sa.pub", "sa.key"},
	{"front-proxy CA", "front-proxy-ca.crt", "front-proxy-ca.key"},
	{"etcd CA", "etcd/ca.crt", "etcd/ca.key"},
}

// checkPairs checks the keys of the first machine.
func checkPairs(keys map[string]string) error {
	for _, pair := range keyPairs {
		for _, two := range [][2]string{{pair.public, pair.private}, {pair.private, pair.public}} {
			if keys[two[0]] != "" && keys[two[1]] == "" {
				return fmt.Errorf("failure loading files for %s: there is %s, but no %s", pair.name, two[0], two[1])
			}
		}
	}
	return nil
}

// checkShared checks the keys of a further machine of the control plane, on which kubeadm creates none of the
// files.
func (j JoinRequest) checkShared() error {
	var missing, other []string
	for _, pair := range keyPairs {
		for _, file := range []string{pair.public, pair.private} {
			switch {
			case j.Bootstrap.Keys[file] == "":
				missing = append(missing, file)
			case !sameKeys(j.Bootstrap.Keys[file], j.first(file)):
				other = append(other, file)
			}
		}
	}
	if missing != nil {
		return fmt.Errorf("one or more conditions for hosting a new control plane instance is not satisfied: "+
			"couldn't load %s in /etc/kubernetes/pki",
			strings.Join(missing, ", "))
	}
	if other != nil {
		return fmt.Errorf("the control plane does not come up: the first machine has something else in %s",
			strings.Join(other, ", "))
	}
	return nil
}

// first returns a file of the first machine, or of this machine if the first one is not known.
func (j JoinRequest) first(file string) string {
	switch {
	case j.ControlPlane != nil:
		return j.ControlPlane.Keys[file]
	case file == "ca.crt":
		return j.CACert
	default:
		return j.Bootstrap.Keys[file]
	}
}

// sameKeys reports whether two texts in PEM have the same blocks. A text without blocks is not the
// same as any other.
func sameKeys(a, b string) bool {
	return len(blocks(a)) > 0 &&
		slices.EqualFunc(blocks(a), blocks(b),
			func(x, y *pem.Block) bool { return x.Type == y.Type && bytes.Equal(x.Bytes, y.Bytes) })
}

func blocks(text string) []*pem.Block {
	var all []*pem.Block
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return all
		}
		all = append(all, block)
	}
}

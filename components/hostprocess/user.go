package hostprocess

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// User is the account of host-process containers on their node: [System], [LocalService] or
// [NetworkService], or the name of a local group. Other spellings that Windows has for the accounts
// mean the same. With a group, the containers run as an account that is created for them and is in
// the group
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/#choosing-a-user-account).
type User string

// The accounts that every node has.
const (
	// System may do everything on the node.
	System User = `NT AUTHORITY\SYSTEM`
	// LocalService can change little on the node, and is anonymous on the network. It may read
	// what BUILTIN\Users may: unless the directory's access control list says otherwise, the
	// volumes of all pods of the node below C:\var\lib\kubelet too, with their Secrets and
	// tokens, which Windows has as plain files
	// (https://kubernetes.io/docs/concepts/security/windows-security/#protection-for-secret-data-on-nodes).
	// It does not isolate the program: run only programs that may see all of the node's pods.
	LocalService User = `NT AUTHORITY\Local service`
	// NetworkService is like LocalService, and is the node on the network.
	NetworkService User = `NT AUTHORITY\NetworkService`
)

// constants are the accounts as Go programs name them.
const constants = "hostprocess.System, hostprocess.LocalService or hostprocess.NetworkService in Go"

// spelled returns the name of a user in the spelling that the nodes need: they compare the domain with case.
func spelled(name string) string { return cmp.Or(pods.HostAccount(name), name) }

// account returns the name of a user as spelled does, and whether containers can run as it. Whether it is well formed,
// package preflight knows.
func account(name string, path *field.Path) (string, field.ErrorList) {
	name = spelled(name)
	if problem, fix := pods.HostAccountProblem(name); problem != "" {
		return name, field.ErrorList{field.Invalid(path, name, problem+": "+fix+" ("+constants+")")}
	}
	return name, nil
}

// Containerd is the release of containerd on the Windows nodes, to the extent that it decides
// the paths of mounts in host-process containers.
type Containerd string

// The releases.
const (
	// Containerd17 is 1.7 and all that came after it: what is mounted is at its path. It is
	// the default.
	Containerd17 Containerd = "1.7"
	// Containerd16 is 1.6: what is mounted is below the directory of the container.
	Containerd16 Containerd = "1.6"
)

// Path returns where a container finds what is mounted at mountPath, or a file in it: for the
// words of its command and args, in which containerd fills in the directory of a container
// (https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/#volume-mounts).
// A mountPath without a drive is on C:.
func (c Containerd) Path(mountPath string) string {
	path := strings.ReplaceAll(mountPath, "/", `\`)
	if len(path) > 1 && path[1] == ':' {
		if c != Containerd16 {
			return path
		}
		path = path[2:]
	}
	if !strings.HasPrefix(path, `\`) {
		path = `\` + path
	}
	if c == Containerd16 {
		return `$env:CONTAINER_SANDBOX_MOUNT_POINT` + path
	}
	return "C:" + path
}

func (c Containerd) check(path *field.Path) field.ErrorList {
	switch c {
	case "", Containerd16, Containerd17:
		return nil
	}
	return field.ErrorList{field.Invalid(path, string(c), "must be 1.6, or 1.7 for containerd 1.7 and newer")}
}

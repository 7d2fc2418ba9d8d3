package platform

// OS is an operating system, in the words of the node label
// kubernetes.io/os and of spec.os.name. The zero value means unknown.
type OS string

// The operating systems that a Kubernetes node can have.
const (
	LinuxOS   OS = "linux"
	WindowsOS OS = "windows"
)

package platform

// OS is an operating system, with the values of the node label kubernetes.io/os and of spec.os.name. The zero value
// means unknown.
type OS string

// The operating systems that a Kubernetes node can have.
const (
	// LinuxOS is Linux, of any distribution.
	LinuxOS OS = "linux"
	// WindowsOS is Windows, of any release.
	WindowsOS OS = "windows"
)

// DisplayName returns the usual name: "Windows" or "Linux". An unknown system counts as Linux.
func (o OS) DisplayName() string {
	if o == WindowsOS {
		return "Windows"
	}
	return "Linux"
}

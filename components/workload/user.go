package workload

// User is the user of Windows that containers run as, windowsOptions.runAsUserName:
// one of the image, or DOMAIN\user, as NT AUTHORITY\SYSTEM for host-process
// containers. Upper and lower case are the same. What a name may look like is said at
// https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/.
type User string

// Users that all Windows images have
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-security).
const (
	// ContainerAdministrator may do everything in its container. Images with Server
	// Core run as it unless they say otherwise. The kubelet does not start it where
	// runAsNonRoot is true.
	ContainerAdministrator User = "ContainerAdministrator"
	// ContainerUser has few rights. Images with Nano Server run as it unless they say
	// otherwise.
	ContainerUser User = "ContainerUser"
)

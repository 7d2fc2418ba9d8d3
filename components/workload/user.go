package workload

// User is the Windows user that containers run as, windowsOptions.runAsUserName. It belongs to the image, or is
// DOMAIN\user, such as NT AUTHORITY\SYSTEM for host-process containers. Upper and lower case are the same, except
// for the domain NT AUTHORITY of host-process containers. The rules for names are at
// https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/.
type User string

// These users exist in all Windows images
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-security).
const (
	// ContainerAdministrator has all rights in its container. Images with Server Core run as it by default. The kubelet
	// does not start it if runAsNonRoot is true.
	ContainerAdministrator User = "ContainerAdministrator"
	// ContainerUser has few rights. Images with Nano Server run as it by default.
	ContainerUser User = "ContainerUser"
)

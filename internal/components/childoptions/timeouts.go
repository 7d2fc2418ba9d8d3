package childoptions

import (
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// WindowsStart is the time that pods on Windows may take to start before Pulumi gives up. Its provider waits 10
// minutes, and a node that has not yet pulled a base image of Windows needs longer: Server Core has gigabytes, and
// unpacking them takes longer than the download
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images).
const WindowsStart = 30 * time.Minute

// Start returns the timeouts of an object whose pods may take that long to start.
func Start(d time.Duration) pulumi.CustomTimeouts {
	text := strings.TrimSuffix(d.String(), "m0s")
	if text != d.String() {
		text += "m"
	}
	return pulumi.CustomTimeouts{Create: text, Update: text}
}

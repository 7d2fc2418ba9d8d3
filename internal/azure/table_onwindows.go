package azure

import "github.com/mixedkube/mixedkube/components/preflight"

// poolOnWindowsRules are about options of a pool that Windows nodes do not have.
var poolOnWindowsRules = []preflight.Rule{
	{
		ID: "MK741", Severity: preflight.Error, Title: "trusted launch on a Windows pool",
		Reason: "Secure boot and a virtual TPM are for Linux nodes only.",
		Source: aks + "use-trusted-launch",
	},
	{
		ID: "MK742", Severity: preflight.Error, Title: "artifact streaming on a Windows pool",
		Reason: "Images are streamed to Linux nodes only.",
		Source: aks + "artifact-streaming",
	},
	{
		ID: "MK743", Severity: preflight.Error, Title: "GPU partitions on a Windows pool",
		Reason: "Multi-instance GPUs are for Linux nodes only.",
		Source: aks + "gpu-multi-instance",
	},
	{
		ID: "MK744", Severity: preflight.Error, Title: "linuxOSConfig on a Windows pool",
		Reason: "It sets parameters of the Linux kernel.",
		Source: kubeletConfigPage,
	},
	{
		ID: "MK745", Severity: preflight.Error, Title: "messageOfTheDay on a Windows pool",
		Reason: "It is a file of Linux, /etc/motd. Azure refuses it for Windows nodes.",
		Source: poolAPI,
	},
	{
		ID: "MK746", Severity: preflight.Error, Title: "another runtime than containerd on a Windows pool",
		Reason: "Kata and WebAssembly are for Linux nodes only.",
		Source: windowsVsLinux,
	},
	{
		ID: "MK747", Severity: preflight.Error, Title: "a kubelet setting that Windows nodes do not have",
		Reason: "On Windows AKS takes the thresholds of image garbage collection, and the size and number of log files.",
		Source: kubeletConfigPage,
	},
}

// kubeletOnWindows are the settings that it takes.
var kubeletOnWindows = []string{"imageGcHighThreshold", "imageGcLowThreshold", "containerLogMaxSizeMB", "containerLogMaxFiles"}

package examples

import (
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// poolOptionExamples are examples of options that Windows pools do not support.
var poolOptionExamples = []Example{
	{
		"trusted launch",
		PoolOptions("win22", obj{"securityProfile": obj{"enableSecureBoot": true, "enableVTPM": true}}),
		PoolOptions("win22", obj{"securityProfile": obj{"enableSecureBoot": false, "enableVTPM": tree.Unknown{}}}),
		[]string{
			"error: poolOptions[win22].options.securityProfile.enableSecureBoot (MK741)",
			"error: poolOptions[win22].options.securityProfile.enableVTPM (MK741)",
		},
	},
	{
		"artifact streaming", PoolOptions("win22", obj{"artifactStreamingProfile": obj{"enabled": true}}),
		PoolOptions("sys", obj{"artifactStreamingProfile": obj{"enabled": true}}),
		[]string{"error: poolOptions[win22].options.artifactStreamingProfile.enabled (MK742)"},
	},
	{
		"GPU partitions", PoolOptions("win22", obj{"gpuInstanceProfile": "MIG1g"}),
		PoolOptions("sys", obj{"gpuInstanceProfile": "MIG1g"}),
		[]string{"error: poolOptions[win22].options.gpuInstanceProfile (MK743)"},
	},
	{
		"the configuration of Linux, which counts as set", PoolOptions("win22", obj{"linuxOSConfig": tree.Unknown{}}),
		PoolOptions("win22", obj{"linuxOSConfig": nil}),
		[]string{"error: poolOptions[win22].options.linuxOSConfig (MK744)"},
	},
	{
		"a message of the day", PoolOptions("win22", obj{"messageOfTheDay": tree.Secret{Value: "aGVsbG8="}}),
		PoolOptions("sys", obj{"messageOfTheDay": "aGVsbG8="}),
		[]string{"error: poolOptions[win22].options.messageOfTheDay (MK745)"},
	},
	{
		"another runtime", PoolOptions("win22", obj{"workloadRuntime": "KataVmIsolation"}),
		PoolOptions("win22", obj{"workloadRuntime": "OCIContainer"}),
		[]string{"error: poolOptions[win22].options.workloadRuntime (MK746)"},
	},
	{
		"settings of the kubelet", PoolOptions("win22",
			obj{"kubeletConfig": tree.Secret{Value: obj{
				"imageGcHighThreshold": int64(80), "cpuManagerPolicy": "static",
				"podMaxPids": tree.Unknown{},
			}}}), PoolOptions("win22", obj{"kubeletConfig": obj{
			"imageGcHighThreshold": int64(80), "imageGcLowThreshold": int64(70), "containerLogMaxSizeMB": int64(10),
			"containerLogMaxFiles": int64(3), "failSwapOn": nil,
		}}), []string{
			"error: poolOptions[win22].options.kubeletConfig.cpuManagerPolicy (MK747)",
			"error: poolOptions[win22].options.kubeletConfig.podMaxPids (MK747)",
		},
	},
}

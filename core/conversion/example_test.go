package conversion_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A manifest keeps its text and gets what leads its pods to the nodes of their operating system.
func Example() {
	const manifest = `apiVersion: v1
kind: Pod
metadata:
  name: iis
spec:
  containers: # only one
    - name: iis
      image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
`
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
	}}
	result, errs := conversion.Convert([]conversion.File{{Name: "iis.yaml", Text: []byte(manifest)}},
		conversion.Options{Topology: cluster})
	for _, err := range errs {
		fmt.Println(err)
	}
	for _, object := range result.Objects {
		fmt.Println(object.Key(), "is for", object.Platform, "by", object.Source)
	}
	for _, file := range result.Files {
		fmt.Print(string(file.Text))
	}
	// Output:
	// Pod/iis is for windows-2022 by the images
	// apiVersion: v1
	// kind: Pod
	// metadata:
	//   annotations:
	//     mixedkube.dev/placed: "release=windows-2022 nodeSelector=kubernetes.io/arch,kubernetes.io/os,node.kubernetes.io/windows-build tolerations=os=windows:NoSchedule os=windows"
	//   name: iis
	// spec:
	//   nodeSelector:
	//     kubernetes.io/arch: amd64
	//     kubernetes.io/os: windows
	//     node.kubernetes.io/windows-build: 10.0.20348
	//   os:
	//     name: windows
	//   tolerations:
	//     - effect: NoSchedule
	//       key: os
	//       operator: Equal
	//       value: windows
	//   containers: # only one
	//     - name: iis
	//       image: mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022
}

package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestDevicesOfWindowsPods(t *testing.T) {
	t.Parallel()
	v133 := preflight.Options{KubernetesVersion: "1.33"}
	limits := func(resource string) string { return "resources: {limits: {" + resource + "}}" }
	const (
		claims  = "resourceClaims: [{name: gpu, resourceClaimName: gpu}]"
		claimed = "resources: {claims: [{name: gpu}]}"
		device  = "deviceclass.resource.kubernetes.io/gpu"
		none    = ": no Windows node has devices of dynamic resource allocation: request a resource of a device " +
			"plugin, such as microsoft.com/directx (MK548)"
		ofLinux = `: 1: is a resource of Linux nodes: request microsoft.com/directx, or run the pods on Linux nodes ` +
			`(MK560)`
	)
	for _, tt := range []struct {
		name, os, spec, container string
		options                   preflight.Options
		want                      []string
	}{
		{"claims", "windows", claims, claimed, v136, []string{"spec.resourceClaims" + none}},
		{"claims of a container", "windows", "", claimed, v136, []string{"spec.containers[0].resources.claims" + none}},
		{"a device class", "windows", "", limits(device + ": 1"), v136, []string{
			"spec.containers[0].resources.limits[" + device + "]: 1" + none,
		}},
		{"no device of a class", "windows", "", limits(device + ": 0"), v136, nil},
		{"a number that is not known", "windows", "", limits(device + ": '$unknown'"), v136, nil},
		{"claims that are not known", "windows", "resourceClaims: '$unknown'", "resources: '$unknown'", v136, nil},
		{"no claims", "windows", "resourceClaims: []", "", v136, nil},
		{"before it is on", "windows", claims, claimed, v133, nil},
		{"claims of Linux pods", "linux", claims, claimed, v136, nil},
		{
			"NVIDIA", "windows", "", "resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}", v136,
			[]string{"spec.containers[0].resources.limits[nvidia.com/gpu]" + ofLinux},
		},
		{"AMD", "windows", "", "resources: {requests: {amd.com/gpu: 1}}", v136, []string{
			"spec.containers[0].resources.requests[amd.com/gpu]" + ofLinux,
		}},
		{"NVIDIA on Linux", "linux", "", limits("nvidia.com/gpu: 1"), v136, nil},
		{"DirectX", "windows", "", limits("microsoft.com/directx: 1"), v136, nil},
		{"no GPU", "windows", "", limits("nvidia.com/gpu: 0"), v136, nil},
		{"a GPU that is not known", "windows", "", limits("nvidia.com/gpu: '$unknown'"), v136, nil},
		{
			"restarts for a resize", "windows", "",
			"resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: memory, restartPolicy: " +
				"RestartContainer}]",
			v136,
			[]string{`spec.containers[0].resizePolicy[1].restartPolicy: "RestartContainer": has no effect: Windows ` +
				`pods cannot be resized in place: remove it (MK549)`},
		},
		{
			"a policy that is not known", "windows", "",
			"resizePolicy: [{resourceName: cpu, restartPolicy: '$unknown'}, '$unknown']", v136, nil,
		},
		{
			"a resize on Linux", "linux", "", "resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}]",
			v136, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod(tt.os, tt.spec, tt.container)), tt.options, "MK548,MK549,MK56", tt.want...)
		})
	}
}

func TestImagesWithoutAGPU(t *testing.T) {
	t.Parallel()
	const gpu = "resources: {limits: {microsoft.com/directx: 1}}"
	found := func(image, base string) []string {
		return []string{`spec.containers[0].image: "` + image + `": is built on ` + base + `, which has no GPU, and ` +
			`the container requests microsoft.com/directx: build the image on mcr.microsoft.com/windows/server, or ` +
			`on mcr.microsoft.com/windows for Windows Server 2019 (MK561)`}
	}
	const (
		core  = "mcr.microsoft.com/windows/servercore:ltsc2022"
		nano  = "mcr.microsoft.com/dotnet/aspnet:10.0-nanoserver-ltsc2022"
		net   = "mcr.microsoft.com/dotnet/framework/runtime:4.8"
		full  = "mcr.microsoft.com/windows/server:ltsc2022"
		shop  = "shop.example.com/shop:1.4"
		byTag = "shop.example.com/shop:nanoserver"
	)
	for _, tt := range []struct {
		image, resources string
		want             []string
	}{
		{core, gpu, found(core, "Server Core")},
		{nano, gpu, found(nano, "Nano Server")},
		{net, gpu, found(net, "Server Core")},
		{full, gpu, nil},
		{shop, gpu, nil},
		{byTag, gpu, nil},
		{"'$unknown'", gpu, nil},
		{core, "resources: {limits: {microsoft.com/directx: '$unknown'}}", nil},
		{core, "", nil},
	} {
		t.Run(tt.image+tt.resources, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, withImage(tt.image, "", tt.resources)), v136, "MK561", tt.want...)
		})
	}
}

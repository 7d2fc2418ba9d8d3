package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

const (
	onWindows = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows}\n"
	on2022    = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: " +
		"10.0.20348}\n"
	on2025 = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: " +
		"10.0.26100}\n"
	hostProc = "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, runAsUserName: 'NT " +
		"AUTHORITY\\SYSTEM'}}\n"
	hpcBase = "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0"
)

func container(image string) string { return "containers: [{name: shop, image: '" + image + "'}]\n" }

func TestImagesFitTheRelease(t *testing.T) {
	t.Parallel()
	for2022 := preflight.Options{Platform: platform.WindowsServer2022}
	runPodCases(t, []podCase{
		{
			name: "an older image, by the node selector", kind: "Deployment",
			spec: on2022 + container("mcr.microsoft.com/windows/servercore:ltsc2019"),
			want: []string{`error spec.template.spec.containers[0].image: ` +
				`"mcr.microsoft.com/windows/servercore:ltsc2019": needs a Windows Server 2019 node, but the ` +
				`deployment targets windows-2022: use the tag ltsc2022 (MK201)`},
		},
		{
			name: "by the RuntimeClass, in a CronJob", kind: "CronJob",
			spec:    "runtimeClassName: windows-2025\n" + container("golang:1.26-windowsservercore-ltsc2022"),
			options: preflight.Options{Platform: platform.WindowsServer2025},
			want: []string{`error spec.jobTemplate.spec.template.spec.containers[0].image: ` +
				`"golang:1.26-windowsservercore-ltsc2022": needs a Windows Server 2022 node, but the cronjob targets ` +
				`windows-2025: use an image for Windows Server 2025 (MK201)`},
		},
		{
			name: "by what the caller knows", spec: onWindows + container("mcr.microsoft.com/windows/nanoserver:1809"),
			options: for2022,
			want: []string{`error spec.containers[0].image: "mcr.microsoft.com/windows/nanoserver:1809": needs a ` +
				`Windows Server 2019 node, but the pod targets windows-2022: use the tag ltsc2022 (MK201)`},
		},
		{
			name: "Nano Server of 2019 has the tag of its version",
			spec: "runtimeClassName: windows-2019\n" +
				container("mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022"),
			want: []string{`warning spec.containers[0].image: ` +
				`"mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022": needs a Windows Server 2022 node, but ` +
				`the pod targets windows-2019: use the tag 8.0-nanoserver-1809 (MK201)`},
		},
		{
			name: "a full build as the tag",
			spec: on2022 + container("mcr.microsoft.com/windows/servercore:10.0.17763.437"),
			want: []string{`error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:10.0.17763.437": ` +
				`needs a Windows Server 2019 node, but the pod targets windows-2022: use the tag ltsc2022 (MK201)`},
		},
		{
			name: "an update, which has no tag for another release",
			spec: on2022 + container("mcr.microsoft.com/windows/servercore:ltsc2019-KB5031361"),
			want: []string{`error spec.containers[0].image: ` +
				`"mcr.microsoft.com/windows/servercore:ltsc2019-KB5031361": needs a Windows Server 2019 node, but ` +
				`the pod targets windows-2022: use the tag ltsc2022 (MK201)`},
		},
		{
			name: "a secret image is looked at and not shown",
			spec: on2022 + container("$secret-mcr.microsoft.com/windows/servercore:ltsc2019"),
			want: []string{`error spec.containers[0].image: [secret]: needs a Windows Server 2019 node, but the pod ` +
				`targets windows-2022: use an image for Windows Server 2022 (MK201)`},
		},
		{
			name: "all containers are looked at",
			spec: on2022 + "initContainers: [{name: a, image: 'x.example.com/a:ltsc2022'}, {name: b, image: " +
				"'x.example.com/b:ltsc2019'}]\n" + container("mcr.microsoft.com/windows/nanoserver:ltsc2025"),
			want: []string{
				`error spec.containers[0].image: "mcr.microsoft.com/windows/nanoserver:ltsc2025": needs a Windows ` +
					`Server 2025 node, but the pod targets windows-2022: use the tag ltsc2022 (MK201)`,
				`error spec.initContainers[1].image: "x.example.com/b:ltsc2019": needs a Windows Server 2019 node, ` +
					`but the pod targets windows-2022: use an image for Windows Server 2022 (MK201)`,
			},
		},
		{
			name:    "a newer host runs the images of the release before, if that is enabled",
			spec:    "runtimeClassName: windows-2025\n" + container("mcr.microsoft.com/windows/servercore:ltsc2022"),
			options: preflight.Options{Matching: platform.Relaxed},
		},
		{
			name: "which nodes do that is not known without them",
			spec: on2025 + container("mcr.microsoft.com/windows/servercore:ltsc2022"),
			want: []string{`warning spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": is ` +
				`for Windows Server 2022, and the pod targets windows-2025, which does not run it everywhere: use ` +
				`the tag ltsc2025 (MK210)`},
		},
		{
			name:    "a topology says it",
			spec:    on2025 + tolerates + container("mcr.microsoft.com/windows/servercore:ltsc2022"),
			options: mixed(platform.WindowsServer2025),
			want: []string{`error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": needs a ` +
				`Windows Server 2022 node, but the pod targets windows-2025: use the tag ltsc2025 (MK201)`},
		},
		{
			name: "images of neighboring releases may have a host too",
			spec: onWindows + "containers: [{name: a, image: 'x.example.com/a:ltsc2022'}, {name: b, image: " +
				"'x.example.com/b:ltsc2025'}]\n",
			want: []string{`warning spec.containers[1].image: "x.example.com/b:ltsc2025": is an image for ` +
				`windows-2025, but spec.containers[0].image is one for windows-2022, and all containers of a pod run ` +
				`on one node, which only some nodes of the newer release allow: use images for one Windows release ` +
				`(MK210)`},
		},
		{
			name: "those of another container do not count",
			spec: onWindows + "containers: [{name: a, image: 'x.example.com/a:ltsc2022'}, {name: b, image: " +
				"'x.example.com/b:ltsc2025'}, {name: c, image: 'x.example.com/c:ltsc2019'}]\n",
			want: []string{`warning spec.containers[1].image: "x.example.com/b:ltsc2025": is an image for ` +
				`windows-2025, but spec.containers[0].image is one for windows-2022, and all containers of a pod run ` +
				`on one node, which only some nodes of the newer release allow: use images for one Windows release ` +
				`(MK210)`},
		},
		{
			name: "the name of a RuntimeClass is a guess",
			spec: on2022 + "runtimeClassName: windows-2019\n" +
				container("mcr.microsoft.com/windows/servercore:ltsc2019"),
			want: []string{`warning spec.runtimeClassName: "windows-2019": is Windows Server 2019, but the node ` +
				`selector node.kubernetes.io/windows-build=10.0.20348 is Windows Server 2022: make them agree, or ` +
				`remove one (MK208)`},
		},
		{
			name: "also about its isolation",
			spec: onWindows + "runtimeClassName: windows-2022\ncontainers: [{name: a, image: " +
				"'x.example.com/a:ltsc2019'}, {name: b, image: 'x.example.com/b:ltsc2022'}]\n",
			want: []string{`warning spec.containers[0].image: "x.example.com/a:ltsc2019": needs a Windows Server ` +
				`2019 node, but the pod targets windows-2022: use an image for Windows Server 2022 (MK201)`},
		},
		{
			name: "the operating system of the image alone is not a contradiction",
			spec: "runtimeClassName: windows-2022\nvolumes: [{name: data, nfs: {server: a, path: /b}}]\n" +
				container("mcr.microsoft.com/windows/servercore:ltsc2022"),
			want: []string{"error spec.volumes[0].nfs: … (MK504)"},
		},
		{
			name: "23H2 has no images of its own",
			spec: "runtimeClassName: windows-23h2\n" + container("mcr.microsoft.com/windows/servercore:ltsc2022"),
		},
		{
			name: "but does not run older ones",
			spec: "runtimeClassName: windows-23h2\n" + container("mcr.microsoft.com/windows/servercore:ltsc2019"),
			want: []string{`warning spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2019": needs ` +
				`a Windows Server 2019 node, but the pod targets windows-23h2: use the tag ltsc2022 (MK201)`},
		},
		{
			name: "host-process containers need not match",
			spec: on2022 + hostProc + container("mcr.microsoft.com/windows/nanoserver:ltsc2025"),
		},
		{
			name: "nor those of which it is not known",
			spec: on2022 + "securityContext: {windowsOptions: $unknown}\n" +
				container("mcr.microsoft.com/windows/nanoserver:ltsc2025"),
		},
		{
			name: "a class that is not known may isolate with Hyper-V",
			spec: on2022 + "runtimeClassName: hyperv\n" + container("mcr.microsoft.com/windows/nanoserver:ltsc2019"),
		},
		{
			name: "so may one whose name is not known",
			spec: on2022 + "runtimeClassName: $unknown\n" + container("mcr.microsoft.com/windows/nanoserver:ltsc2019"),
		},
		{name: "an unknown image fits", spec: on2022 + container("shop.example.com/shop:1.4")},
		{
			name: "an image whose release is not known fits",
			spec: on2022 + container("mcr.microsoft.com/dotnet/framework/aspnet:4.8"),
		},
		{name: "an image that is not known fits", spec: on2022 + container("$unknown")},
		{
			name: "a build that is not known says nothing",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: " +
				"$unknown}\n" + container("mcr.microsoft.com/windows/nanoserver:ltsc2019"),
		},
	})
}

func TestImagesFitTheOperatingSystem(t *testing.T) {
	t.Parallel()
	const nginx, iis = "nginx:1.27-alpine", "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
	none := preflight.Options{KubernetesVersion: "1.36"}
	runPodCases(t, []podCase{
		{
			name: "a Linux image, by its facts", spec: onWindows + container("shop"),
			want: []string{`error spec.containers[0].image: "shop": is a Linux image (Linux/amd64), but os.name ` +
				`windows makes these Windows pods: use a Windows image (MK202)`},
			options: by(none, published("linux/amd64")),
		},
		{
			name: "an image for neither, by its facts", spec: onWindows + container("shop"),
			want: []string{`error spec.containers[0].image: "shop": is an image for freebsd/amd64, but os.name ` +
				`windows makes these Windows pods: use a Windows image (MK202)`},
			options: by(none, published("freebsd/amd64")),
		},
		{
			name: "a Linux image, by its tag", spec: onWindows + container("e2e.example.com/nginx:1.14-alpine"),
			want: []string{`warning spec.containers[0].image: "e2e.example.com/nginx:1.14-alpine": is a Linux image ` +
				`by its tag alone, but os.name windows makes these Windows pods: use a Windows image, unless this is ` +
				`one (MK202)`},
		},
		{
			name: "a Linux image, by os.name", spec: onWindows + container(nginx),
			want: []string{`error spec.containers[0].image: "nginx:1.27-alpine": is a Linux image, but os.name ` +
				`windows makes these Windows pods: use a Windows image (MK202)`},
		},
		{
			name: "a Linux image, by the RuntimeClass", spec: "runtimeClassName: windows-2022\n" + container(nginx),
			want: []string{`warning spec.containers[0].image: "nginx:1.27-alpine": is a Linux image, but the ` +
				`RuntimeClass windows-2022 makes these Windows pods: use a Windows image for windows-2022 (MK202)`},
		},
		{
			name: "a Windows image, by the affinity",
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
				"[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}]}}}\n" + container(iis),
			want: []string{`error spec.containers[0].image: "` + iis +
				`": is a Windows image, but the node affinity makes these Linux pods: use a Linux image (MK202)`},
		},
		{
			name: "an affinity for either",
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
				"[{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}, {matchExpressions: " +
				"[{key: kubernetes.io/os, operator: In, values: [windows]}]}]}}}\n" + container(nginx),
		},
		{
			name:    "a Windows image, by what the caller knows",
			spec:    "nodeSelector: {kubernetes.io/os: linux}\n" + container(iis),
			options: preflight.Options{Platform: platform.Linux},
			want: []string{`error spec.containers[0].image: "` + iis +
				`": is a Windows image, but the platform linux makes these Linux pods: use a Linux image (MK202)`},
		},
		{
			name: "a Linux image in a host-process pod", spec: "nodeSelector: {a: b}\n" + hostProc + container(nginx),
			want: []string{`error spec.containers[0].image: "nginx:1.27-alpine": is a Linux image, but host process ` +
				`makes these Windows pods: use a Windows image (MK202)`},
		},
		{
			name: "both, where nothing else says what the pods are for",
			spec: "containers: [{name: a, image: a.example.com/a:1}, {name: b, image: 'nginx:1.27-alpine'}, {name: " +
				"c, image: '" + iis + "'}]",
			want: []string{`error spec.containers[2].image: "` + iis +
				`": is a Windows image, but spec.containers[1].image is a Linux image, and all containers of a pod ` +
				`run on one node: use images for one operating system (MK203)`},
		},
		{
			name: "releases that no node runs together",
			spec: onWindows + "containers: [{name: a, image: 'x.example.com/a:ltsc2019'}, {name: b, image: " +
				"'x.example.com/b:ltsc2022'}]",
			want: []string{`error spec.containers[1].image: "x.example.com/b:ltsc2022": is an image for ` +
				`windows-2022, but spec.containers[0].image is one for windows-2019, and all containers of a pod run ` +
				`on one node: use images for one Windows release (MK203)`},
		},
		{
			name:    "releases that a newer node runs together, if that is enabled",
			options: preflight.Options{Matching: platform.Relaxed},
			spec: onWindows + "containers: [{name: a, image: 'x.example.com/a:ltsc2025'}, {name: b, image: " +
				"'x.example.com/b:ltsc2022'}]",
		},
		{
			name: "two that do and one that does not", options: preflight.Options{Matching: platform.Relaxed},
			spec: onWindows + "containers: [{name: a, image: 'x.example.com/a:ltsc2025'}, {name: b, image: " +
				"'x.example.com/b:ltsc2022'}, {name: c, image: 'x.example.com/c:ltsc2019'}]",
			want: []string{`error spec.containers[2].image: "x.example.com/c:ltsc2019": is an image for ` +
				`windows-2019, but spec.containers[0].image is one for windows-2025, and all containers of a pod run ` +
				`on one node: use images for one Windows release (MK203)`},
		},
		{
			name: "host-process containers of several releases",
			spec: onWindows + hostProc + "containers: [{name: a, image: 'x.example.com/a:ltsc2019'}, {name: b, " +
				"image: 'x.example.com/b:ltsc2022'}]",
		},
		{
			name: "nothing is known of the images",
			spec: onWindows + "containers: [{name: a, image: nginx}, {name: b, image: shop.example.com/shop}]",
		},
		{name: "nothing is known at all", spec: container("nginx")},
		{name: "Linux pods", spec: "os: {name: linux}\n" + container(nginx)},
		{
			name: "the base image for host processes in a Linux pod",
			spec: "os: {name: linux}\n" + container(hpcBase),
			want: []string{`error spec.containers[0].image: "` + hpcBase +
				`": is a Windows image, but os.name linux makes these Linux pods: use a Linux image (MK202)`},
		},
		{
			name: "the base image for host processes in another pod", spec: onWindows + container(hpcBase),
			want: []string{`error spec.containers[0].image: "` + hpcBase + `": is for host-process containers only: ` +
				`set windowsOptions.hostProcess and hostNetwork to true, or use another base image (MK204)`},
		},
		{name: "and in a host-process pod", spec: onWindows + hostProc + container(hpcBase)},
		{name: "or one of which it is not known", spec: onWindows + "securityContext: $unknown\n" + container(hpcBase)},
	})
}

func TestPlacesThatContradictEachOther(t *testing.T) {
	t.Parallel()
	image := container("shop.example.com/shop:1.4")
	runPodCases(t, []podCase{
		{
			name: "os.name and node selector",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: linux}\n" + image,
			want: []string{`error spec.nodeSelector[kubernetes.io/os]: "linux": says Linux, but os.name windows says ` +
				`Windows: make them agree, or remove one (MK207)`},
		},
		{
			name: "os.name and the name of a RuntimeClass, which may be any",
			spec: "os: {name: linux}\nruntimeClassName: windows-2022\n" +
				container("mcr.microsoft.com/windows/servercore:ltsc2019"),
			want: []string{
				`error spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2019": is a Windows ` +
					`image, but os.name linux makes these Linux pods: use a Linux image (MK202)`,
				`warning spec.runtimeClassName: "windows-2022": says Windows, but os.name linux says Linux: make ` +
					`them agree, or remove one (MK207)`,
			},
		},
		{
			name: "node selector and affinity",
			spec: "nodeSelector: {kubernetes.io/os: windows}\naffinity: {nodeAffinity: " +
				"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: " +
				"kubernetes.io/os, operator: In, values: [linux]}]}]}}}\n" + image,
			want: []string{`error spec.affinity.nodeAffinity: says Linux, but the node selector ` +
				`kubernetes.io/os=windows says Windows: make them agree, or remove one (MK207)`},
		},
		{
			name:    "the caller and the object",
			spec:    "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows}\n" + image,
			options: preflight.Options{Platform: platform.Linux},
			want: []string{
				`error spec.nodeSelector[kubernetes.io/os]: "windows": says Windows, but the platform linux says ` +
					`Linux: remove it, or change the platform (MK207)`,
				`error spec.os.name: "windows": says Windows, but the platform linux says Linux: remove it, or ` +
					`change the platform (MK207)`,
			},
		},
		{
			name: "node selector and RuntimeClass", spec: on2022 + "runtimeClassName: windows-2025\n" + image,
			want: []string{`warning spec.runtimeClassName: "windows-2025": is Windows Server 2025, but the node ` +
				`selector node.kubernetes.io/windows-build=10.0.20348 is Windows Server 2022: make them agree, or ` +
				`remove one (MK208)`},
		},
		{
			name: "the caller's release and the node selector's", spec: on2022 + image,
			options: preflight.Options{Platform: platform.WindowsServer2025},
			want: []string{`error spec.nodeSelector[node.kubernetes.io/windows-build]: "10.0.20348": is Windows ` +
				`Server 2022, but the platform windows-2025 is Windows Server 2025: remove it, or change the ` +
				`platform (MK208)`},
		},
		{
			name: "a secret is not shown",
			spec: "nodeSelector: {kubernetes.io/os: $secret-windows}\nruntimeClassName: windows-2022\nos: {name: " +
				"linux}\n" + image,
			want: []string{
				`error spec.nodeSelector[kubernetes.io/os]: [secret]: says Windows, but os.name linux says Linux: ` +
					`make them agree, or remove one (MK207)`,
				`warning spec.runtimeClassName: "windows-2022": says Windows, but os.name linux says Linux: make ` +
					`them agree, or remove one (MK207)`,
			},
		},
		{
			name: "host process in Linux pods has no effect",
			spec: "nodeSelector: {kubernetes.io/os: linux}\n" + hostProc + image,
			want: []string{`warning spec.securityContext.windowsOptions.hostProcess: true: has no effect on Linux, ` +
				`and the node selector kubernetes.io/os=linux makes these Linux pods: remove it` + orWindows +
				` (MK209)`},
		},
		{
			name: "all agree", spec: on2022 + "runtimeClassName: windows-2022\n" + hostProc + image,
			options: preflight.Options{Platform: platform.WindowsServer2022},
		},
		{
			name: "what is not known contradicts nothing",
			spec: "os: {name: windows}\nnodeSelector: {kubernetes.io/os: $unknown}\nruntimeClassName: $unknown\n" +
				image,
		},
	})
}

func TestShells(t *testing.T) {
	t.Parallel()
	const servercore = "mcr.microsoft.com/windows/servercore:ltsc2022"
	with := func(image, more string) string {
		return onWindows + "containers: [{name: shop, image: '" + image + "', " + more + "}]"
	}
	missing := func(path, program string) []string {
		return []string{`error spec.containers[0].` + path + `: "` + program +
			`": Microsoft's Windows images have no such shell: use powershell or cmd (MK205)`}
	}
	perhaps := func(path, program string) []string {
		return []string{`warning spec.containers[0].` + path + `: "` + program + `": this image may not have it: ` +
			`Windows has no such shell: use powershell or cmd, or make sure that the image has one (MK206)`}
	}
	runPodCases(t, []podCase{
		{
			name: "a command", spec: with(servercore, "command: [/bin/sh, -c, run]"),
			want: missing("command[0]", "/bin/sh"),
		},
		{
			name: "a shell by way of env", spec: with(servercore, "command: [/usr/bin/env, bash, -c, run]"),
			want: missing("command[1]", "bash"),
		},
		{name: "another program by way of env", spec: with(servercore, "command: [/usr/bin/env, python, sh]")},
		{
			name: "env alone", spec: with(servercore, "command: [/usr/bin/env]"),
			want: []string{"warning spec.containers[0].command[0]: … (MK233)"},
		},
		{
			name: "a shell with its extension", spec: with(servercore, "command: [sh.exe, -c, run]"),
			want: missing("command[0]", "sh.exe"),
		},
		{
			name: "a probe", spec: with("mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2022",
				"readinessProbe: {exec: {command: [bash, -c, run]}}"),
			want: missing("readinessProbe.exec.command[0]", "bash"),
		},
		{
			name: "a hook", spec: with("mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022",
				"lifecycle: {preStop: {exec: {command: [sh]}}}"),
			want: missing("lifecycle.preStop.exec.command[0]", "sh"),
		},
		{
			name: "a mirror of Microsoft's registry",
			spec: with("mirror.example.com/mcr.microsoft.com/windows/nanoserver:ltsc2022", "command: [sh]"),
			want: missing("command[0]", "sh"),
		},
		{
			name: "arguments may be the entry point's", spec: with(servercore, "args: [sh]"),
			want: perhaps("args[0]", "sh"),
		},
		{
			name: "another image",
			spec: with("shop.example.com/shop:ltsc2022", "startupProbe: {exec: {command: [/usr/bin/bash]}}"),
			want: perhaps("startupProbe.exec.command[0]", "/usr/bin/bash"),
		},
		{
			name: "an image that is built on Microsoft's",
			spec: with("shop.example.com/windows/servercore:ltsc2022", "command: [sh]"),
			want: perhaps("command[0]", "sh"),
		},
		{
			name: "Microsoft's image for many platforms",
			spec: with("mcr.microsoft.com/dotnet/aspnet:8.0", "command: [sh]"), want: perhaps("command[0]", "sh"),
		},
		{
			name: "a path of its own", spec: with(servercore, "command: [sh], env: [{name: Path, value: 'C:\\git'}]"),
			want: perhaps("command[0]", "sh"),
		},
		{
			name: "programs from a volume",
			spec: "volumes: [{name: tools}]\n" + with(
				servercore,
				"command: [/bin/sh], volumeMounts: [{name: tools, mountPath: 'C:\\bin'}]",
			),
			want: perhaps("command[0]", "/bin/sh"),
		},
		{name: "the command hides the arguments", spec: with(servercore, "command: [cmd], args: [sh]")},
		{
			name: "another program",
			spec: with(servercore,
				"command: ['C:\\git\\bin\\bash.exe'], livenessProbe: {httpGet: {port: 80}}, lifecycle: {preStop: "+
					"{exec: {command: [powershell, -c, sh]}}}"),
		},
		{
			name: "a command that is not known",
			spec: with(servercore, "command: $unknown, args: [$unknown], livenessProbe: {exec: {command: [$unknown]}}"),
		},
		{name: "Linux pods", spec: "os: {name: linux}\ncontainers: [{name: shop, image: shop, command: [sh]}]"},
		{name: "unknown pods", spec: "containers: [{name: shop, image: shop, command: [sh]}]"},
	})
}

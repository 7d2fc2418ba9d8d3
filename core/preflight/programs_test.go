package preflight_test

import (
	"strings"
	"testing"
)

func TestProgramsOfTheOtherSystem(t *testing.T) {
	t.Parallel()
	const (
		linux     = "nodeSelector: {kubernetes.io/os: linux}\n"
		core      = "mcr.microsoft.com/windows/servercore:ltsc2022"
		nano      = "mcr.microsoft.com/windows/nanoserver:ltsc2022"
		own       = "shop.example.com/shop:1.4"
		ownOnNano = "shop.example.com/shop:1.4-nanoserver-ltsc2022"
	)
	with := func(image, more string) string {
		return "containers: [{name: shop, image: '" + image + "', " + more + "}]\n"
	}
	const noShell = "this image may not have it: Windows has no such shell: use powershell or cmd, or make sure that " +
		"the image has one (MK206)"
	found := func(severity, path, value, detail string) []string {
		return []string{severity + " spec.containers[0]." + path + ": " + value + ": " + detail}
	}
	const (
		noPowerShell = "Nano Server has no Windows PowerShell: use cmd, or an image with PowerShell (MK230)"
		noSeven      = "this image has no PowerShell 7: use cmd, or an image with PowerShell (MK230)"
		onNano       = "Nano Server has no Windows PowerShell: use cmd, pwsh if the image has it, or an image on " +
			"Server Core (MK231)"
		noProgram   = "is a Linux program, which Microsoft's Windows images do not have: use cmd or PowerShell"
		pathOfLinux = "is the path of a Linux program or script, and this image may not have it: name a program of " +
			"the Windows image (MK233)"
		mayNotHave = "is a Linux program, and this image may not have it: use cmd or PowerShell"
		orHTTP     = ", or an httpGet or tcpSocket probe"
		onLinux    = "is a Windows shell, and these are Linux pods: use sh, or pwsh in an image with PowerShell, " +
			"or run the pods on Windows nodes (MK235)"
	)
	runPodCases(t, []podCase{
		{
			name: "PowerShell in Nano Server", spec: onWindows + with(nano, "command: [powershell, -File, a.ps1]"),
			want: found("error", "command[0]", `"powershell"`, noPowerShell),
		},
		{
			name: "by its path", spec: onWindows + with("mcr.microsoft.com/dotnet/aspnet:9.0-nanoserver-ltsc2022",
				`command: ['C:\Windows\System32\WindowsPowerShell\v1.0\PowerShell.EXE']`),
			want: found("error", "command[0]", `"C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\PowerShell.EXE"`,
				noPowerShell),
		},
		{
			name: "in a probe", spec: onWindows +
				with(nano, "readinessProbe: {timeoutSeconds: 30, exec: {command: [powershell, -File, a.ps1]}}"),
			want: found("error", "readinessProbe.exec.command[0]", `"powershell"`, noPowerShell),
		},
		{
			name: "as arguments", spec: onWindows + with(nano, "args: [powershell, -File, a.ps1]"),
			want: found("warning", "args[0]", `"powershell"`, onNano),
		},
		{
			name: "in an image of somebody's own", spec: onWindows + with(ownOnNano, "command: [powershell.exe]"),
			want: found("warning", "command[0]", `"powershell.exe"`, onNano),
		},
		{
			name: "PowerShell 7 in Nano Server", spec: onWindows + with(nano, "command: [pwsh]"),
			want: found("error", "command[0]", `"pwsh"`, noSeven),
		},
		{
			name: "PowerShell 7 in Server Core", spec: onWindows + with(core, "command: [pwsh.exe]"),
			want: found("error", "command[0]", `"pwsh.exe"`, noSeven),
		},
		{name: "PowerShell in Server Core", spec: onWindows + with(core, "command: [powershell]")},
		{
			name: "PowerShell 7 in its image",
			spec: onWindows + with("mcr.microsoft.com/powershell:7.5-nanoserver-ltsc2022", "command: [pwsh]"),
		},
		{
			name: "PowerShell 7 in the SDK of .NET",
			spec: onWindows + with("mcr.microsoft.com/dotnet/sdk:9.0-nanoserver-ltsc2022", "command: [pwsh]"),
		},
		{name: "PowerShell 7 in an image on Nano Server", spec: onWindows + with(ownOnNano, "command: [pwsh]")},
		{
			name: "that of the node", spec: onWindows + hostProc + with(nano, "command: [powershell.exe]"),
		},
		{
			name: "brought by a volume", spec: onWindows + with(ownOnNano, "command: [powershell.exe], "+
				`volumeMounts: [{name: bin, mountPath: 'C:\bin'}]`),
		},
		{
			name: "a program of Linux in Server Core",
			spec: onWindows + with(core, `livenessProbe: {exec: {command: [cat, 'C:\healthy']}}`),
			want: found("error", "livenessProbe.exec.command[0]", `"cat"`, noProgram+orHTTP+" (MK232)"),
		},
		{
			name: "by its path in Linux", spec: onWindows + with(core, `command: [/usr/bin/tail, -f, 'C:\log']`),
			want: found("error", "command[0]", `"/usr/bin/tail"`, noProgram+" (MK232)"),
		},
		{
			name: "a command of cmd", spec: onWindows + with(core, `startupProbe: {exec: {command: [dir, 'C:\a']}}`),
			want: found("error", "startupProbe.exec.command[0]", `"dir"`, "is a command of cmd, not a program, which "+
				"Microsoft's Windows images do not have: start it with cmd, /c (MK232)"),
		},
		{
			name: "in a hook of another image",
			spec: onWindows + with(own, "lifecycle: {preStop: {exec: {command: [sleep, '10']}}}"),
			want: found("warning", "lifecycle.preStop.exec.command[0]", `"sleep"`, mayNotHave+" (MK233)"),
		},
		{
			name: "after env", spec: onWindows + with(own, "command: [/usr/bin/env, sleep, '10']"),
			want: found("warning", "command[1]", `"sleep"`, mayNotHave+" (MK233)"),
		},
		{
			name: "a busybox for Windows",
			spec: onWindows + with("registry.k8s.io/e2e-test-images/busybox:1.29-4", "command: [sh, -c, 'sleep 10']"),
		},
		{
			name: "a mirror of it",
			spec: onWindows +
				with("mirror.example.com/k8s.gcr.io/e2e-test-images/busybox@sha256:"+strings.Repeat("a", 64),
					"command: [sh, -c, 'sleep 10']"),
		},
		{
			name: "a busybox of Linux in an init container",
			spec: onWindows + "initContainers: [{name: wait, image: 'busybox:1.36', command: [sh, -c, 'sleep 10']}]\n" +
				container(core),
			want: []string{
				`warning spec.initContainers[0].command[0]: "sh": ` + noShell,
				`error spec.initContainers[0].image: "busybox:1.36": is a Linux image, but os.name windows makes ` +
					`these ` +
					`Windows pods: use a Windows image (MK202)`,
			},
		},
		{
			name: "any other busybox",
			spec: onWindows + with("shop.example.com/busybox:1", "command: [sh, -c, 'sleep 10']"),
			want: found("warning", "command[0]", `"sh"`, noShell),
		},
		{name: "a program that Windows has, too", spec: onWindows + with(core, "command: [curl, -f, 'http://shop']")},
		{
			name: "a program of any name in a directory of Linux",
			spec: onWindows + with(own, "command: [/usr/bin/python3, a]"),
			want: found("warning", "command[0]", `"/usr/bin/python3"`, pathOfLinux),
		},
		{
			name: "in a home", spec: onWindows + with(core, "command: [/home/shop/run]"),
			want: found("warning", "command[0]", `"/home/shop/run"`, pathOfLinux),
		},
		{
			name: "a script of a Unix shell", spec: onWindows + with(own, "command: [/opt/shop/start.sh]"),
			want: found("warning", "command[0]", `"/opt/shop/start.sh"`, pathOfLinux),
		},
		{name: "a path as an argument", spec: onWindows + with(own, "args: [/home/shop/run.sh]")},
		{name: "a program of Windows in such a directory", spec: onWindows + with(own, "command: [/bin/shop.exe]")},
		{
			name: "Windows PowerShell behind cmd",
			spec: onWindows + with(ownOnNano, "command: [cmd, /S, /c, 'powershell -File a.ps1']"),
			want: found("warning", "command[3]", `"powershell -File a.ps1"`, "Nano Server has no Windows PowerShell: "+
				"use cmd, pwsh if the image has it, or an image on Server Core (MK231)"),
		},
		{
			name: "one as a fallback for the other",
			spec: onWindows + with(ownOnNano, "command: [cmd, /c, 'powershell -File a.ps1 || run.bat']"),
		},
		{
			name: "an argument of another program behind cmd",
			spec: onWindows + with(ownOnNano, "command: [cmd, /c, echo, powershell]"),
		},
		{name: "a program of the image", spec: onWindows + with(own, "command: [/agnhost, pause]")},
		{name: "a program that is not known", spec: onWindows + with(core, "command: [$unknown, a]")},
		{
			name: "PowerShell in Linux pods", spec: linux + with(own, "command: [powershell.exe, -File, a.ps1]"),
			want: found("warning", "command[0]", `"powershell.exe"`, onLinux),
		},
		{
			name: "cmd in Linux pods", spec: linux + with(own, "args: [cmd, /C, run.bat]"),
			want: found("warning", "args[0]", `"cmd"`, onLinux),
		},
		{
			name: "a drive in Linux pods", spec: linux + with(own, `command: ['C:\shop\shop.exe']`),
			want: found("error", "command[0]", `"C:\\shop\\shop.exe"`, "is a Windows path, and these are Linux pods: "+
				"name a program of the image, or run the pods on Windows nodes (MK234)"),
		},
		{name: "a program of Linux that is called cmd", spec: linux + with(own, "command: [cmd, serve]")},
		{name: "PowerShell 7 in Linux pods", spec: linux + with(own, "command: [pwsh, -File, a.ps1]")},
		{name: "a drive as an argument in Linux pods", spec: linux + with(own, `args: ['C:\shop']`)},
		{name: "unknown pods", spec: with(own, "command: [powershell.exe, -File, a.ps1]")},
		{
			name: "a command line written as one word", spec: with(own, `command: ["sh -c 'run me'"]`),
			want: found("error", "command[0]", `"sh -c 'run me'"`, "is interpreted as the name of one program: write "+
				"each word of the command as an item of its own: sh, -c, … (MK236)"),
		},
		{
			name: "a secret command line in one word",
			spec: onWindows + with(own, `command: ["$secret-powershell -File a.ps1"]`),
			want: found("error", "command[0]", `[secret]`, "is interpreted as the name of one program: write "+
				"each word of the command as an item of its own (MK236)"),
		},
		{
			name: "a path and arguments in one word", spec: onWindows + with(own, `command: ["/bin/sh -c run"]`),
			want: found("error", "command[0]", `"/bin/sh -c run"`, "is interpreted as the name of one program: write "+
				"each word of the command as an item of its own: /bin/sh, -c, … (MK236)"),
		},
		{
			name: "a drive and arguments in one word", spec: linux + with(own, `command: ['C:\cmd.exe /c run']`),
			want: found("error", "command[0]", `"C:\\cmd.exe /c run"`, "is interpreted as the name of one program: "+
				`write each word of the command as an item of its own: C:\cmd.exe, /c, … (MK236)`),
		},
		{name: "arguments in one word", spec: with(own, `args: ["sh -c 'run me'"]`)},
		{name: "a program with a space", spec: onWindows + with(own, `command: ['C:\Program Files\a.exe']`)},
	})
}

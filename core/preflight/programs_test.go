package preflight_test

import (
	"strings"
	"testing"
)

const (
	core = "mcr.microsoft.com/windows/servercore:ltsc2022"
	nano = "mcr.microsoft.com/windows/nanoserver:ltsc2022"
	own  = "shop.example.com/shop:1.4"
)

// runs returns a container with more fields.
func runs(image, more string) string {
	return "containers: [{name: shop, image: '" + image + "', " + more + "}]\n"
}

// finds returns the finding about a program.
func finds(severity, path, value, detail string) []string {
	return []string{severity + " spec.containers[0]." + path + ": " + value + ": " + detail}
}

func TestPowerShell(t *testing.T) {
	t.Parallel()
	const (
		ownOnNano    = "shop.example.com/shop:1.4-nanoserver-ltsc2022"
		noPowerShell = "Nano Server has no Windows PowerShell: use cmd, or an image with PowerShell (MK230)"
		noSeven      = "this image has no PowerShell 7: use cmd, or an image with PowerShell (MK230)"
		onNano       = "Nano Server has no Windows PowerShell: use cmd, pwsh if the image has it, or an image on " +
			"Server Core (MK231)"
	)
	runPodCases(t, []podCase{
		{
			name: "PowerShell in Nano Server", spec: onWindows + runs(nano, "command: [powershell, -File, a.ps1]"),
			want: finds("error", "command[0]", `"powershell"`, noPowerShell),
		},
		{
			name: "by its path", spec: onWindows + runs("mcr.microsoft.com/dotnet/aspnet:9.0-nanoserver-ltsc2022",
				`command: ['C:\Windows\System32\WindowsPowerShell\v1.0\PowerShell.EXE']`),
			want: finds("error", "command[0]", `"C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\PowerShell.EXE"`,
				noPowerShell),
		},
		{
			name: "in a probe", spec: onWindows +
				runs(nano, "readinessProbe: {timeoutSeconds: 30, exec: {command: [powershell, -File, a.ps1]}}"),
			want: finds("error", "readinessProbe.exec.command[0]", `"powershell"`, noPowerShell),
		},
		{
			name: "as arguments", spec: onWindows + runs(nano, "args: [powershell, -File, a.ps1]"),
			want: finds("warning", "args[0]", `"powershell"`, onNano),
		},
		{
			name: "in an image of somebody's own", spec: onWindows + runs(ownOnNano, "command: [powershell.exe]"),
			want: finds("warning", "command[0]", `"powershell.exe"`, onNano),
		},
		{
			name: "PowerShell 7 in Nano Server", spec: onWindows + runs(nano, "command: [pwsh]"),
			want: finds("error", "command[0]", `"pwsh"`, noSeven),
		},
		{
			name: "PowerShell 7 in Server Core", spec: onWindows + runs(core, "command: [pwsh.exe]"),
			want: finds("error", "command[0]", `"pwsh.exe"`, noSeven),
		},
		{name: "PowerShell in Server Core", spec: onWindows + runs(core, "command: [powershell]")},
		{
			name: "PowerShell 7 in its image",
			spec: onWindows + runs("mcr.microsoft.com/powershell:7.5-nanoserver-ltsc2022", "command: [pwsh]"),
		},
		{
			name: "PowerShell 7 in the SDK of .NET",
			spec: onWindows + runs("mcr.microsoft.com/dotnet/sdk:9.0-nanoserver-ltsc2022", "command: [pwsh]"),
		},
		{name: "PowerShell 7 in an image on Nano Server", spec: onWindows + runs(ownOnNano, "command: [pwsh]")},
		{name: "that of the node", spec: onWindows + hostProc + runs(nano, "command: [powershell.exe]")},
		{
			name: "brought by a volume",
			spec: onWindows + "volumes: [{name: bin}]\n" + runs(ownOnNano, "command: [powershell.exe], "+
				`volumeMounts: [{name: bin, mountPath: 'C:\bin'}]`),
		},
		{
			name: "Windows PowerShell behind cmd",
			spec: onWindows + runs(ownOnNano, "command: [cmd, /S, /c, 'powershell -File a.ps1']"),
			want: finds("warning", "command[3]", `"powershell -File a.ps1"`, onNano),
		},
		{
			name: "one as a fallback for the other",
			spec: onWindows + runs(ownOnNano, "command: [cmd, /c, 'powershell -File a.ps1 || run.bat']"),
		},
		{
			name: "an argument of another program behind cmd",
			spec: onWindows + runs(ownOnNano, "command: [cmd, /c, echo, powershell]"),
		},
	})
}

func TestProgramsOfLinuxInWindowsPods(t *testing.T) {
	t.Parallel()
	const (
		noShell     = "… (MK206)"
		noProgram   = "is a Linux program, which Microsoft's Windows images do not have: use cmd or PowerShell"
		pathOfLinux = "is the path of a Linux program or script, and this image may not have it: name a program of " +
			"the Windows image (MK233)"
		mayNotHave = "is a Linux program, and this image may not have it: use cmd or PowerShell"
		orHTTP     = ", or an httpGet or tcpSocket probe"
	)
	runPodCases(t, []podCase{
		{
			name: "a program of Linux in Server Core",
			spec: onWindows + runs(core, `livenessProbe: {exec: {command: [cat, 'C:\healthy']}}`),
			want: finds("error", "livenessProbe.exec.command[0]", `"cat"`, noProgram+orHTTP+" (MK232)"),
		},
		{
			name: "by its path in Linux", spec: onWindows + runs(core, `command: [/usr/bin/tail, -f, 'C:\log']`),
			want: finds("error", "command[0]", `"/usr/bin/tail"`, noProgram+" (MK232)"),
		},
		{
			name: "a command of cmd", spec: onWindows + runs(core, `startupProbe: {exec: {command: [dir, 'C:\a']}}`),
			want: finds("error", "startupProbe.exec.command[0]", `"dir"`, "is a command of cmd, not a program, which "+
				"Microsoft's Windows images do not have: start it with cmd, /c (MK232)"),
		},
		{
			name: "in a hook of another image",
			spec: onWindows + runs(own, "lifecycle: {preStop: {exec: {command: [sleep, '10']}}}"),
			want: finds("warning", "lifecycle.preStop.exec.command[0]", `"sleep"`, mayNotHave+" (MK233)"),
		},
		{
			name: "after env", spec: onWindows + runs(own, "command: [/usr/bin/env, sleep, '10']"),
			want: finds("warning", "command[1]", `"sleep"`, mayNotHave+" (MK233)"),
		},
		{
			name: "a busybox for Windows",
			spec: onWindows + runs("registry.k8s.io/e2e-test-images/busybox:1.29-4", "command: [sh, -c, 'sleep 10']"),
		},
		{
			name: "a mirror of it",
			spec: onWindows +
				runs("mirror.example.com/k8s.gcr.io/e2e-test-images/busybox@sha256:"+strings.Repeat("a", 64),
					"command: [sh, -c, 'sleep 10']"),
		},
		{
			name: "a busybox of Linux in an init container",
			spec: onWindows + "initContainers: [{name: wait, image: 'busybox:1.36', command: [sh, -c, 'sleep 10']}]\n" +
				container(core),
			want: []string{
				`warning spec.initContainers[0].command[0]: "sh": ` + noShell,
				"error spec.initContainers[0].image: … (MK202)",
			},
		},
		{
			name: "any other busybox",
			spec: onWindows + runs("shop.example.com/busybox:1", "command: [sh, -c, 'sleep 10']"),
			want: finds("warning", "command[0]", `"sh"`, noShell),
		},
		{name: "a program that Windows has, too", spec: onWindows + runs(core, "command: [curl, -f, 'http://shop']")},
		{
			name: "a program of any name in a directory of Linux",
			spec: onWindows + runs(own, "command: [/usr/bin/python3, a]"),
			want: finds("warning", "command[0]", `"/usr/bin/python3"`, pathOfLinux),
		},
		{
			name: "in a home", spec: onWindows + runs(core, "command: [/home/shop/run]"),
			want: finds("warning", "command[0]", `"/home/shop/run"`, pathOfLinux),
		},
		{
			name: "a script of a Unix shell", spec: onWindows + runs(own, "command: [/opt/shop/start.sh]"),
			want: finds("warning", "command[0]", `"/opt/shop/start.sh"`, pathOfLinux),
		},
		{name: "a path as an argument", spec: onWindows + runs(own, "args: [/home/shop/run.sh]")},
		{name: "a program of Windows in such a directory", spec: onWindows + runs(own, "command: [/bin/shop.exe]")},
		{name: "a program of the image", spec: onWindows + runs(own, "command: [/agnhost, pause]")},
		{name: "a program that is not known", spec: onWindows + runs(core, "command: [$unknown, a]")},
	})
}

func TestOtherCommands(t *testing.T) {
	t.Parallel()
	const (
		linux   = "nodeSelector: {kubernetes.io/os: linux}\n"
		onLinux = "is a Windows shell, and these are Linux pods: use sh, or pwsh in an image with PowerShell" +
			orWindows + " (MK235)"
		oneWord = "is interpreted as the name of one program: write each word of the command as an item of its own"
	)
	runPodCases(t, []podCase{
		{
			name: "PowerShell in Linux pods", spec: linux + runs(own, "command: [powershell.exe, -File, a.ps1]"),
			want: finds("warning", "command[0]", `"powershell.exe"`, onLinux),
		},
		{
			name: "cmd in Linux pods", spec: linux + runs(own, "args: [cmd, /C, run.bat]"),
			want: finds("warning", "args[0]", `"cmd"`, onLinux),
		},
		{
			name: "a drive in Linux pods", spec: linux + runs(own, `command: ['C:\shop\shop.exe']`),
			want: finds("error", "command[0]", `"C:\\shop\\shop.exe"`, "is a Windows path, and these are Linux pods: "+
				"name a program of the image"+orWindows+" (MK234)"),
		},
		{name: "a program of Linux that is called cmd", spec: linux + runs(own, "command: [cmd, serve]")},
		{name: "PowerShell 7 in Linux pods", spec: linux + runs(own, "command: [pwsh, -File, a.ps1]")},
		{name: "a drive as an argument in Linux pods", spec: linux + runs(own, `args: ['C:\shop']`)},
		{name: "unknown pods", spec: runs(own, "command: [powershell.exe, -File, a.ps1]")},
		{
			name: "a command line written as one word", spec: runs(own, `command: ["sh -c 'run me'"]`),
			want: finds("error", "command[0]", `"sh -c 'run me'"`, oneWord+": sh, -c, … (MK236)"),
		},
		{
			name: "a secret command line in one word",
			spec: onWindows + runs(own, `command: ["$secret-powershell -File a.ps1"]`),
			want: finds("error", "command[0]", `[secret]`, oneWord+" (MK236)"),
		},
		{
			name: "a path and arguments in one word", spec: onWindows + runs(own, `command: ["/bin/sh -c run"]`),
			want: finds("error", "command[0]", `"/bin/sh -c run"`, oneWord+": /bin/sh, -c, … (MK236)"),
		},
		{
			name: "a drive and arguments in one word", spec: linux + runs(own, `command: ['C:\cmd.exe /c run']`),
			want: finds("error", "command[0]", `"C:\\cmd.exe /c run"`, oneWord+`: C:\cmd.exe, /c, … (MK236)`),
		},
		{name: "arguments in one word", spec: runs(own, `args: ["sh -c 'run me'"]`)},
		{name: "a program with a space", spec: onWindows + runs(own, `command: ['C:\Program Files\a.exe']`)},
	})
}

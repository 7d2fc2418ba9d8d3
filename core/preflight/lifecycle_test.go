package preflight_test

import "testing"

func TestStartAndStopOfWindowsContainers(t *testing.T) {
	t.Parallel()
	const linux = "nodeSelector: {kubernetes.io/os: linux}\n"
	with := func(more string) string {
		return "containers: [{name: shop, image: 'shop.example.com/shop:1.4', " + more + "}]\n"
	}
	probe := func(name, program, more string) string {
		return with(name + ": {exec: {command: [" + program + ", -File, a.ps1]}" + more + "}")
	}
	tooShort := func(path, value, verb string) []string {
		return []string{"warning spec.containers[0]." + path + ": " + value + verb + "PowerShell may take longer to " +
			"start: allow 30, or use an HTTP or TCP probe (MK533)"}
	}
	script := func(path, program string) []string {
		return []string{`info spec.template.spec.containers[0].` + path + `: "` + program + `": does not notify the ` +
			`program that it starts when the container ends: start the program itself, or add a preStop hook that ` +
			`ends it (MK534)`}
	}
	initContainer := func(command string) string {
		return "initContainers: [{name: wait, image: 'shop.example.com/wait', command: [" + command + "]}]\n" +
			container("shop.example.com/shop:1.4")
	}
	looksUp := []string{`info spec.initContainers[0].command: looks up a name, and DNS may not answer in the first ` +
		`seconds: try again in a loop (MK535)`}
	disk := func(list, value string) []string {
		return []string{`warning spec.containers[0].resources.` + list + `.ephemeral-storage: "` + value + `": is ` +
			`more than the 20 GB that a Windows container can write: mount a volume for the data, and request what ` +
			`else is written (MK536)`}
	}
	runPodCases(t, []podCase{
		{
			name: "a probe with the default time", spec: onWindows + probe("livenessProbe", "powershell.exe", ""),
			want: tooShort("livenessProbe.timeoutSeconds", "", "is 1 by default, and "),
		},
		{
			name: "a probe with little time", spec: onWindows + probe("startupProbe", "pwsh", ", timeoutSeconds: 4"),
			want: tooShort("startupProbe.timeoutSeconds", "4: ", ""),
		},
		{name: "a probe with time", spec: onWindows + probe("livenessProbe", "powershell", ", timeoutSeconds: 5")},
		{
			name: "a probe whose time is not known",
			spec: onWindows + probe("livenessProbe", "powershell", ", timeoutSeconds: $unknown"),
		},
		{name: "a probe with another program", spec: onWindows + probe("livenessProbe", "health.exe", "")},
		{name: "a probe on Linux", spec: linux + probe("livenessProbe", "pwsh", "")},
		{
			name: "a script", kind: "Deployment", spec: onWindows + with("command: [cmd.exe, /c, a.bat]"),
			want: script("command[0]", "cmd.exe"),
		},
		{
			name: "a script as arguments", kind: "StatefulSet", spec: onWindows + with("args: [powershell, -File, "+
				"a.ps1]"),
			want: script("args[0]", "powershell"),
		},
		{
			name: "a script with a hook", kind: "Deployment", spec: onWindows + with(
				"command: [cmd, /c, a.bat], lifecycle: {preStop: {exec: {command: [stop.exe]}}}",
			),
		},
		{name: "a script of a Job", kind: "Job", spec: onWindows + with("command: [cmd, /c, a.bat]")},
		{
			name: "a script in the arguments", kind: "Deployment",
			spec: onWindows + with("command: [powershell, -Command, 'while (1) { Start-Sleep 9 }']"),
		},
		{name: "a program", kind: "Deployment", spec: onWindows + with("command: [shop.exe]")},
		{
			name: "a script in a host process", kind: "DaemonSet",
			spec: onWindows + hostProc + with("command: [powershell, -File, a.ps1]"),
		},
		{
			name: "a name that is looked up once", spec: onWindows + initContainer("cmd, /c, nslookup database"),
			want: looksUp,
		},
		{
			name: "a name that is looked up until there is an answer",
			spec: onWindows + initContainer("powershell, 'until (Resolve-DnsName db) { }'"),
		},
		{name: "what is looked up is not known", spec: onWindows + initContainer("cmd, /c, nslookup, $unknown")},
		{name: "a name on Linux", spec: linux + initContainer("nslookup, database")},
		{
			name: "more disk than a container has",
			spec: onWindows + with("resources: {limits: {ephemeral-storage: 21Gi}}"), want: disk("limits", "21Gi"),
		},
		{name: "the disk of a container", spec: onWindows + with("resources: {limits: {ephemeral-storage: 20Gi}}")},
		{name: "much disk on Linux", spec: linux + with("resources: {limits: {ephemeral-storage: 50Gi}}")},
		{
			name: "much disk in a host process",
			spec: onWindows + hostProc + with("resources: {limits: {ephemeral-storage: 50Gi}}"),
		},
		{
			name: "much disk with an emptyDir", spec: onWindows + "volumes: [{name: a, emptyDir: {}}]\n" + with(
				`volumeMounts: [{name: a, mountPath: 'C:\a'}], resources: {limits: {ephemeral-storage: 50Gi}}`,
			),
		},
	})
}

func TestUsersOfHostProcessContainers(t *testing.T) {
	t.Parallel()
	ofPod := func(user string) string {
		return onWindows + "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, runAsUserName: '" +
			user + "'}}\n" + container("shop.example.com/shop:1.4")
	}
	const use = `: use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the name ` +
		`of a local group (MK532)`
	const fix = ": is a user of containers, and not of the node" + use
	const atPod = "error spec.securityContext.windowsOptions.runAsUserName: "
	runPodCases(t, []podCase{
		{
			name: "ContainerAdministrator", spec: ofPod("ContainerAdministrator"),
			want: []string{atPod + `"ContainerAdministrator"` + fix},
		},
		{
			name: "ContainerUser with its domain", spec: ofPod(`user manager\containeruser`),
			want: []string{atPod + `"user manager\\containeruser"` + fix},
		},
		{
			name: "of a container",
			spec: onWindows + hostProc + "containers: [{name: a, image: a, securityContext: {windowsOptions: " +
				"{runAsUserName: ContainerUser}}}]\n",
			want: []string{`error spec.containers[0].securityContext.windowsOptions.runAsUserName: "ContainerUser"` +
				fix},
		},
		{name: "a service account", spec: ofPod(`NT AUTHORITY\Local service`)},
		{
			name: "a user of a domain", spec: ofPod(`SHOP\svc`),
			want: []string{atPod + `"SHOP\\svc": is an account that needs a password to log on` + use},
		},
		{name: "a service account in another case", spec: ofPod(`NT AUTHORITY\system`)},
		{name: "a service account without the space", spec: ofPod(`NT AUTHORITY\LocalService`)},
		{name: "a service account with a space", spec: ofPod(`NT AUTHORITY\NETWORK SERVICE`)},
		{
			name: "a domain in another case", spec: ofPod(`nt authority\system`),
			want: []string{atPod + `"nt authority\\system": has the domain nt authority, which the runtime ` +
				`recognizes in upper case only: write NT AUTHORITY\SYSTEM (MK532)`},
		},
		{
			name: "without the domain", spec: ofPod("SYSTEM"),
			want: []string{atPod + `"SYSTEM": is not the name of the account on the node: write NT AUTHORITY\SYSTEM ` +
				`(MK532)`},
		},
		{
			name: "a group with its domain", spec: ofPod(`BUILTIN\Users`),
			want: []string{atPod + `"BUILTIN\\Users": is a group with its domain, and the runtime finds groups by ` +
				`their name alone: write Users (MK532)`},
		},
		{name: "a local group", spec: ofPod("backup-operators")},
		{
			name: "in an ordinary container",
			spec: onWindows + "securityContext: {windowsOptions: {runAsUserName: ContainerAdministrator}}\n" +
				container("shop.example.com/shop:1.4"),
		},
	})
}

func TestTheFixOfASecretUserDoesNotShowIt(t *testing.T) {
	t.Parallel()
	const user = `"$secret-NT AUTHORITY\\LocalSystem"`
	spec := "hostNetwork: true, securityContext: {windowsOptions: {hostProcess: true, runAsUserName: " + user + "}}"
	wantFindings(t, object(t, inPod("windows", spec, "")), v136, "MK532",
		"spec.securityContext.windowsOptions.runAsUserName: [secret]: is not a user that the runtime can log on: use "+
			"a service account, or the name of a local group (MK532)")
}

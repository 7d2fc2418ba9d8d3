package preflight_test

import (
	"testing"
)

func TestUsersOfGroupManagedServiceAccounts(t *testing.T) {
	t.Parallel()
	const (
		spec = "gmsaCredentialSpecName: shop"
		none = "has no identity on the network, although there is a Group Managed Service Account: set it to NT " +
			`AUTHORITY\NETWORK SERVICE (MK807)`
		ofNano = "securityContext.windowsOptions.runAsUserName: the image runs as ContainerUser, which has no " +
			"identity " +
			`on the network, although there is a Group Managed Service Account: set it to NT AUTHORITY\NETWORK ` +
			`SERVICE (MK807)`
		ofPod = "spec.securityContext.windowsOptions.runAsUserName: "
	)
	pod := func(options string) string { return "securityContext: {windowsOptions: {" + options + "}}" }
	for _, tt := range []struct {
		name, spec, container string
		want                  []string
	}{
		{"the user of the pod", pod(spec + ", runAsUserName: ContainerUser"), "", []string{
			ofPod + `"ContainerUser": ` + none,
		}},
		{"in other case", pod(spec + `, runAsUserName: 'User Manager\containeruser'`), "", []string{
			ofPod + `"User Manager\\containeruser": ` + none,
		}},
		{"a whole specification", pod("gmsaCredentialSpec: '{}', runAsUserName: ContainerUser"), "", []string{
			ofPod + `"ContainerUser": ` + none,
		}},
		{
			"of the container", pod("runAsUserName: ContainerAdministrator"), pod(spec + ", runAsUserName: " +
				"ContainerUser"),
			[]string{`spec.containers[0].securityContext.windowsOptions.runAsUserName: "ContainerUser": ` + none},
		},
		{
			"the user of the pod in a container with the account", pod("runAsUserName: ContainerUser"), pod(spec),
			[]string{ofPod + `"ContainerUser": ` + none},
		},
		{"Network Service", pod(spec + `, runAsUserName: 'NT AUTHORITY\NETWORK SERVICE'`), "", nil},
		{"a user that is not known", pod(spec + ", runAsUserName: '$unknown'"), "", nil},
		{
			"options that are not known", pod(spec + ", runAsUserName: ContainerUser"),
			"securityContext: '$unknown'", nil,
		},
		{"no account", pod("runAsUserName: ContainerUser"), "", nil},
		{"no user", pod(spec), "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := object(t, inPod("windows", tt.spec, tt.container))
			wantFindings(t, o, v136, "MK807", tt.want...)
		})
	}
	const nano = "mcr.microsoft.com/windows/nanoserver:ltsc2022"
	wantFindings(t, object(t, withImage(nano, pod(spec), "")), v136, "MK807", "spec.containers[0]."+ofNano)
	wantFindings(t, object(t, withImage(nano, "", "")), v136, "MK807")
	wantFindings(t, object(t, withImage(nano, pod(spec+", runAsUserName: '$unknown'"), "")), v136, "MK807")
	// Images of others may set another user.
	wantFindings(t, object(t, withImage("golang:1.26-nanoserver-ltsc2022", pod(spec), "")), v136, "MK807")
}

func TestHostnamesOfGroupManagedServiceAccounts(t *testing.T) {
	t.Parallel()
	const account = ", securityContext: {windowsOptions: {gmsaCredentialSpecName: shop}}"
	const found = `spec.template.spec.hostname: "web": is the hostname of several pods with one Group Managed ` +
		`Service Account: remove it (MK808)`
	for _, tt := range []struct {
		name, kind, spec, hostname string
		want                       []string
	}{
		{"several pods", "Deployment", "replicas: 2", "web" + account, []string{found}},
		{"on all nodes", "DaemonSet", "minReadySeconds: 0", "web" + account, []string{found}},
		{"a parallel Job", "Job", "parallelism: 3", "web" + account, []string{found}},
		{"one pod", "Deployment", "replicas: 1", "web" + account, nil},
		{"one pod by default", "Deployment", "minReadySeconds: 0", "web" + account, nil},
		{"a StatefulSet", "StatefulSet", "replicas: 2", "web" + account, nil},
		{"no account", "Deployment", "replicas: 2", "web", nil},
		{"a number that is not known", "Deployment", "replicas: '$unknown'", "web" + account, nil},
		{"a hostname that is not known", "Deployment", "replicas: 2", "'$unknown'" + account, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, "{kind: "+tt.kind+", spec: {"+tt.spec+", template: {spec: {"+inWindows+
				", containers: [{name: shop, image: shop.example.com/shop}], hostname: "+tt.hostname+"}}}}"),
				v136, "MK808", tt.want...)
		})
	}
}

func TestServiceMonitorNeedsAnAdministrator(t *testing.T) {
	t.Parallel()
	const (
		iis  = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
		shop = "shop.example.com/shop"
		cmd  = "command: [cmd]"
		user = "securityContext: {windowsOptions: {runAsUserName: ContainerUser}}"
		root = "securityContext: {runAsNonRoot: true}"
		at   = `"ContainerUser": cannot start the service of the image: ServiceMonitor needs an administrator: ` +
			`remove it, so that the container runs as ContainerAdministrator (MK419)`
		ofPod   = "spec.securityContext.windowsOptions.runAsUserName: " + at
		nonRoot = `spec.containers[0].image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022": ` +
			`runs as ContainerAdministrator by default, and runAsNonRoot is true: remove runAsNonRoot: ` +
			`ServiceMonitor, which the image starts, needs an administrator (MK408)`
	)
	for _, tt := range []struct {
		name, image, spec, container string
		want                         []string
	}{
		{"IIS", iis, user, "", []string{ofPod}},
		{"ASP.NET", "mcr.microsoft.com/dotnet/framework/aspnet:4.8", user, "", []string{ofPod}},
		{"of the container", iis, "", user, []string{
			"spec.containers[0].securityContext.windowsOptions.runAsUserName: " + at,
		}},
		{"its command", shop, user, `command: ['C:\ServiceMonitor.exe', w3svc]`, []string{ofPod}},
		{"another command", iis, user, cmd, nil},
		{"a command that is not known", iis, user, "command: '$unknown'", nil},
		{"another image", "mcr.microsoft.com/dotnet/framework/runtime:4.8", user, "", nil},
		{"an image that is not known", "'$unknown'", user, "", nil},
		{"a user that is not known", iis, "securityContext: {windowsOptions: {runAsUserName: '$unknown'}}", "", nil},
		{"another user", iis, "securityContext: {windowsOptions: {runAsUserName: ContainerAdministrator}}", "", nil},
		{"runAsNonRoot", iis, root, "", []string{nonRoot}},
		{"runAsNonRoot with another command", iis, root, cmd, []string{
			"spec.containers[0].image: … (MK408)",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, withImage(tt.image, tt.spec, tt.container)), v136, "MK419,MK408", tt.want...)
		})
	}
}

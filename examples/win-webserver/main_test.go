package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestPowerShellReceivesTheScriptUnchanged(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, program)
	deployment, err := graph.Get("kubernetes:apps/v1:Deployment", "win-webserver-deployment")
	if err != nil {
		t.Fatal(err)
	}
	command := deployment.Inputs["spec"].ObjectValue()["template"].ObjectValue()["spec"].ObjectValue()["containers"].
		ArrayValue()[0].ObjectValue()["command"].ArrayValue()
	written := command[len(command)-1].StringValue()
	if strings.Contains(strings.ReplaceAll(written, "$$", ""), "$") {
		t.Errorf("a single $ is left in the command, which Kubernetes may expand:\n%s", written)
	}
	if diff := cmp.Diff(script, strings.ReplaceAll(written, "$$", "$")); diff != "" {
		t.Errorf("the script in the container (-want +got):\n%s", diff)
	}
}

func TestDeployedResources(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	if diff := cmp.Diff(want, graph.String()); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
}

const want = `project-stack (preview)
  kubernetes:core/v1:Service "win-webserver"
    inputs:
      apiVersion: v1
      kind: Service
      metadata: {labels: {app: win-webserver}, name: win-webserver}
      spec:
        ports: [{port: 80, targetPort: 80}]
        selector: {app: win-webserver}
        type: NodePort
  mixedkube:workload:Deployment "win-webserver" (component)
    outputs:
      name: win-webserver
    kubernetes:apps/v1:Deployment "win-webserver-deployment"
      timeouts: create 30m, update 30m
      alias: type kubernetes:extensions/v1beta1:Deployment
      inputs:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {labels: {app: win-webserver}, name: win-webserver}
        spec:
          replicas: 2
          selector: {matchLabels: {app: win-webserver}}
          template:
            metadata: {labels: {app: win-webserver}}
            spec:
              containers:
                - command:
                    - powershell.exe
                    - -command
                    - |
                      $$listener = New-Object System.Net.HttpListener
                      $$listener.Prefixes.Add('http://*:80/')
                      $$listener.Start()
                      Write-Host 'Listening at http://*:80/'
                      $$others = Get-NetIPAddress -AddressFamily IPv4 | Where-Object IPAddress -ne '127.0.0.1'
                      $$own = ($$others | Select-Object -First 1).IPAddress
                      $$callerCounts = @{}
                      while ($$listener.IsListening) {
                        $$context = $$listener.GetContext()
                        $$caller = $$context.Request.RemoteEndPoint.Address.ToString()
                        $$callerCounts[$$caller] = 1 + $$callerCounts[$$caller]
                        Write-Host "> $$($$context.Request.Url)"
                        $$page = '<html><body><h1>Windows Container Web Server</h1>'
                        foreach ($$ip in $$callerCounts.Keys) { ` +
	`$$page += "<p>IP $$own, called by $$ip $$($$callerCounts[$$ip]) times</p>" }
                        $$page += '</body></html>'
                        $$bytes = [System.Text.Encoding]::UTF8.GetBytes($$page)
                        $$context.Response.ContentLength64 = $$bytes.Length
                        $$context.Response.OutputStream.Write($$bytes, 0, $$bytes.Length)
                        Write-Host "< $$($$context.Response.StatusCode)"
                        $$context.Response.Close()
                      }
                  image: mcr.microsoft.com/windows/servercore:ltsc2022
                  name: windowswebserver
                  resources: {limits: {memory: 300Mi}}
              nodeSelector:
                kubernetes.io/arch: amd64
                kubernetes.io/os: windows
                node.kubernetes.io/windows-build: 10.0.20348
              os: {name: windows}
              tolerations: [{effect: NoSchedule, key: os, operator: Equal, value: windows}]
`

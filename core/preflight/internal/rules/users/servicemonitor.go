package users

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var serviceMonitorRules = []engine.Rule{serviceMonitorAsContainerUser}

var serviceMonitorAsContainerUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK419", Severity: rule.Warning, Title: "ServiceMonitor as ContainerUser", Page: rulepages.Users,
		Reason: "Microsoft's images of IIS, ASP.NET and WCF start ServiceMonitor.exe, which configures, starts and " +
			"watches the service w3svc. It needs the rights of an administrator, and the container ends without " +
			"them. The web application itself runs in an application pool, as a user with few rights.",
		Fix: "remove it, so that the container runs as ContainerAdministrator",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-security" +
			"#windows-services",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		if p.HostProcess() || p.HostProcessUnknown() {
			return nil
		}
		var found []rule.Problem
		for i := range p.Containers {
			if !startsServiceMonitor(p, i) {
				continue
			}
			ctr := &p.Containers[i]
			user, known := p.UserOf(ctr)
			if !known || !subject.IsContainerUser(user) {
				continue
			}
			if ctr.Windows["runAsUserName"] == nil {
				ctr = nil // it is the user of the pod
			}
			found = append(found, rule.Problem{
				Path: p.OptionPath(ctr, "runAsUserName"), Value: user,
				Detail: "cannot start the service of the image: ServiceMonitor needs an administrator",
			})
		}
		return onceEach(found)
	})},
}

// withServiceMonitor are Microsoft's images whose entry point is ServiceMonitor.
var withServiceMonitor = [...]string{"windows/servercore/iis", "dotnet/framework/aspnet", "dotnet/framework/wcf"}

// startsServiceMonitor reports whether a container starts ServiceMonitor, by its command or as the entry point of one
// of Microsoft's images.
func startsServiceMonitor(p *subject.Pods, container int) bool {
	ctr := &p.Containers[container]
	if ctr.Spec["command"] == nil {
		return slices.Contains(withServiceMonitor[:], p.ImageName(container).Microsoft)
	}
	command := tree.List(ctr.Spec["command"])
	if len(command) == 0 {
		return false
	}
	program, _ := tree.Text(command[0])
	program = strings.ToLower(program[strings.LastIndexAny(program, `\/`)+1:])
	return program == "servicemonitor.exe" || program == "servicemonitor"
}

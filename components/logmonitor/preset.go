package logmonitor

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// IIS returns what Internet Information Services write: errors in the channels system and
// application of the event log, the files of C:\inetpub\logs, and the events of IIS. The
// list is the caller's to change.
//
// The requests are in the files, and also in the events of Microsoft-Windows-IIS-Logging
// if the sites log to ETW as well (logTargetW3C="File,ETW", by default they do not)
// (https://github.com/microsoft/windows-container-tools/tree/main/LogMonitor/src/LogMonitor/sample-config-files/IIS).
func IIS() []Source { return iis(Error) }

// ASPNET is [IIS] and, of the channel application, warnings too: as such ASP.NET writes
// an exception that a page did not handle, event 1309
// (https://learn.microsoft.com/es-es/archive/blogs/desarrolloweb/qu-son-los-eventos-1309-de-asp-net).
// The ASP.NET Core Module writes to the same channel what keeps an application from
// starting. Its logs in files are off by default, and meant for troubleshooting only: add a
// [File] with the directory if it is on
// (https://learn.microsoft.com/en-us/aspnet/core/host-and-deploy/iis/logging-and-diagnostics).
func ASPNET() []Source { return iis(Warning) }

func iis(application Level) []Source {
	return []Source{
		EventLog{
			Channels: []Channel{{Name: "system", Level: Error}, {Name: "application", Level: application}},
			// The services start before LogMonitor does.
			StartAtOldestRecord: true,
		},
		File{Directory: `C:\inetpub\logs`, Filter: "*.log", IncludeSubdirectories: true},
		ETW{Providers: []Provider{
			{Name: "IIS: WWW Server", GUID: "3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83", Level: Information},
			{Name: "Microsoft-Windows-IIS-Logging", GUID: "7E8AD27F-B271-4EA2-A783-A47BDE29143B", Level: Information},
		}},
	}
}

// IISCommand returns what Microsoft's images of IIS and of ASP.NET start. A container whose
// entry point is another one needs that one.
func IISCommand() pulumi.StringArray {
	return pulumi.ToStringArray([]string{`C:\ServiceMonitor.exe`, "w3svc"})
}

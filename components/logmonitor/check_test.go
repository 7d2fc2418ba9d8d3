package logmonitor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// file and others are valid except what a test changes.
func file(directory string) logmonitor.File { return logmonitor.File{Directory: directory} }

func channel(level logmonitor.Level) logmonitor.EventLog {
	return logmonitor.EventLog{Channels: []logmonitor.Channel{{Name: "system", Level: level}}}
}

func provider(p logmonitor.Provider) logmonitor.ETW {
	return logmonitor.ETW{Providers: []logmonitor.Provider{p}}
}

const (
	needsSource = "sources: Required value: list what LogMonitor reads: logmonitor.IIS(), or sources of your own"
	notGUID     = "is not a GUID: write 8, 4, 4, 4 and 12 hexadecimal digits with hyphens, as in " +
		"3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83"
	absolute = `must be an absolute path with its drive: write C:\logs for example`
)

func TestInvalidSources(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		format  logmonitor.Format
		sources []logmonitor.Source
		want    []string
	}{
		{"nothing", "", nil, []string{needsSource}},
		{"nil", "", []logmonitor.Source{nil, (*logmonitor.File)(nil)}, []string{
			"sources[0]: Required value: a source is an EventLog, File, ETW or Process",
			"sources[1]: Required value: a source is an EventLog, File, ETW or Process",
		}},
		{"an unknown format", "jsn", []logmonitor.Source{logmonitor.Process{CustomLogFormat: "%Nothing%"}}, []string{
			`logFormat: Invalid value: "jsn": unknown format: did you mean "json"? (use json, xml or custom)`,
		}},
		{"an event log without channels", "", []logmonitor.Source{logmonitor.EventLog{}}, []string{
			"sources[0].channels: Required value: an event log needs at least one channel, application for example",
		}},
		{"channels", "", []logmonitor.Source{logmonitor.EventLog{Channels: []logmonitor.Channel{
			{Level: "Eror"}, {Name: "system ", Level: "loud"}, {Name: "a\x00b"}, {Name: "\xff"},
		}}}, []string{
			"sources[0].channels[0].level: Invalid value: \"Eror\": unknown level: did you mean \"Error\"? (use " +
				"Critical, Error, Warning, Information or Verbose)",
			"sources[0].channels[0].name: Required value: the name of the channel, application for example",
			`sources[0].channels[1].level: Invalid value: "loud": unknown level (use Critical, Error, Warning, ` +
				`Information or Verbose)`,
			`sources[0].channels[1].name: Invalid value: "system ": must not begin or end with white space: remove it`,
			`sources[0].channels[2].name: Invalid value: "a\x00b": must not contain control characters: remove them`,
			`sources[0].channels[3].name: Invalid value: "` + "\uFFFD" + `": is not valid UTF-8: correct it`,
		}},
		{"event tracing without providers", "", []logmonitor.Source{logmonitor.ETW{}}, []string{
			"sources[0].providers: Required value: event tracing needs at least one provider: logman query providers " +
				"lists them",
		}},
		{"providers", "", []logmonitor.Source{logmonitor.ETW{Providers: []logmonitor.Provider{
			{Level: logmonitor.Warning},
			{Name: "IIS", GUID: "3A2A4E84-4C21-4981-AE10"},
			{GUID: "{3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83"},
			{GUID: "3A2A4E8G-4C21-4981-AE10-3FDA0D9B0F83", Level: "informational"},
			{Name: " IIS"},
		}}}, []string{
			"sources[0].providers[0].providerGuid: Required value: a provider needs its GUID, or its name at least: " +
				"logman query providers lists both",
			`sources[0].providers[1].providerGuid: Invalid value: "3A2A4E84-4C21-4981-AE10": ` + notGUID,
			`sources[0].providers[2].providerGuid: Invalid value: "{3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83": ` + notGUID,
			`sources[0].providers[3].level: Invalid value: "informational": unknown level: did you mean ` +
				`"Information"? (use Critical, Error, Warning, Information or Verbose)`,
			`sources[0].providers[3].providerGuid: Invalid value: "3A2A4E8G-4C21-4981-AE10-3FDA0D9B0F83": ` + notGUID,
			`sources[0].providers[4].providerName: Invalid value: " IIS": must not begin or end with white space: ` +
				`remove it`,
		}},
		{"directories", "", []logmonitor.Source{
			file(""), file("logs"), file(`\logs`), file(`C:logs`), file(`\\server\logs`), file("C:/inetpub/logs"),
			file(`%ProgramData%\logs`),
			file(`C:\app\..\logs`), file(`C:\logs\*.log`), file(`C:\\logs`), file(`C:\logs `),
		}, []string{
			`sources[0].directory: Required value: the directory of the log files, C:\inetpub\logs for example`,
			`sources[1].directory: Invalid value: "logs": ` + absolute,
			`sources[2].directory: Invalid value: "\\logs": ` + absolute,
			`sources[3].directory: Invalid value: "C:logs": ` + absolute,
			`sources[4].directory: Invalid value: "\\\\server\\logs": ` + absolute,
			`sources[5].directory: Invalid value: "C:/inetpub/logs": LogMonitor opens it as a path in which / ` +
				`separates nothing: write C:\inetpub\logs`,
			`sources[6].directory: Invalid value: "%ProgramData%\\logs": LogMonitor does not replace variables: ` +
				`write what %ProgramData% stands for`,
			`sources[7].directory: Invalid value: "C:\\app\\..\\logs": LogMonitor opens it as a path in which . and ` +
				`.. mean nothing: write the directory itself`,
			`sources[8].directory: Invalid value: "C:\\logs\\*.log": holds one of <>:"|?*, which no directory has in ` +
				`its name: put a pattern into filter`,
			`sources[9].directory: Invalid value: "C:\\\\logs": LogMonitor opens it as a path in which \\ is an ` +
				`empty name: write one backslash`,
			`sources[10].directory: Invalid value: "C:\\logs ": must not begin or end with white space: remove it`,
		}},
		{"a drive's root with its subdirectories", "", []logmonitor.Source{
			logmonitor.File{Directory: `C:\`, IncludeSubdirectories: true},
			logmonitor.File{Directory: `d:\\`, IncludeSubdirectories: true},
			file(`C:\`),
			file("C:"),
			logmonitor.File{Directory: "C:", IncludeSubdirectories: true},
		}, []string{
			`sources[0].directory: Invalid value: "C:\\": LogMonitor does not read the subdirectories of a drive's ` +
				`root: name a directory, or leave includeSubdirectories out`,
			`sources[1].directory: Invalid value: "d:\\\\": LogMonitor does not read the subdirectories of a drive's ` +
				`root: name a directory, or leave includeSubdirectories out`,
			`sources[4].directory: Invalid value: "C:": LogMonitor does not read the subdirectories of a drive's ` +
				`root: name a directory, or leave includeSubdirectories out`,
		}},
		{
			"filter and waiting", "",
			[]logmonitor.Source{logmonitor.File{Directory: `C:\logs`, Filter: `app\*.log`, WaitInSeconds: -2}},
			[]string{
				`sources[0].filter: Invalid value: "app\\*.log": is a pattern for the names of files, ` +
					`without a path: put the path into directory`,
				"sources[0].waitInSeconds: Invalid value: -2: must be a number of seconds, or logmonitor.Forever",
			},
		},
		{"a custom format without the format custom", logmonitor.FormatXML, []logmonitor.Source{
			logmonitor.Process{CustomLogFormat: "%Logline%"}, logmonitor.Process{CustomLogFormat: "%Logline%"},
		}, []string{
			`sources[0].customLogFormat: Invalid value: "%Logline%": has no effect with the log format xml: use the ` +
				`log format custom, or remove it`,
			`sources[1].customLogFormat: Invalid value: "%Logline%": has no effect with the log format xml: use the ` +
				`log format custom, or remove it`,
		}},
		{"the format custom without a custom format", "Custom", []logmonitor.Source{file(`C:\logs`)}, []string{
			"sources[0].customLogFormat: Required value: the log format custom needs one for each source, or " +
				"LogMonitor writes empty lines: write for example %TimeStamp% %Message%",
		}},
		{"fields of a custom format", logmonitor.FormatCustom, []logmonitor.Source{
			logmonitor.File{Directory: `C:\logs`, CustomLogFormat: "%timestamp% 100% %Mesage% %Severity%|json"},
			logmonitor.Process{CustomLogFormat: "\xff"},
		}, []string{
			`sources[0].customLogFormat: Invalid value: "%timestamp% 100% %Mesage% %Severity%|json": a source of ` +
				`type File has no field %Mesage%: did you mean %Message%? (use Source, TimeStamp, FileName or ` +
				`Message)`,
			`sources[0].customLogFormat: Invalid value: "%timestamp% 100% %Mesage% %Severity%|json": a source of ` +
				`type File has no field %Severity% (use Source, TimeStamp, FileName or Message)`,
			`sources[1].customLogFormat: Invalid value: "` + "\uFFFD" + `": is not valid UTF-8: correct it`,
		}},
		{"settings that LogMonitor has only once", logmonitor.FormatCustom, []logmonitor.Source{
			logmonitor.EventLog{
				Channels: channel("").Channels, StartAtOldestRecord: true,
				CustomLogFormat: "%Message%",
			},
			logmonitor.ETW{Providers: []logmonitor.Provider{{Name: "a"}}, CustomLogFormat: "%EventData%"},
			logmonitor.EventLog{
				Channels: channel("").Channels, EventFormatMultiLine: true,
				CustomLogFormat: "%Source%",
			},
			logmonitor.ETW{
				Providers: []logmonitor.Provider{{Name: "b"}}, CustomLogFormat: "%EventData%",
				EventFormatMultiLine: true,
			},
		}, []string{
			`sources[2].customLogFormat: Invalid value: "%Source%": LogMonitor has one such setting for all sources ` +
				`of type EventLog, and sources[0] says "%Message%": set the same value, or merge the sources`,
			"sources[2].eventFormatMultiLine: Invalid value: true: LogMonitor has one such setting for all sources " +
				"of type EventLog, and sources[0] says false: set the same value, or merge the sources",
			"sources[2].startAtOldestRecord: Invalid value: false: LogMonitor has one such setting for all sources " +
				"of type EventLog, and sources[0] says true: set the same value, or merge the sources",
			"sources[3].eventFormatMultiLine: Invalid value: true: LogMonitor has one such setting for all sources " +
				"of type ETW, and sources[1] says false: set the same value, or merge the sources",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := fielderrors.Join("it", logmonitor.LogConfig{LogFormat: tt.format, Sources: tt.sources}.Validate(nil))
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.TrimPrefix(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n  ", "\n"), "it:\n"),
				"it: ")
			if diff := cmp.Diff(tt.want, strings.Split(got, "\n")); diff != "" {
				t.Errorf("the errors (-want +got):\n%s", diff)
			}
		})
	}
}

// Configurations that LogMonitor accepts must not be refused.
func TestValidConfigurations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]logmonitor.LogConfig{
		"IIS":           {Sources: logmonitor.IIS()},
		"ASP.NET":       {Sources: logmonitor.ASPNET(), LogFormat: "XML"},
		"more than IIS": {Sources: append(logmonitor.IIS(), file(`C:\app\logs`), logmonitor.Process{})},
		"pointers": {Sources: []logmonitor.Source{
			&logmonitor.File{Directory: `C:\app\logs\`},
			&logmonitor.Process{},
		}},
		"levels in lower": {Sources: []logmonitor.Source{channel("verbose"), channel("ERROR")}},
		"a GUID in braces": {Sources: []logmonitor.Source{
			provider(logmonitor.Provider{GUID: "{3a2a4e84-4c21-4981-ae10-3fda0d9b0f83}"}),
		}},
		"a channel with a path": {Sources: []logmonitor.Source{
			logmonitor.EventLog{
				Channels: []logmonitor.Channel{{Name: "Microsoft-Windows-IIS-Configuration/Operational"}},
			},
		}},
		"the fields of an event": {LogFormat: "custom", Sources: []logmonitor.Source{logmonitor.EventLog{
			Channels:        []logmonitor.Channel{{Name: "application"}},
			CustomLogFormat: "%Source% %EventSource% %TimeStamp% %EventID% %Severity% %Message%",
		}}},
		"waiting forever": {Sources: []logmonitor.Source{logmonitor.File{
			Directory:     `D:\x`,
			WaitInSeconds: logmonitor.Forever,
		}}},
		"a format and JSON": {
			LogFormat: "CUSTOM",
			Sources:   []logmonitor.Source{logmonitor.Process{CustomLogFormat: "{'m':'%LOGLINE%'}|json"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if errs := c.Validate(nil); len(errs) > 0 {
				t.Error(errs.ToAggregate())
			}
		})
	}
}

package logmonitor

import "k8s.io/apimachinery/pkg/util/validation/field"

// Source is something that LogMonitor reads: [EventLog], [File], [ETW] or [Process].
type Source interface {
	// check returns what is wrong with the source.
	check(path *field.Path) field.ErrorList
	// encode is the source as LogMonitor's parser reads it.
	encode() any
	// about is what all types of sources have.
	about() about
}

// about is what the rules need to know of each source.
type about struct {
	// name is the value of "type" in the file.
	name string
	// format is the CustomLogFormat, fields are those that may be in it.
	format string
	fields []string
	// shared are the settings that LogMonitor has once for all sources of the type: it
	// takes those of the last one, silently.
	shared []setting
}

type setting struct {
	name  string
	value any
}

// EventLog reads channels of the Windows event log.
//
// LogMonitor reads all event logs with the settings of the last such source: so those
// of several sources must be the same.
type EventLog struct {
	// Channels are those to read. At least one.
	Channels []Channel `pulumi:"channels"`

	// StartAtOldestRecord also reads what was written before LogMonitor started. By
	// default only what is written after that is read.
	StartAtOldestRecord bool `pulumi:"startAtOldestRecord,optional"`

	// EventFormatMultiLine leaves the line breaks in an event. By default each event is
	// one line, which is what collectors of container logs need. (LogMonitor's own
	// default is the other way round; the file always says which one is meant.)
	EventFormatMultiLine bool `pulumi:"eventFormatMultiLine,optional"`

	// CustomLogFormat is the format of the line of an event, with [FormatCustom] only: with the
	// fields %Source%, %EventSource%, %TimeStamp%, %EventID%, %Severity% and %Message%.
	// If it ends with "|json", LogMonitor encodes the values as JSON strings.
	CustomLogFormat string `pulumi:"customLogFormat,optional"`
}

// Channel is a channel of the Windows event log.
type Channel struct {
	// Name is the name of the channel, system or application for example. Required.
	Name string `pulumi:"name"`
	// Level is the least level that is read: [Error] by default.
	Level Level `pulumi:"level,optional"`
}

// File reads what is appended to log files.
type File struct {
	// Directory is where the files are: an absolute path with its drive and with
	// backslashes, C:\inetpub\logs for example. Required. LogMonitor opens it as
	// \\?\C:\inetpub\logs: so Windows resolves neither slashes nor . and .. in it. A
	// drive's root is C:\ or C:
	// (https://github.com/microsoft/windows-container-tools/blob/main/LogMonitor/docs/README.md).
	Directory string `pulumi:"directory"`

	// Filter is the pattern of the files' names, with * and ?: "*" by default.
	Filter string `pulumi:"filter,optional"`

	// IncludeSubdirectories reads the files of all directories below too. LogMonitor
	// does not do that for the root of a drive.
	IncludeSubdirectories bool `pulumi:"includeSubdirectories,optional"`

	// WaitInSeconds is how long LogMonitor waits for the directory to appear: 300 by
	// default, [Forever], or more than 0. After that its files are no longer read. Its parent
	// must exist when LogMonitor starts: without it LogMonitor does not wait.
	WaitInSeconds int `pulumi:"waitInSeconds,optional"`

	// CustomLogFormat is the line of an entry, with [FormatCustom] only: a text with the
	// fields %Source%, %TimeStamp%, %FileName% and %Message%. With "|json" at its end
	// LogMonitor writes the values as JSON strings.
	CustomLogFormat string `pulumi:"customLogFormat,optional"`
}

// Forever is a [File.WaitInSeconds] that no container reaches: 68 years in the file, as
// not all releases of LogMonitor know a word for it. It needs LogMonitor 2.0 or newer.
const Forever = -1

// ETW reads providers of Event Tracing for Windows.
//
// LogMonitor reads all providers with the settings of the last such source: so those of
// several sources must be the same.
type ETW struct {
	// Providers are those to read. At least one.
	Providers []Provider `pulumi:"providers"`

	// EventFormatMultiLine leaves the line breaks in an event: see
	// [EventLog.EventFormatMultiLine].
	EventFormatMultiLine bool `pulumi:"eventFormatMultiLine,optional"`

	// CustomLogFormat is the format of the line of an event, with [FormatCustom] only: with the
	// fields %Source%, %TimeStamp%, %Severity%, %ProviderId%, %ProviderName%,
	// %DecodingSource%, %ExecutionProcessId%, %ExecutionThreadId%, %Keyword%, %EventId%
	// and %EventData%. With "|json" at its end LogMonitor writes the values as JSON strings.
	CustomLogFormat string `pulumi:"customLogFormat,optional"`
}

// Provider is a provider of Event Tracing for Windows, as `logman query providers` lists
// them. It needs a name or a GUID; with the GUID nothing must be looked up.
type Provider struct {
	// Name is the name of the provider.
	Name string `pulumi:"providerName,optional"`
	// GUID is its GUID, with or without braces.
	GUID string `pulumi:"providerGuid,optional"`
	// Level is the least level that is read: [Error] by default.
	Level Level `pulumi:"level,optional"`
	// Keywords is a mask: events that have one of its bits are read. 0 is all of them.
	Keywords uint64 `pulumi:"keywords,optional"`
}

// Process describes how LogMonitor writes the output of the container's own program, which it writes even without a
// source.
type Process struct {
	// CustomLogFormat is the line of an entry, with [FormatCustom] only: a text with the
	// fields %Source%, %TimeStamp% and %Logline%. With "|json" at its end LogMonitor
	// writes the values as JSON strings.
	CustomLogFormat string `pulumi:"customLogFormat,optional"`
}

func (s EventLog) about() about {
	return about{
		name: "EventLog", format: s.CustomLogFormat,
		fields: []string{"Source", "EventSource", "TimeStamp", "EventID", "Severity", "Message"},
		shared: []setting{
			{"startAtOldestRecord", s.StartAtOldestRecord},
			{"eventFormatMultiLine", s.EventFormatMultiLine},
			{"customLogFormat", s.CustomLogFormat},
		},
	}
}

func (s File) about() about {
	return about{
		name: "File", format: s.CustomLogFormat,
		fields: []string{"Source", "TimeStamp", "FileName", "Message"},
	}
}

func (s ETW) about() about {
	return about{
		name: "ETW", format: s.CustomLogFormat,
		// Message is not documented, but in Microsoft's own sample.
		fields: []string{
			"Source", "TimeStamp", "Severity", "ProviderId", "ProviderName", "DecodingSource", "ExecutionProcessId",
			"ExecutionThreadId", "Keyword", "EventId", "EventData", "Message",
		},
		shared: []setting{{"eventFormatMultiLine", s.EventFormatMultiLine}, {"customLogFormat", s.CustomLogFormat}},
	}
}

func (s Process) about() about {
	return about{
		name: "Process", format: s.CustomLogFormat,
		// LogMonitor's own default has Message.
		fields: []string{"Source", "TimeStamp", "Logline", "Message"},
		shared: []setting{{"customLogFormat", s.CustomLogFormat}},
	}
}

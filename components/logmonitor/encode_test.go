package logmonitor_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]logmonitor.LogConfig{
		"iis":    {Sources: logmonitor.IIS()},
		"aspnet": {Sources: logmonitor.ASPNET()},
		"everything": {LogFormat: "Custom", Sources: []logmonitor.Source{
			logmonitor.EventLog{
				Channels:            []logmonitor.Channel{{Name: "system", Level: "warning"}, {Name: "application"}},
				StartAtOldestRecord: true, EventFormatMultiLine: true, CustomLogFormat: "<%Severity%> %Message% & ü 🙂",
			},
			logmonitor.File{Directory: `C:\logs`, WaitInSeconds: 10, CustomLogFormat: "%Message%"},
			logmonitor.File{
				Directory: `D:\`, Filter: "a?.txt", WaitInSeconds: logmonitor.Forever,
				CustomLogFormat: `{'m':"%Message%"}|json`,
			},
			logmonitor.ETW{
				Providers: []logmonitor.Provider{
					{Name: "Microsoft-Windows-IIS-Logging", Keywords: 0x8000000000000001},
					{GUID: "{7E8AD27F-B271-4EA2-A783-A47BDE29143B}", Level: logmonitor.Critical},
				},
				EventFormatMultiLine: true, CustomLogFormat: "%EventData%",
			},
			&logmonitor.Process{CustomLogFormat: "%Logline%"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Equal(t, "testdata/"+name+".json", c.JSON())
		})
	}
}

// The presets are the caller's: two must not share anything.
func TestPresetsCanBeChanged(t *testing.T) {
	t.Parallel()
	changed := logmonitor.IIS()
	changed[0].(logmonitor.EventLog).Channels[0].Level = logmonitor.Verbose
	_ = append(changed[:1], logmonitor.Process{})
	if diff := cmp.Diff(logmonitor.LogConfig{Sources: logmonitor.ASPNET()}.JSON(),
		strings.Replace(logmonitor.LogConfig{Sources: logmonitor.IIS()}.JSON(),
			"\"name\": \"application\",\n            \"level\": \"Error\"",
			"\"name\": \"application\",\n            \"level\": \"Warning\"", 1)); diff != "" {
		t.Errorf("ASPNET differs from IIS in more than one level (-ASPNET +IIS):\n%s", diff)
	}
}

func TestJSONOfInvalidConfigurationPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		const want = "logmonitor: cannot encode a configuration that is not valid: " + needsSource
		if got := recover(); got != want {
			t.Errorf("panics with %v, want %s", got, want)
		}
	}()
	_ = logmonitor.LogConfig{}.JSON()
}

// decoded is the file as LogMonitor reads it.
type decoded struct {
	LogConfig struct {
		LogFormat string `json:"logFormat"`
		Sources   []struct {
			Type                  string
			StartAtOldestRecord   bool
			EventFormatMultiLine  bool
			Channels              []struct{ Name, Level string }
			Directory, Filter     string
			IncludeSubdirectories bool
			WaitInSeconds         int
			Providers             []struct{ ProviderName, ProviderGUID, Level, Keywords string }
			CustomLogFormat       string
		}
	}
}

// sources turns the file back into the sources that it was created from, with defaults filled in.
func (d decoded) sources(t *testing.T) []logmonitor.Source {
	t.Helper()
	var sources []logmonitor.Source
	for _, s := range d.LogConfig.Sources {
		switch s.Type {
		case "EventLog":
			source := logmonitor.EventLog{
				StartAtOldestRecord:  s.StartAtOldestRecord,
				EventFormatMultiLine: s.EventFormatMultiLine, CustomLogFormat: s.CustomLogFormat,
			}
			for _, c := range s.Channels {
				source.Channels = append(source.Channels,
					logmonitor.Channel{Name: c.Name, Level: logmonitor.Level(c.Level)})
			}
			sources = append(sources, source)
		case "File":
			source := logmonitor.File{
				Directory: s.Directory, Filter: s.Filter, IncludeSubdirectories: s.IncludeSubdirectories,
				WaitInSeconds: s.WaitInSeconds, CustomLogFormat: s.CustomLogFormat,
			}
			if s.WaitInSeconds == math.MaxInt32 {
				source.WaitInSeconds = logmonitor.Forever
			}
			sources = append(sources, source)
		case "ETW":
			source := logmonitor.ETW{EventFormatMultiLine: s.EventFormatMultiLine, CustomLogFormat: s.CustomLogFormat}
			for _, p := range s.Providers {
				var keywords uint64
				if p.Keywords != "" {
					var err error
					if keywords, err = strconv.ParseUint(p.Keywords, 0, 64); err != nil {
						t.Error(err)
					}
				}
				source.Providers = append(source.Providers,
					logmonitor.Provider{
						Name: p.ProviderName, GUID: p.ProviderGUID, Level: logmonitor.Level(p.Level),
						Keywords: keywords,
					})
			}
			sources = append(sources, source)
		case "Process":
			sources = append(sources, logmonitor.Process{CustomLogFormat: s.CustomLogFormat})
		default:
			t.Errorf("type %q", s.Type)
		}
	}
	return sources
}

// The file contains valid values unchanged, and is ASCII: LogMonitor reads it in the code page
// of the container.
func FuzzJSON(f *testing.F) {
	f.Add("json", "system", "Error", `C:\inetpub\logs`, "*.log", 10, "IIS: WWW Server",
		"3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83", uint64(1), "", true)
	f.Add("custom", "ä🙂", "Warning", `D:\ü`, "?", -1, "", "{3a2a4e84-4c21-4981-ae10-3fda0d9b0f83}", uint64(0),
		`%Source% "\<&>`, false)
	f.Fuzz(func(t *testing.T, format, channel, level, directory, filter string, wait int, name, guid string,
		keywords uint64, custom string, on bool,
	) {
		want := []logmonitor.Source{
			logmonitor.EventLog{
				Channels:            []logmonitor.Channel{{Name: channel, Level: logmonitor.Level(level)}},
				StartAtOldestRecord: on, EventFormatMultiLine: !on, CustomLogFormat: custom,
			},
			logmonitor.File{
				Directory: directory, Filter: filter, IncludeSubdirectories: on, WaitInSeconds: wait,
				CustomLogFormat: custom,
			},
			logmonitor.ETW{Providers: []logmonitor.Provider{{
				Name: name, GUID: guid, Level: logmonitor.Level(level),
				Keywords: keywords,
			}}, EventFormatMultiLine: on, CustomLogFormat: custom},
			logmonitor.Process{CustomLogFormat: custom},
		}
		c := logmonitor.LogConfig{LogFormat: logmonitor.Format(format), Sources: want}
		if len(c.Validate(nil)) > 0 {
			return
		}
		text := c.JSON()
		for i := range len(text) {
			if text[i] >= 0x80 {
				t.Fatalf("not ASCII:\n%s", text)
			}
		}
		var d decoded
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.ToLower(d.LogConfig.LogFormat), strings.ToLower(format); got != want && want != "" {
			t.Errorf("format %q, want %q", got, want)
		}
		configured := logmonitor.LogConfig{LogFormat: logmonitor.Format(d.LogConfig.LogFormat), Sources: d.sources(t)}
		if diff := cmp.Diff(normal(want), normal(configured.Sources)); diff != "" {
			t.Errorf("what is read (-given +read):\n%s", diff)
		}
		if again := configured.JSON(); again != text {
			t.Errorf("another file:\n%s", cmp.Diff(text, again))
		}
	})
}

// normal fills in defaults, and spells levels and GUIDs in one way.
func normal(sources []logmonitor.Source) []logmonitor.Source {
	level := func(l logmonitor.Level) logmonitor.Level {
		if l == "" {
			l = logmonitor.Error
		}
		return logmonitor.Level(strings.ToLower(string(l)))
	}
	var out []logmonitor.Source
	for _, s := range sources {
		switch s := s.(type) {
		case logmonitor.EventLog:
			s.Channels = []logmonitor.Channel{{Name: s.Channels[0].Name, Level: level(s.Channels[0].Level)}}
			out = append(out, s)
		case logmonitor.File:
			if s.Filter == "" {
				s.Filter = "*"
			}
			if s.WaitInSeconds == 0 {
				s.WaitInSeconds = 300
			}
			out = append(out, s)
		case logmonitor.ETW:
			p := s.Providers[0]
			p.Level, p.GUID = level(p.Level), strings.Trim(p.GUID, "{}")
			s.Providers = []logmonitor.Provider{p}
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

package provider

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const logConfig = "mixedkube:logmonitor:Config"

// TestSourcesMatchGo compares the graphs of a component whose argument is an interface in Go.
func TestSourcesMatchGo(t *testing.T) {
	t.Parallel()
	typed, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := logmonitor.NewConfig(ctx, it, &logmonitor.ConfigArgs{
			LogFormat: logmonitor.FormatCustom,
			Sources: []logmonitor.Source{
				logmonitor.EventLog{
					Channels:        []logmonitor.Channel{{Name: "system", Level: logmonitor.Warning}},
					CustomLogFormat: "%Message%",
				},
				logmonitor.File{
					Directory: `C:\logs`, WaitInSeconds: logmonitor.Forever, CustomLogFormat: "%FileName%",
				},
				logmonitor.ETW{
					Providers:       []logmonitor.Provider{{Name: "shop", Keywords: 1<<63 | 1}},
					CustomLogFormat: "%EventData%",
				},
				logmonitor.Process{CustomLogFormat: "%Logline%"},
			},
		})
		return err
	}, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	remote, err := preview(t, logConfig, args{"logFormat": "custom", "sources": list{
		args{
			"type": "EventLog", "channels": list{args{"name": "system", "level": "Warning"}},
			"customLogFormat": "%Message%",
		},
		args{"type": "File", "directory": `C:\logs`, "waitInSeconds": -1, "customLogFormat": "%FileName%"},
		args{
			"type": "ETW", "providers": list{args{"providerName": "shop", "keywords": "0x8000000000000001"}},
			"customLogFormat": "%EventData%",
		},
		args{"type": "Process", "customLogFormat": "%Logline%"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(typed.String(), remote.String()); diff != "" {
		t.Errorf("graph (-Go +plugin):\n%s", diff)
	}
}

func TestInvalidVariants(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		source any
		want   string
	}{
		"none": {nil, "sources[0]: Required value: a source is an EventLog, File, ETW or Process"},
		"no type": {
			args{"directory": `C:\logs`},
			"sources[0].type: Required value: use one of ETW, EventLog, File, Process",
		},
		"another type": {
			args{"type": "Files"}, `sources[0].type: Invalid value: "Files": unknown type: did you mean "File"?`,
		},
		"a type that is not text": {args{"type": 1}, "sources[0].type: Invalid value: 1: must be a string"},
		"a text":                  {"File", `sources[0]: Invalid value: "File": must be an object`},
		"a key of another type": {
			args{"type": "File", "directory": `C:\logs`, "chanels": "a"},
			`sources[0].chanels: Invalid value: "chanels": unknown key`,
		},
		"a value": {
			args{"type": "File", "directory": "logs"},
			`sources[0].directory: Invalid value: "logs": must be an absolute path`,
		},
		"a mask": {
			args{"type": "ETW", "providers": list{args{"providerName": "shop", "keywords": "all"}}},
			`sources[0].providers[0].keywords: Invalid value: "all": must be a mask of 64 bits`,
		},
		"an output": {args{"type": later}, "sources[0].type: Invalid value: " + mustBePlain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := preview(t, logConfig, args{"sources": list{tt.source}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error:\n%v\nwithout:\n%s", err, tt.want)
			}
		})
	}
}

package logmonitor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns the text of LogMonitorConfig.json. It says everything, defaults included: they
// are not the same in all releases of LogMonitor. The same sources give the same text.
// It panics for what [LogConfig.Validate] does not accept.
func (c LogConfig) JSON() string {
	if errs := c.Validate(nil); len(errs) > 0 {
		panic(fmt.Sprintf("logmonitor: cannot encode a configuration that is not valid: %v", errs.ToAggregate()))
	}
	sources := make([]any, len(c.Sources))
	for i, s := range c.Sources {
		sources[i] = s.encode()
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document{logConfig{string(c.LogFormat.withDefault()), sources}}); err != nil {
		panic(err) // strings, numbers and lists
	}
	return ascii(text.String())
}

// document is the file. The names are those of its documentation.
type document struct {
	LogConfig logConfig `json:"LogConfig"`
}

type logConfig struct {
	LogFormat string `json:"logFormat"`
	Sources   []any  `json:"sources"`
}

type eventLogDocument struct {
	Type                 string            `json:"type"`
	StartAtOldestRecord  bool              `json:"startAtOldestRecord"`
	EventFormatMultiLine bool              `json:"eventFormatMultiLine"`
	Channels             []channelDocument `json:"channels"`
	CustomLogFormat      string            `json:"customLogFormat,omitempty"`
}

type channelDocument struct {
	Name  string `json:"name"`
	Level string `json:"level"`
}

type fileDocument struct {
	Type                  string `json:"type"`
	Directory             string `json:"directory"`
	Filter                string `json:"filter"`
	IncludeSubdirectories bool   `json:"includeSubdirectories"`
	WaitInSeconds         int    `json:"waitInSeconds"`
	CustomLogFormat       string `json:"customLogFormat,omitempty"`
}

type etwDocument struct {
	Type                 string             `json:"type"`
	EventFormatMultiLine bool               `json:"eventFormatMultiLine"`
	Providers            []providerDocument `json:"providers"`
	CustomLogFormat      string             `json:"customLogFormat,omitempty"`
}

type providerDocument struct {
	ProviderName string `json:"providerName,omitempty"`
	ProviderGUID string `json:"providerGuid,omitempty"`
	Level        string `json:"level"`
	Keywords     string `json:"keywords,omitempty"` // read as a number by LogMonitor
}

type processDocument struct {
	Type            string `json:"type"`
	CustomLogFormat string `json:"customLogFormat,omitempty"`
}

const (
	defaultFilter        = "*"
	defaultWaitInSeconds = 300
	// forever is 68 years. "INFINITY", which is in LogMonitor's documentation, newer
	// releases ignore as no number, and wait for their default.
	forever = math.MaxInt32
)

func (s EventLog) encode() any {
	channels := make([]channelDocument, len(s.Channels))
	for i, c := range s.Channels {
		channels[i] = channelDocument{c.Name, string(c.Level.withDefault())}
	}
	return eventLogDocument{s.about().name, s.StartAtOldestRecord, s.EventFormatMultiLine, channels, s.CustomLogFormat}
}

func (s File) encode() any {
	d := fileDocument{
		s.about().name, s.Directory, s.Filter, s.IncludeSubdirectories, s.WaitInSeconds,
		s.CustomLogFormat,
	}
	if d.Filter == "" {
		d.Filter = defaultFilter
	}
	switch s.WaitInSeconds {
	case 0:
		d.WaitInSeconds = defaultWaitInSeconds
	case Forever:
		d.WaitInSeconds = forever
	}
	return d
}

func (s ETW) encode() any {
	providers := make([]providerDocument, len(s.Providers))
	for i, p := range s.Providers {
		providers[i] = providerDocument{
			ProviderName: p.Name, ProviderGUID: strings.Trim(p.GUID, "{}"),
			Level: string(p.Level.withDefault()),
		}
		if p.Keywords != 0 {
			providers[i].Keywords = "0x" + strconv.FormatUint(p.Keywords, 16)
		}
	}
	return etwDocument{s.about().name, s.EventFormatMultiLine, providers, s.CustomLogFormat}
}

func (s Process) encode() any { return processDocument{s.about().name, s.CustomLogFormat} }

// ascii writes all other characters as escapes: LogMonitor reads the file in the code
// page of the container.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

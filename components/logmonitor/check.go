package logmonitor

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// LogConfig is what LogMonitor reads, and how it writes it: the content of
// LogMonitorConfig.json
// (https://github.com/microsoft/windows-container-tools/blob/main/LogMonitor/docs/README.md).
type LogConfig struct {
	// LogFormat is the format of the lines: [FormatJSON] by default.
	LogFormat Format
	// Sources are what to read. At least one.
	Sources []Source
}

// Validate returns everything that is wrong, with paths below path (nil for the root). At run
// time LogMonitor skips such a source, or uses a default, and reports it at most in the
// container's log.
func (c LogConfig) Validate(path *field.Path) field.ErrorList {
	errs := checkFormat(c.LogFormat, path.Child("logFormat"))
	sources := path.Child("sources")
	if len(c.Sources) == 0 {
		return append(errs, field.Required(sources,
			"list what LogMonitor reads: logmonitor.IIS(), or sources of your own"))
	}
	settings := map[string]sharedBy{}
	for i, s := range c.Sources {
		at := sources.Index(i)
		if isNil(s) {
			errs = append(errs, field.Required(at, "a source is an EventLog, File, ETW or Process"))
			continue
		}
		errs = append(errs, s.check(at)...)
		errs = append(errs, c.checkCustomFormat(s.about(), at.Child("customLogFormat"))...)
		errs = append(errs, checkShared(settings, s.about(), at)...)
	}
	return errs
}

// isNil reports whether for a nil pointer in the interface as well.
func isNil(s Source) bool {
	v := reflect.ValueOf(s)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

var formatField = regexp.MustCompile(`%(\w+)%`)

func (c LogConfig) checkCustomFormat(s about, path *field.Path) field.ErrorList {
	format := c.LogFormat.withDefault()
	switch {
	case !slices.Contains(formats, string(format)):
		return nil // what was meant is not known
	case s.format == "" && format == FormatCustom:
		return field.ErrorList{field.Required(path,
			fmt.Sprintf(
				"the log format custom needs one for each source, or LogMonitor writes empty lines: write for "+
					"example %%TimeStamp%% %%%s%%", s.fields[len(s.fields)-1],
			))}
	case s.format != "" && format != FormatCustom:
		return field.ErrorList{field.Invalid(path, s.format,
			fmt.Sprintf("has no effect with the log format %s: use the log format custom, or remove it", format))}
	}
	errs := checkText(s.format, path)
	for _, m := range formatField.FindAllStringSubmatch(s.format, -1) {
		if slices.ContainsFunc(s.fields, func(known string) bool { return strings.EqualFold(known, m[1]) }) {
			continue
		}
		hint := ""
		if near, ok := fielderrors.Nearest(m[1], s.fields); ok {
			hint = fmt.Sprintf(": did you mean %%%s%%?", near)
		}
		errs = append(errs, field.Invalid(path, s.format,
			fmt.Sprintf("a source of type %s has no field %s%s (use %s)", s.name, m[0], hint,
				fielderrors.OneOf(s.fields))))
	}
	return errs
}

// sharedBy is the first source of a type, whose settings the others must have.
type sharedBy struct {
	path     *field.Path
	settings []setting
}

func checkShared(first map[string]sharedBy, s about, path *field.Path) field.ErrorList {
	before, ok := first[s.name]
	if !ok {
		first[s.name] = sharedBy{path, s.shared}
		return nil
	}
	var errs field.ErrorList
	for i, setting := range s.shared {
		if other := before.settings[i].value; setting.value != other {
			errs = append(errs, field.Invalid(path.Child(setting.name), setting.value, fmt.Sprintf(
				"LogMonitor has one such setting for all sources of type %s, and %s says %#v: set the same value, or "+
					"merge the sources", s.name, before.path, other)))
		}
	}
	return errs
}

func (s EventLog) check(path *field.Path) field.ErrorList {
	path = path.Child("channels")
	if len(s.Channels) == 0 {
		return field.ErrorList{field.Required(path, "an event log needs at least one channel, application for example")}
	}
	var errs field.ErrorList
	for i, c := range s.Channels {
		at := path.Index(i)
		if c.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), "the name of the channel, application for example"))
		}
		errs = append(errs, checkName(c.Name, at.Child("name"))...)
		errs = append(errs, checkLevel(c.Level, at.Child("level"))...)
	}
	return errs
}

func (s ETW) check(path *field.Path) field.ErrorList {
	path = path.Child("providers")
	if len(s.Providers) == 0 {
		return field.ErrorList{field.Required(path,
			"event tracing needs at least one provider: logman query providers lists them")}
	}
	var errs field.ErrorList
	for i, p := range s.Providers {
		at := path.Index(i)
		if p.Name == "" && p.GUID == "" {
			errs = append(errs, field.Required(at.Child("providerGuid"),
				"a provider needs its GUID, or its name at least: logman query providers lists both"))
		}
		errs = append(errs, checkName(p.Name, at.Child("providerName"))...)
		errs = append(errs, checkLevel(p.Level, at.Child("level"))...)
		if p.GUID != "" && !guid.MatchString(p.GUID) {
			errs = append(errs, field.Invalid(at.Child("providerGuid"), p.GUID,
				"is not a GUID: write 8, 4, 4, 4 and 12 hexadecimal digits with hyphens, as in "+
					"3A2A4E84-4C21-4981-AE10-3FDA0D9B0F83"))
		}
	}
	return errs
}

const hexGUID = `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`

var guid = regexp.MustCompile(`^(` + hexGUID + `|\{` + hexGUID + `\})$`)

func (s Process) check(*field.Path) field.ErrorList { return nil }

func (s File) check(path *field.Path) field.ErrorList {
	errs := s.checkDirectory(path.Child("directory"))
	if strings.ContainsAny(s.Filter, `\/`) {
		errs = append(errs, field.Invalid(path.Child("filter"), s.Filter,
			"is a pattern for the names of files, without a path: put the path into directory"))
	}
	errs = append(errs, checkName(s.Filter, path.Child("filter"))...)
	if s.WaitInSeconds < Forever {
		errs = append(errs, field.Invalid(path.Child("waitInSeconds"), s.WaitInSeconds,
			"must be a number of seconds, or logmonitor.Forever"))
	}
	return errs
}

var (
	onDrive  = regexp.MustCompile(`^[A-Za-z]:(\\|$)`)
	variable = regexp.MustCompile(`%\w+%`)
)

// checkDirectory reports one error at a time: the first one makes the others unreliable.
func (s File) checkDirectory(path *field.Path) field.ErrorList {
	wrong := func(detail string) field.ErrorList { return field.ErrorList{field.Invalid(path, s.Directory, detail)} }
	if s.Directory == "" {
		return field.ErrorList{field.Required(path, `the directory of the log files, C:\inetpub\logs for example`)}
	}
	if errs := checkName(s.Directory, path); len(errs) > 0 {
		return errs
	}
	if strings.Contains(s.Directory, "/") {
		return wrong(`LogMonitor opens it as a path in which / separates nothing: write ` +
			strings.ReplaceAll(s.Directory, "/", `\`))
	}
	if v := variable.FindString(s.Directory); v != "" {
		return wrong("LogMonitor does not replace variables: write what " + v + " stands for")
	}
	if !onDrive.MatchString(s.Directory) {
		return wrong(`must be an absolute path with its drive: write C:\logs for example`)
	}
	below := strings.TrimPrefix(s.Directory[len("C:"):], `\`)
	elements := strings.Split(strings.TrimRight(below, `\`), `\`)
	for _, e := range elements {
		switch {
		case e == "." || e == "..":
			return wrong(`LogMonitor opens it as a path in which . and .. mean nothing: write the directory itself`)
		case strings.ContainsAny(e, `<>:"|?*`):
			return wrong(`holds one of <>:"|?*, which no directory has in its name: put a pattern into filter`)
		case e == "" && len(elements) > 1:
			return wrong(`LogMonitor opens it as a path in which \\ is an empty name: write one backslash`)
		}
	}
	if s.IncludeSubdirectories && elements[0] == "" {
		return wrong(
			"LogMonitor does not read the subdirectories of a drive's root: name a directory, or leave " +
				"includeSubdirectories out",
		)
	}
	return nil
}

// checkName is for what Windows compares with names: a space at an end, or a control
// character, would never match.
func checkName(name string, path *field.Path) field.ErrorList {
	if strings.TrimSpace(name) != name {
		return field.ErrorList{field.Invalid(path, name, "must not begin or end with white space: remove it")}
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return field.ErrorList{field.Invalid(path, name, "must not contain control characters: remove them")}
	}
	return checkText(name, path)
}

func checkText(text string, path *field.Path) field.ErrorList {
	if !utf8.ValidString(text) {
		return field.ErrorList{field.Invalid(path, strings.ToValidUTF8(text, "\uFFFD"),
			"is not valid UTF-8: correct it")}
	}
	return nil
}

package azcli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// flag is an option of a command.
type flag struct {
	// name is the long name, and short the short one, empty if there is none.
	name, short string
	// isSwitch is true if it has no value, and isList if it has one or more.
	isSwitch, isList bool
	required         bool
	choices          []string
}

func (f flag) String() string {
	if f.short == "" {
		return f.name
	}
	return f.name + "/" + f.short
}

// flagValues are the values of flags, by their long names.
type flagValues map[string][]string

func (g flagValues) has(f flag) bool { return g[f.name] != nil }

// one returns the value of a flag, empty if it is not set.
func (g flagValues) one(f flag) string {
	if values := g[f.name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// parse reads the flags of a command as argparse does. A value that begins with @ names a file, or the standard input.
func (c command) parse(args []string, stdin io.Reader) (flagValues, error) {
	g := flagValues{}
	var unknown []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		name, value, hasValue := arg, "", false
		if strings.HasPrefix(arg, "--") {
			name, value, hasValue = strings.Cut(arg, "=")
		}
		i := slices.IndexFunc(c.flags, func(f flag) bool { return name == f.name || f.short != "" && name == f.short })
		if i < 0 {
			unknown = append(unknown, arg)
			continue
		}
		f := c.flags[i]
		if f.isSwitch {
			if hasValue {
				return nil, usage("argument %s: ignored explicit argument '%s'", f, value)
			}
			g[f.name] = []string{}
			continue
		}
		values := []string{value}
		if !hasValue {
			values = nil
			for len(args) > 0 && !strings.HasPrefix(args[0], "-") && (f.isList || len(values) == 0) {
				values, args = append(values, args[0]), args[1:]
			}
		}
		if len(values) == 0 {
			return nil, usage("argument %s: expected %s", f,
				map[bool]string{false: "one argument", true: "at least one argument"}[f.isList])
		}
		for i, v := range values {
			var err error
			if values[i], err = load(v, stdin); err != nil {
				return nil, err
			}
			if f.choices != nil && !slices.Contains(f.choices, values[i]) {
				return nil, usage("argument %s: '%s' is not a valid value for '%s'. Allowed values: %s.", f, values[i],
					f.name, strings.Join(f.choices, ", "))
			}
		}
		g[f.name] = values
	}
	var missing []string
	for _, f := range c.flags {
		if f.required && !g.has(f) {
			missing = append(missing, f.String())
		}
	}
	if len(missing) > 0 {
		return nil, usage("the following arguments are required: %s", strings.Join(missing, ", "))
	}
	if len(unknown) > 0 {
		return nil, usage("unrecognized arguments: %s", strings.Join(unknown, " "))
	}
	return g, nil
}

// load returns a value, or the content of the file that it names without the final line breaks.
func load(value string, stdin io.Reader) (string, error) {
	path, ok := strings.CutPrefix(value, "@")
	if !ok {
		return value, nil
	}
	var content []byte
	var err error
	if path == "-" {
		content, err = io.ReadAll(stdin)
	} else {
		content, err = os.ReadFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("read the value %s: %w", value, err)
	}
	return strings.TrimRight(string(content), "\n"), nil
}

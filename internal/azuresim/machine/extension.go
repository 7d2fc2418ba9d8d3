package machine

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The extensions that run a command.
const (
	linuxPublisher, linuxType     = "Microsoft.Azure.Extensions", "CustomScript"
	windowsPublisher, windowsType = "Microsoft.Compute", "CustomScriptExtension"
)

func (e Extension) is(publisher, kind string) bool {
	return strings.EqualFold(e.Publisher, publisher) && strings.EqualFold(e.Type, kind)
}

// ForWindows reports whether this is the extension that runs commands on Windows.
func (e Extension) ForWindows() bool { return e.is(windowsPublisher, windowsType) }

// RunsCommand reports whether this is one of the extensions that run a command.
func (e Extension) RunsCommand() bool { return e.ForWindows() || e.is(linuxPublisher, linuxType) }

// Check returns an error that names the part of an extension that is not understood. It does not repeat what the
// extension's handler refuses on the machine: see [Extension.CheckSettings].
func (e Extension) Check() error {
	if !e.RunsCommand() || e.CheckSettings() != nil {
		return nil //nolint:nilerr // CheckSettings reports what the handler refuses.
	}
	_, err := e.read()
	return err
}

// CheckSettings returns the error of the handler of an extension that runs a command. The handler sees the settings
// only on the machine.
func (e Extension) CheckSettings() error {
	switch {
	case e.ForWindows():
		return e.checkWindowsSettings()
	case e.RunsCommand():
		return e.checkLinuxSettings()
	default:
		return nil
	}
}

// handlerError is the message of an extension's handler, with the handler's capitals.
type handlerError string

func (e handlerError) Error() string { return string(e) }

func (e Extension) checkWindowsSettings() error {
	switch command, twice := e.setting("commandToExecute"); {
	case twice:
		return handlerError(
			"Invalid Configuration - CommandToExecute is specified in both the protected and the public " +
				"configuration sections; it must be specified in only one of them",
		)
	case command == "":
		return handlerError(
			"Invalid Configuration - CommandToExecute is not specified in the configuration; it must be " +
				"specified in either the protected or public configuration section",
		)
	default:
		return nil
	}
}

func (e Extension) checkLinuxSettings() error {
	command, commandTwice := e.setting("commandToExecute")
	script, scriptTwice := e.setting("script")
	_, illegal := base64.StdEncoding.DecodeString(script)
	switch {
	case commandTwice:
		return errors.New(
			"invalid configuration: 'commandToExecute' was specified both in public and protected settings; it must " +
				"be specified only once",
		)
	case scriptTwice:
		return errors.New(
			"invalid configuration: 'script' was specified both in public and protected settings; it must be " +
				"specified only once",
		)
	case command != "" && script != "":
		return errors.New(
			"invalid configuration: 'commandToExecute' and 'script' were both specified, but only one is allowed",
		)
	case command == "" && script == "":
		return errors.New("invalid configuration: 'commandToExecute' is not specified")
	case illegal != nil:
		return errors.New("failed to decode script: illegal base64 data")
	default:
		return nil
	}
}

// setting returns a setting that may be public or protected. twice is true if it is both.
func (e Extension) setting(name string) (value string, twice bool) {
	public, _ := e.Settings[name].(string)
	protected, _ := e.Protected[name].(string)
	return cmp.Or(protected, public), public != "" && protected != ""
}

// delivery is the data that an extension brings to a machine.
type delivery struct {
	// payload has the files, encrypted.
	payload string
	// sha256 is the hash of the customData that it runs, on Windows.
	sha256 string
}

// read reads an extension that runs a command.
func (e Extension) read() (delivery, error) {
	name, read := "script", readLinuxScript
	if e.ForWindows() {
		name, read = "commandToExecute", readWindowsCommand
	}
	if err := e.checkKeys(name); err != nil {
		return delivery{}, err
	}
	value, _ := e.setting(name)
	d, err := read(value)
	if err != nil {
		return delivery{}, fmt.Errorf("protectedSettings.%s: %w", name, err)
	}
	return d, nil
}

// checkKeys refuses all settings except one, which must be protected.
func (e Extension) checkKeys(only string) error {
	if keys := slices.Sorted(maps.Keys(e.Settings)); len(keys) > 0 {
		return notSettings("settings."+keys[0], only)
	}
	for _, key := range slices.Sorted(maps.Keys(e.Protected)) {
		if key != only {
			return notSettings("protectedSettings."+key, only)
		}
	}
	return nil
}

func notSettings(path, only string) error {
	return fmt.Errorf("%s is not understood: bootstrap uses only protectedSettings.%s", path, only)
}

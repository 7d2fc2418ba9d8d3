package machine

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Boot is what kubeadm is run with when a machine boots: nil if nothing that Azure runs
// on it reaches a run of kubeadm, or if the configuration for that is not there yet. An
// error says what is broken in what is run, and has no secrets.
func Boot(m Machine) (*Bootstrap, error) {
	d := newDisk(m.Windows)
	if err := d.start(m); err != nil {
		return nil, err
	}
	d.follow()
	if readers := d.customDataReaders(); m.Windows && len(readers) > 0 {
		if err := checkHash(readers, m.CustomData); err != nil {
			return nil, fmt.Errorf("customData: %w", err)
		}
		if err := d.run("customData", unpackedText(m.CustomData)); err != nil {
			return nil, fmt.Errorf("customData: %w", err)
		}
		d.follow()
	}
	runs := d.kubeadmRuns()
	if len(runs.verbs) == 0 {
		return nil, nil
	}
	config, err := d.configuration()
	if err != nil {
		return nil, err
	}
	if config == nil {
		if runs.readsFile {
			return nil, nil
		}
		return nil, fmt.Errorf("%s runs kubeadm without a file of configuration", runs.program)
	}
	b, err := config.bootstrap(m, runs)
	if err != nil {
		return nil, err
	}
	b.Keys = d.keys()
	b.Kubelet, err = d.kubelet()
	return b, err
}

// start finds what Azure runs on a machine.
func (d *disk) start(m Machine) error {
	if !m.Windows {
		if err := d.cloudInit(m.CustomData); err != nil {
			return fmt.Errorf("customData: %w", err)
		}
	}
	for _, e := range m.Extensions {
		command, err := e.Command()
		if err != nil {
			return fmt.Errorf("extension %s: %w", e.Name, err)
		}
		if command == "" || e.ForWindows() != m.Windows {
			continue
		}
		if err := d.run("the command of extension "+e.Name, command); err != nil {
			return fmt.Errorf("extension %s: %w", e.Name, err)
		}
	}
	return nil
}

// customDataReaders are what is run on Windows that reads the file which Azure saves
// customData to.
func (d *disk) customDataReaders() []text {
	var readers []text
	for _, t := range d.reached {
		if t.program && strings.Contains(strings.ToLower(withoutComments(t.content)), "customdata.bin") {
			readers = append(readers, t)
		}
	}
	return readers
}

var sha256Word = regexp.MustCompile(`(?i)\b[0-9a-f]{64}\b`)

// checkHash sees that readers which have a hash have that of customData. Others run it
// whatever it is.
func checkHash(readers []text, customData []byte) error {
	sum := fmt.Sprintf("%x", sha256.Sum256(customData))
	for _, t := range readers {
		hashes := sha256Word.FindAllString(withoutComments(t.content), -1)
		if len(hashes) > 0 &&
			!slices.ContainsFunc(hashes, func(hash string) bool { return strings.EqualFold(hash, sum) }) {
			return fmt.Errorf("%s is for another one: the SHA-256 of this one is %s", t.name, sum)
		}
	}
	return nil
}

// run is for a text that Azure runs. One of JSON only carries files.
func (d *disk) run(name, content string) error {
	if !d.addFiles(content) {
		d.reach(text{name: name, content: content, program: true})
	}
	if !d.windows {
		return nil
	}
	commands, err := encodedCommands(content)
	for _, command := range commands {
		d.reach(text{name: "-EncodedCommand of " + name, content: command, program: true})
	}
	return err
}

// The extensions that run a command.
const (
	linuxPublisher, linuxType     = "Microsoft.Azure.Extensions", "CustomScript"
	windowsPublisher, windowsType = "Microsoft.Compute", "CustomScriptExtension"
)

func (e Extension) is(publisher, kind string) bool {
	return strings.EqualFold(e.Publisher, publisher) && strings.EqualFold(e.Type, kind)
}

// ForWindows says whether it is the extension that runs commands on Windows.
func (e Extension) ForWindows() bool { return e.is(windowsPublisher, windowsType) }

// RunsCommand says whether it is one of the extensions that run a command.
func (e Extension) RunsCommand() bool { return e.ForWindows() || e.is(linuxPublisher, linuxType) }

// Command is what the extension runs: its commandToExecute, or on Linux its script,
// decoded. It is empty for an extension that runs no command. The errors are those of
// the extensions' own, which only see on the machine what they were given.
func (e Extension) Command() (string, error) {
	switch {
	case e.ForWindows():
		command, twice := e.setting("commandToExecute")
		if twice {
			return "", handlerError(
				"Invalid Configuration - CommandToExecute is specified in both the protected and the public " +
					"configuration sections; it must be specified in only one of them",
			)
		}
		if command == "" {
			return "", handlerError(
				"Invalid Configuration - CommandToExecute is not specified in the configuration; it must be " +
					"specified in either the protected or public configuration section",
			)
		}
		return command, nil
	case e.RunsCommand():
		return e.linuxCommand()
	default:
		return "", nil
	}
}

// handlerError is what an extension reports, with capitals as it has them.
type handlerError string

func (e handlerError) Error() string { return string(e) }

func (e Extension) linuxCommand() (string, error) {
	command, commandTwice := e.setting("commandToExecute")
	script, scriptTwice := e.setting("script")
	switch {
	case commandTwice:
		return "", errors.New(
			"invalid configuration: 'commandToExecute' was specified both in public and protected settings; it must " +
				"be specified only once",
		)
	case scriptTwice:
		return "", errors.New(
			"invalid configuration: 'script' was specified both in public and protected settings; it must be " +
				"specified only once",
		)
	case command != "" && script != "":
		return "", errors.New(
			"invalid configuration: 'commandToExecute' and 'script' were both specified, but only one is allowed",
		)
	case command == "" && script == "":
		return "", errors.New("invalid configuration: 'commandToExecute' is not specified")
	case command != "":
		return command, nil
	}
	data, ok := decodeBase64(script)
	if !ok {
		return "", errors.New("failed to decode script: illegal base64 data")
	}
	return unpackedText(data), nil
}

// setting is one that may be public or protected.
func (e Extension) setting(name string) (value string, twice bool) {
	public, _ := e.Settings[name].(string)
	protected, _ := e.Protected[name].(string)
	return cmp.Or(protected, public), public != "" && protected != ""
}

package machine

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// script is a script that machines/bootstrap writes. Only values in single quotes differ: each follows a mark, and a
// line has at most one.
type script struct {
	// name is the name of the function that writes it.
	name  string
	lines []string
	marks []string
}

func newScript(name, text string, marks ...string) script {
	return script{name, strings.SplitAfter(text, "\n"), marks}
}

// values returns the values after the marks of a text, if the rest of the text matches. The error does not show the
// text, which may be a secret. Each part except the last one ends with its line break, so that a text that is shorter
// or longer also differs in one part.
func (s script) values(text string) (values []string, err error) {
	lines := strings.SplitAfter(text, "\n")
	for i, want := range s.lines {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		mark := s.mark(want)
		if mark == "" {
			if line != want {
				return nil, fmt.Errorf("line %d is not understood: bootstrap.%s writes %q there", i+1, s.name,
					strings.TrimRight(want, "\r\n"))
			}
			continue
		}
		value, rest, _ := strings.Cut(strings.TrimPrefix(line, mark), "'")
		_, wantRest, _ := strings.Cut(strings.TrimPrefix(want, mark), "'")
		if !strings.HasPrefix(line, mark) || rest != wantRest {
			return nil, fmt.Errorf("line %d is not understood: bootstrap.%s writes %q and a value in single quotes "+
				"there", i+1, s.name, strings.TrimSuffix(mark, "'"))
		}
		values = append(values, value)
	}
	return values, nil
}

func (s script) mark(line string) string {
	for _, mark := range s.marks {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

var linuxScript = sync.OnceValue(func() script {
	return newScript("LinuxScript", bootstrap.LinuxScript(nil, bootstrap.PayloadKey{}), "payload='")
})

// readLinuxScript reads the setting script of the extension of Linux, a LinuxScript in base64.
func readLinuxScript(setting string) (delivery, error) {
	text, err := base64.StdEncoding.DecodeString(setting)
	if err != nil {
		return delivery{}, errors.New("the value is not base64")
	}
	values, err := linuxScript().values(string(text))
	if err != nil {
		return delivery{}, err
	}
	if err := payload.Check(values[0]); err != nil {
		return delivery{}, err
	}
	return delivery{payload: values[0]}, nil
}

var windowsScript = sync.OnceValue(func() script {
	return newScript("WindowsScript", bootstrap.WindowsScript(nil), "$Payload = '")
})

// readWindowsScript reads the customData of a Windows machine.
func readWindowsScript(text string) (files, error) {
	values, err := windowsScript().values(text)
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(values[0])
	if err != nil {
		return nil, errors.New("$Payload: the value is not base64")
	}
	disk, err := unpackJSON(data)
	if err != nil {
		return nil, fmt.Errorf("$Payload: %w", err)
	}
	return disk, nil
}

// encodedArgument precedes the program in a WindowsCommand.
const encodedArgument = " -EncodedCommand "

// windowsCommand returns the beginning of a WindowsCommand, and its program.
var windowsCommand = sync.OnceValues(func() (prefix string, program script) {
	command, err := bootstrap.WindowsCommand("", nil, bootstrap.PayloadKey{})
	if err != nil {
		panic(err) // without files it is short
	}
	prefix, encoded, _ := strings.Cut(command, encodedArgument)
	text, err := decodeProgram(encoded)
	if err != nil {
		panic(err) // it was encoded for PowerShell
	}
	return prefix + encodedArgument, newScript("WindowsCommand", text, "if ($hash -ne '",
		"& ([ScriptBlock]::Create([Text.Encoding]::UTF8.GetString($bytes))) -More '")
})

// readWindowsCommand reads the setting commandToExecute of the extension of Windows, which is a WindowsCommand.
func readWindowsCommand(command string) (delivery, error) {
	prefix, program := windowsCommand()
	encoded, ok := strings.CutPrefix(command, prefix)
	if !ok {
		return delivery{}, fmt.Errorf("the command is not understood: bootstrap.WindowsCommand writes %q and a program",
			strings.TrimSpace(prefix))
	}
	text, err := decodeProgram(encoded)
	if err != nil {
		return delivery{}, err
	}
	values, err := program.values(text)
	if err != nil {
		return delivery{}, fmt.Errorf("-EncodedCommand: %w", err)
	}
	if err := payload.Check(values[1]); err != nil {
		return delivery{}, fmt.Errorf("-EncodedCommand: %w", err)
	}
	return delivery{payload: values[1], sha256: values[0]}, nil
}

// decodeProgram decodes a program that was encoded for PowerShell.
func decodeProgram(encoded string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(data)%2 != 0 {
		return "", errors.New("-EncodedCommand: the value is not base64 of UTF-16LE")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
	}
	return string(utf16.Decode(units)), nil
}

package bootstrap

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf16"
)

const (
	// maxWindowsCommand is the longest line that cmd.exe takes
	// (https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation).
	maxWindowsCommand = 8191

	// hashMark is where command.ps1 has the hash of the script.
	hashMark = "%SHA256%"

	// powershellCommand begins the command. Without an output format PowerShell writes
	// errors as XML when its program is encoded.
	powershellCommand = "powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -OutputFormat Text " +
		"-EncodedCommand "
)

// WindowsCommand returns a command for a Windows machine that has a script as its customData: the
// [WindowsScript] of its [PublicFiles], which Windows saves as C:\AzureData\CustomData.bin and
// does not run. The command compares it with its hash, and runs it with the secret files of the
// machine, the [SecretFiles], so that all files exist before the task of WindowsScript begins.
// A machine keeps the customData that it was created with: a command for another one fails.
//
// It is for Azure's extension Microsoft.Compute/CustomScriptExtension, as the
// commandToExecute of its protectedSettings
// (https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-windows).
// Its exit code is the exit code of the script, and 1 if the script is another one. The notes
// at WindowsScript about running it again, and about PowerShell's log, apply as well.
//
// The files are encrypted with a key that the script brings, as the file of [PayloadKey.File]
// among its public files. Content that was encrypted with another key, or changed, is an error,
// and nothing is written. If a machine's policy logs the command lines of processes, event 4688
// of the Security log has the encrypted text only; if it logs script blocks, event 4104 of
// Microsoft-Windows-PowerShell/Operational has the key as well: let the token be one that
// expires soon.
//
// It fails if the command is longer than what cmd.exe takes, which the extension uses. That
// of a node that joins has less than half of it, and each label of the greatest length
// adds about 300 characters.
func WindowsCommand(script string, secret []File, key PayloadKey) (string, error) {
	hash := sha256.Sum256([]byte(script))
	program := strings.NewReplacer(hashMark, hex.EncodeToString(hash[:]), payloadMark,
		key.encrypt(windowsPayload(secret))).Replace(commandProgram())
	command := powershellCommand + inBase64(utf16Text(program))
	if len(command) > maxWindowsCommand {
		return "", fmt.Errorf("bootstrap: the command has %d characters, and cmd.exe takes %d: the files have too "+
			"much text that does not compress, in labels and taints for example",
			len(command), maxWindowsCommand)
	}
	return command, nil
}

// commandProgram is command.ps1 without its comments.
func commandProgram() string {
	var program strings.Builder
	for line := range strings.Lines(windowsScript("command.ps1")) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "#") {
			program.WriteString(line)
		}
	}
	return program.String()
}

// utf16Text returns a text as PowerShell takes it encoded: UTF-16, the lower byte first.
func utf16Text(s string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

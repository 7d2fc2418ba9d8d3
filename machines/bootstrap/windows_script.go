package bootstrap

import (
	"encoding/json"
	"strings"
)

// payloadMark is where the scripts that deliver have the files.
const payloadMark = "%PAYLOAD%"

// WindowsScript is one PowerShell script that writes the files of [NodeFiles] onto a
// Windows machine and starts the task that turns the machine into a node with them, for machines to which
// one script is all that can be passed.
//
// It must run as the system or as an administrator. It ends at once and restarts nothing,
// as Azure asks of a CustomScriptExtension
// (https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-windows):
// the task does, about a minute later, and continues after it. So whether it worked is seen
// in Kubernetes, and on the machine in C:\mixedkube\log\bootstrap.log. Running it again
// writes the files again, and the task does what is then missing.
//
// The files are in a literal of base64: nothing in them becomes code. But they can be
// read from it: the script is a secret if one of the files is. Where PowerShell logs the
// blocks of scripts, which a machine's policy may ask for, the whole script is in its log
// too, event 4104 of Microsoft-Windows-PowerShell/Operational: let the token be one that
// expires soon.
func WindowsScript(files []File) string {
	text := strings.Replace(windowsScript("deliver.ps1"), payloadMark, inBase64(windowsPayload(files)), 1)
	return strings.ReplaceAll(text, "\n", "\r\n")
}

// payloadFile is a file in the payload. Windows has no executable flag.
type payloadFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Secret  bool   `json:"secret"`
}

// windowsPayload is JSON, gzipped; the same files give the same bytes.
func windowsPayload(files []File) string {
	list := make([]payloadFile, len(files))
	for i, f := range files {
		list[i] = payloadFile{f.Path, f.Content, f.Secret}
	}
	text, err := json.Marshal(struct {
		Files []payloadFile `json:"files"`
	}{list})
	if err != nil {
		panic(err) // built from strings
	}
	return gzipped(string(text) + "\n")
}

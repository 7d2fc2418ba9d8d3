package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func wantRefused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// Each row is one edit away from what the bootstrap writes.
func TestCloudConfigsThatAreRefused(t *testing.T) {
	t.Parallel()
	const only = ": " + cloudConfigFormat
	// The rows refer to line numbers of this document.
	document := bootstrap.CloudConfig([]bootstrap.File{
		{Path: "/opt/a.sh", Content: "#!/bin/sh\ntrue\n", Executable: true},
		{Path: "/etc/b", Content: "no end of line"},
	})
	const begins = `#cloud-config
write_files:
  - path: /opt/a.sh
    owner: root:root
    permissions: '0755'
    content: |
      #!/bin/sh
      true
  - path: /etc/b
    owner: root:root
    permissions: '0644'
    encoding: b64
    content: "bm8gZW5kIG9mIGxpbmU="
runcmd:
  - - systemctl
    - daemon-reload
`
	if !strings.HasPrefix(document, begins) {
		t.Fatalf("the rows are for a document that begins with\n%s\nand it is\n%s", begins, document)
	}
	for name, c := range map[string]struct{ old, replacement, want string }{
		"a script":       {"#cloud-config", "#!/bin/bash", `line 1 is not "#cloud-config"` + only},
		"a space before": {"#cloud-config", " #cloud-config", `line 1 is not "#cloud-config"` + only},
		"another kind":   {"#cloud-config", "#cloud-boothook", `line 1 is not "#cloud-config"` + only},
		"Windows lines":  {"#cloud-config\n", "#cloud-config\r\n", `line 1 is not "#cloud-config"` + only},
		"a MIME document": {
			"#cloud-config", "Content-Type: multipart/mixed",
			`line 1 is not "#cloud-config"` + only,
		},
		"not YAML": {
			"write_files:", "write_files: x:",
			"not valid YAML: line 2: mapping values are not allowed in this context" + only,
		},
		"a text for the list": {
			"write_files:\n", "write_files: secret-value\nx:\n",
			"line 2 is not what it should be" + only,
		},
		"an unknown anchor": {"runcmd:\n", "runcmd: *secret\nx:\n", "not valid YAML" + only},
		"an unknown key": {
			"runcmd:", "bootcmd: [ls]\nruncmd:",
			"line 14: the key bootcmd is not understood" + only,
		},
		"an unknown key of a file": {
			"    encoding: b64", "    append: true\n    encoding: b64",
			"line 12: the key append is not understood" + only,
		},
		"another encoding":    {"encoding: b64", "encoding: gz+b64", "line 12 is not understood" + only},
		"the encoding's name": {"encoding: b64", "encoding: base64", "line 12 is not understood" + only},
		"not base64":          {`"bm8gZW5kIG9mIGxpbmU="`, `"?"`, "line 13 is not understood" + only},
		"another owner":       {"owner: root:root", "owner: root", "line 4 is not understood" + only},
		"another mode":        {"'0755'", "'0777'", "line 5 is not understood" + only},
		"a mode as a number":  {"'0755'", "0755", "line 5 is not understood" + only},
		"another quoting":     {"path: /etc/b", `path: "/etc/b"`, "line 9 is not understood" + only},
		"another style":       {"content: |\n", "content: >\n", "line 6 is not understood" + only},
		"a comment":           {"runcmd:", "# then\nruncmd:", "line 14 is not understood" + only},
		"a package":           {"write_files:", "packages: [curl]\nwrite_files:", "line 2 is not understood" + only},
		"one more command":    {"runcmd:\n", "runcmd:\n  - kubeadm join\n", "line 15 is not understood" + only},
		"another command":     {"daemon-reload", "daemon-reexec", "line 16 is not understood" + only},
		"fewer commands":      {"  - - systemctl\n    - daemon-reload\n", "", "line 16 is not understood" + only},
		"a blank line before": {"\"\nruncmd", "\"\n\nruncmd", "line 14 is not understood" + only},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, CheckCustomData(false, []byte(edited(t, document, c.old, c.replacement))), c.want)
		})
	}
	for name, c := range map[string]struct{ text, want string }{
		"gzipped": {gzipOf(document), `line 1 is not "#cloud-config"` + only},
		"a line at the end": {
			document + "final_message: x\n",
			"line 26: the key final_message is not understood" + only,
		},
		"a blank line":   {document + "\n", "line 26 is not understood" + only},
		"no end of line": {strings.TrimSuffix(document, "\n"), "line 25 is not understood" + only},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, CheckCustomData(false, []byte(c.text)), c.want)
		})
	}
}

func TestExtensionsThatAreRefused(t *testing.T) {
	t.Parallel()
	const (
		onLinux   = " is not understood: bootstrap uses only protectedSettings.script"
		onWindows = " is not understood: bootstrap uses only protectedSettings.commandToExecute"
	)
	script, command := base64Of(bootstrap.LinuxScript(nil, testKey)), commandFor(t, bootstrap.WindowsScript(nil), nil)
	more := windowsExtension(command)
	more.Protected["fileUris"] = []any{}
	public := windowsExtension(command)
	public.Settings, public.Protected = public.Protected, nil
	for name, c := range map[string]struct {
		extension Extension
		want      string
	}{
		"a command on Linux": {
			linuxExtension(nil, map[string]any{"commandToExecute": "kubeadm join --config /k.yaml"}),
			"protectedSettings.commandToExecute" + onLinux,
		},
		"a public script": {linuxExtension(map[string]any{"script": script}, nil), "settings.script" + onLinux},
		"more settings": {
			linuxExtension(nil, map[string]any{"script": script, "fileUris": []any{}}),
			"protectedSettings.fileUris" + onLinux,
		},
		"public settings": {
			linuxExtension(map[string]any{"timestamp": 1.0}, map[string]any{"script": script}),
			"settings.timestamp" + onLinux,
		},
		"more settings on Windows": {more, "protectedSettings.fileUris" + onWindows},
		"a public command":         {public, "settings.commandToExecute" + onWindows},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, c.extension.Check(), c.want)
		})
	}
	// The handler refuses some settings only on the machine. Extensions that run no command are not read.
	for name, e := range map[string]Extension{
		"nothing to run": linuxExtension(nil, nil),
		"not base64":     linuxExtension(nil, map[string]any{"script": "%"}),
		"another kind": {
			Publisher: "Microsoft.Azure.Monitor", Type: "AzureMonitorLinuxAgent",
			Settings: public.Settings,
		},
	} {
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// asWritten returns the error for a line of a script.
func asWritten(line int, of, want string) string {
	return fmt.Sprintf("line %d is not understood: bootstrap.%s writes %q there", line, of, want)
}

func withValue(line int, of, want string) string {
	return fmt.Sprintf("line %d is not understood: bootstrap.%s writes %q and a value in single quotes there", line, of,
		want)
}

// sealedText has the form of an encrypted payload.
func sealedText(ciphertext string) string {
	return "v1." + base64Of(ciphertext) + "." + strings.Repeat("0", 64)
}

func TestLinuxScriptsThatAreRefused(t *testing.T) {
	t.Parallel()
	script := bootstrap.LinuxScript([]bootstrap.File{{Path: "/x", Content: "secret"}}, testKey)
	empty := bootstrap.LinuxScript(nil, testKey)
	none, _, _ := strings.Cut(strings.Split(empty, "payload='")[1], "'")
	with := func(value string) string { return edited(t, empty, none, value) }
	lines := strings.Count(script, "\n") + 1
	for name, c := range map[string]struct{ text, want string }{
		"another shell": {
			edited(t, script, "#!/bin/bash", "#!/bin/sh"),
			asWritten(1, "LinuxScript", "#!/bin/bash"),
		},
		"a command": {
			edited(t, script, "set -euo pipefail\n", "set -euo pipefail\nkubeadm join\n"),
			asWritten(6, "LinuxScript", ""),
		},
		"Windows lines":       {strings.ReplaceAll(script, "\n", "\r\n"), asWritten(1, "LinuxScript", "#!/bin/bash")},
		"gzipped":             {gzipOf(script), asWritten(1, "LinuxScript", "#!/bin/bash")},
		"a payload in quotes": {edited(t, script, "payload='", `payload="`), withValue(16, "LinuxScript", "payload=")},
		"more after it":       {edited(t, empty, none+"'", none+"'; ls"), withValue(16, "LinuxScript", "payload=")},
		"cut off": {
			before(script, "\n\n# The key,") + "\n",
			asWritten(strings.Count(before(script, "\n\n# The key,"), "\n")+2, "LinuxScript", ""),
		},
		"nothing": {"#!/bin/bash", asWritten(1, "LinuxScript", "#!/bin/bash")},
		"cut off in the payload": {
			script[:strings.Index(script, "payload='")+20],
			withValue(16, "LinuxScript", "payload="),
		},
		"a line more": {
			script + "kubeadm join\n",
			asWritten(lines, "LinuxScript", ""),
		},
		"not encrypted":       {with(packed("0600 L3g= eQ==\n")), payload.ErrForm.Error()},
		"another version":     {with("v2" + strings.TrimPrefix(none, "v1")), payload.ErrForm.Error()},
		"no HMAC":             {with(none[:strings.LastIndex(none, ".")]), payload.ErrForm.Error()},
		"an HMAC in capitals": {with("v1.AAAA." + strings.Repeat("A", 64)), payload.ErrForm.Error()},
		"no salt":             {with(sealedText(strings.Repeat("x", 32))), payload.ErrCiphertext.Error()},
		"no block":            {with(sealedText("Salted__12345678")), payload.ErrCiphertext.Error()},
		"half a block":        {with(sealedText("Salted__1234567812345678")), payload.ErrCiphertext.Error()},
		"base64 without =": {
			with(strings.Replace(sealedText("Salted__"), "=", "", 1)),
			payload.ErrCiphertext.Error(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, scriptExtension(c.text).Check(), "protectedSettings.script: "+c.want)
		})
	}
}

// The files of a payload are read when the machine has decrypted it.
func TestPayloadsThatAreRefused(t *testing.T) {
	t.Parallel()
	const inLine = " is not understood: bootstrap.LinuxScript writes a mode (0600, 0644, 0700 or 0755) and, in " +
		"base64, a path that begins with / and a content"
	for name, c := range map[string]struct{ text, want string }{
		"not gzipped":         {"0600 L3g= eQ==\n", "the value is not gzip"},
		"half of it":          {gzipOf("0600 L3g= eQ==\n")[:20], "the value is not gzip"},
		"JSON":                {gzipOf(`{"files":[]}` + "\n"), "line 1" + inLine},
		"another mode":        {gzipOf("0600 L3g= eQ==\n0777 L3g= eQ==\n"), "line 2" + inLine},
		"an unknown mode":     {gzipOf("644 L3g= eQ==\n"), "line 1" + inLine},
		"a tab":               {gzipOf("0600\tL3g= eQ==\n"), "line 1" + inLine},
		"no content":          {gzipOf("0600 L3g=\n"), "line 1" + inLine},
		"no end of line":      {gzipOf("0600 L3g= eQ=="), "line 1" + inLine},
		"a path in clear":     {gzipOf("0600 /x eQ==\n"), "line 1" + inLine},
		"path not base64":     {gzipOf("0600 L3g eQ==\n"), "line 1" + inLine},
		"a path from nowhere": {gzipOf("0600 eA== eQ==\n"), "line 1" + inLine},
		"content not base64":  {gzipOf("0600 L3g= eQ=\n"), "line 1" + inLine},
		"more than the limit": {
			gzipOf(strings.Repeat("x", mostUnpacked+1)),
			"the value has more than 8 MiB when it is unpacked",
		},
		"a space for no bytes": {gzipOf("0600 L3g=  \n"), "line 1" + inLine},
	} {
		_, err := unpackTable([]byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if disk, err := unpackTable([]byte(gzipOf("0600 L3g= \n"))); err != nil || len(disk) != 1 {
		t.Errorf("a file without content: %v, %v", disk, err)
	}
	const format = `not understood: bootstrap writes JSON of the form {"files": [{"path", "content", "secret"}]}`
	if _, err := unpackJSON([]byte(gzipOf("x"))); err == nil || err.Error() != format {
		t.Errorf("got %v, want %s", err, format)
	}
}

func TestWindowsScriptsThatAreRefused(t *testing.T) {
	t.Parallel()
	const first = "# Writes the files of a node and starts the task that sets up the node from them. It neither"
	script := bootstrap.WindowsScript(nil)
	none, _, _ := strings.Cut(strings.Split(script, "$Payload = '")[1], "'")
	payload := func(value string) string { return edited(t, script, none, value) }
	const format = `not understood: bootstrap writes JSON of the form {"files": [{"path", "content", "secret"}]}`
	for name, c := range map[string]struct{ text, want string }{
		"another script":  {"exit 0\r\n", asWritten(1, "WindowsScript", first)},
		"Unix lines":      {strings.ReplaceAll(script, "\r\n", "\n"), asWritten(1, "WindowsScript", first)},
		"a byte mark":     {"\ufeff" + script, asWritten(1, "WindowsScript", first)},
		"gzipped":         {gzipOf(script), asWritten(1, "WindowsScript", first)},
		"a #cloud-config": {bootstrap.CloudConfig(nil), asWritten(1, "WindowsScript", first)},
		"a command more": {
			edited(t, script, "\r\n$Root", "\r\nkubeadm join\r\n$Root"),
			asWritten(16, "WindowsScript", "$Root = 'C:\\mixedkube'"),
		},
		"other quotes": {
			edited(t, script, "$Payload = '", `$Payload = "`),
			withValue(14, "WindowsScript", "$Payload = "),
		},
		"not base64":  {payload("?"), "$Payload: the value is not base64"},
		"not gzipped": {payload(base64Of(`{"files":[]}`)), "$Payload: the value is not gzip"},
		"a table":     {payload(packed("0600 L3g= eQ==\n")), "$Payload: " + format},
		"a list":      {payload(packed("[]")), "$Payload: " + format},
		"no files":    {payload(packed("{}")), "$Payload: " + format},
		"more keys":   {payload(packed(`{"files":[],"more":1}`)), "$Payload: " + format},
		"more keys of a file": {
			payload(packed(`{"files":[{"path":"C:/x","content":"","secret":true,"encoding":"b64"}]}`)),
			"$Payload: " + format,
		},
		"fewer keys of a file": {
			payload(packed(`{"files":[{"path":"C:/x","content":"","secret":true},{"path":"C:/x","content":""}]}`)),
			"$Payload: files[1]: " + format,
		},
		"two of them": {payload(packed(`{"files":[]}{"files":[]}`)), "$Payload: " + format},
		"another path": {
			payload(packed(`{"files":[{"path":"C:\\x","content":"","secret":true}]}`)),
			"$Payload: files[0].path is not understood: bootstrap writes a path that begins with C:/",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, CheckCustomData(true, []byte(c.text)), c.want)
		})
	}
}

func TestWindowsCommandsThatAreRefused(t *testing.T) {
	t.Parallel()
	command := commandFor(t, bootstrap.WindowsScript(nil), nil)
	prefix, _ := windowsCommand()
	program, err := decodeProgram(strings.TrimPrefix(command, prefix))
	if err != nil {
		t.Fatal(err)
	}
	none, _, _ := strings.Cut(strings.Split(program, "-More '")[1], "'")
	const (
		other = "the command is not understood: bootstrap.WindowsCommand writes \"powershell.exe -NoProfile " +
			"-NonInteractive -ExecutionPolicy Bypass -OutputFormat Text -EncodedCommand\" and a program"
		notEncoded = "-EncodedCommand: the value is not base64 of UTF-16LE"
	)
	written := func(line int, want string) string {
		return "-EncodedCommand: " + asWritten(line, "WindowsCommand", want)
	}
	for name, c := range map[string]struct{ command, want string }{
		"in clear":         {"powershell.exe -Command exit", other},
		"another name":     {edited(t, command, "powershell.exe", "pwsh.exe"), other},
		"a short argument": {edited(t, command, "-EncodedCommand", "-enc"), other},
		"fewer arguments":  {edited(t, command, " -NonInteractive", ""), other},
		"other capitals":   {strings.ToLower(prefix) + strings.TrimPrefix(command, prefix), other},
		"more after it":    {command + " -Verbose", notEncoded},
		"not base64":       {prefix + "a?b", notEncoded},
		"half a character": {prefix + "YWJj", notEncoded},
		"in quotes":        {prefix + `"` + strings.TrimPrefix(command, prefix) + `"`, notEncoded},
		"another program": {
			encoded("exit"),
			written(1, "Set-StrictMode -Version Latest"),
		},
		"another file": {
			encoded(edited(t, program, `C:\AzureData`, `D:\AzureData`)),
			written(3, `$bytes = [IO.File]::ReadAllBytes('C:\AzureData\CustomData.bin')`),
		},
		"no hash": {
			encoded(edited(t, program, "$hash -ne '", "$hash -eq '")),
			"-EncodedCommand: " + withValue(5, "WindowsCommand", "if ($hash -ne "),
		},
		"files in clear": {
			encoded(edited(t, program, none, packed("x"))),
			"-EncodedCommand: " + payload.ErrForm.Error(),
		},
		"files not in quote": {
			encoded(edited(t, program, "-More '", "-More \"")),
			"-EncodedCommand: " + withValue(8, "WindowsCommand",
				"& ([ScriptBlock]::Create([Text.Encoding]::UTF8.GetString($bytes))) -More "),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantRefused(t, windowsExtension(c.command).Check(), "protectedSettings.commandToExecute: "+c.want)
		})
	}
}

// before returns the part of a text before end.
func before(text, end string) string {
	text, _, _ = strings.Cut(text, end)
	return text
}

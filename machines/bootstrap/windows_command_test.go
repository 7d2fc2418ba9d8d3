package bootstrap

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// What is after the last parameter means nothing to cmd.exe.
var commandFormat = regexp.MustCompile(
	`^powershell\.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -OutputFormat Text -EncodedCommand ` +
		`([A-Za-z0-9+/]+=*)$`,
)

// decodeCommand returns the program of a command, read as PowerShell does.
func decodeCommand(t *testing.T, command string) string {
	t.Helper()
	found := commandFormat.FindStringSubmatch(command)
	if found == nil {
		t.Fatalf("the command is %s", command)
	}
	b, err := base64.StdEncoding.DecodeString(found[1])
	if err != nil {
		t.Fatal(err)
	}
	units := make([]uint16, len(b)/2)
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, units); err != nil {
		t.Fatal(err)
	}
	return string(utf16.Decode(units))
}

var moreFormat = regexp.MustCompile(`-More '(v1\.[A-Za-z0-9+/=]*\.[0-9a-f]{64})'`)

// readPayload returns what deliver.ps1 finds in a payload.
func readPayload(t *testing.T, compressed []byte) []File {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var payload struct{ Files []File }
	if err := json.Unmarshal(decoded, &payload); err != nil {
		t.Fatal(err)
	}
	return payload.Files
}

func mustCommand(t *testing.T, script string, secret []File) string {
	t.Helper()
	command, err := WindowsCommand(script, secret, scriptKey)
	if err != nil {
		t.Fatal(err)
	}
	return command
}

// The program is the same for all nodes, except the hash and the files.
func TestWindowsCommand(t *testing.T) {
	t.Parallel()
	c := testCluster(network.UpstreamL3, "1.36")
	for _, node := range []string{"win2019-1", "win2022-1", "win2025-1"} {
		public, err := PublicFiles(c, node)
		if err != nil {
			t.Fatal(err)
		}
		secret, err := SecretFiles(c, node, testJoin(node))
		if err != nil {
			t.Fatal(err)
		}
		script := WindowsScript(public)
		command := mustCommand(t, script, secret)
		if command != mustCommand(t, script, secret) {
			t.Error("the same files give another command")
		}
		program := decodeCommand(t, command)
		found := moreFormat.FindAllStringSubmatch(program, -1)
		if len(found) != 1 {
			t.Fatalf("%d payloads in\n%s", len(found), program)
		}
		brought := readPayload(t, decrypted(t, found[0][1], scriptKey))
		if diff := cmp.Diff(secret, brought); diff != "" || len(secret) != 1 {
			t.Errorf("%d files (-want +got):\n%s", len(secret), diff)
		}
		sum := sha256.Sum256([]byte(script))
		constant := strings.NewReplacer(found[0][1], payloadMark, hex.EncodeToString(sum[:]), hashMark).Replace(program)
		if diff := cmp.Diff(commandProgram(), constant); diff != "" {
			t.Errorf("more differs than the hash and the payload (-want +got):\n%s", diff)
		}
	}
}

// The program of the command is command.ps1, and it calls deliver.ps1 as that is.
func TestWindowsCommandFitsTheScript(t *testing.T) {
	t.Parallel()
	program := commandProgram()
	if strings.Contains(program, "#") || strings.ContainsFunc(program, func(r rune) bool { return r > '~' }) {
		t.Errorf("has a comment, or is not ASCII:\n%s", program)
	}
	for line := range strings.Lines(windowsScript("command.ps1")) {
		if !strings.HasPrefix(line, "#") && line != "\n" && !strings.Contains(program, line) {
			t.Errorf("%q is not in the program", line)
		}
	}
	for _, mark := range []string{hashMark, payloadMark} {
		if strings.Count(program, mark) != 1 {
			t.Errorf("%s is there %d times", mark, strings.Count(program, mark))
		}
	}
	deliver := windowsScript("deliver.ps1")
	code := regexp.MustCompile(`(?m)^[^#\n].*$`).FindString(deliver)
	// Anywhere except at the beginning PowerShell reads it as a command.
	if code != `param([string]$More = '')` {
		t.Errorf("the script begins with %q", code)
	}
	// A block of text has no directory, and ends the process by itself.
	if strings.Contains(deliver, "PSScriptRoot") || !strings.HasSuffix(deliver, "\nexit $LASTEXITCODE\n") {
		t.Errorf("the script cannot be run from text:\n%s", deliver)
	}
}

func TestWindowsCommandHasRoom(t *testing.T) {
	t.Parallel()
	c := testCluster(network.UpstreamL3, "1.36")
	plain := joinCommand(t, c)
	// More than any pool has: labels as long as they may be, none like another.
	labels := map[string]string{}
	for range 8 {
		labels["example.com/"+rand.Text()+rand.Text()] = rand.Text() + rand.Text()
	}
	for i := range c.Topology.Pools {
		if c.Topology.Pools[i].Name == "win2022" {
			c.Topology.Pools[i].Labels = labels
		}
	}
	long := joinCommand(t, c)
	t.Logf("%d characters, with long labels %d", len(plain), len(long))
	if len(plain) > maxWindowsCommand*2/3 {
		t.Errorf("%d characters", len(plain))
	}
}

func joinCommand(t *testing.T, c Cluster) string {
	t.Helper()
	secret, err := SecretFiles(c, "win2022-1", testJoin("win2022-1"))
	if err != nil {
		t.Fatal(err)
	}
	return mustCommand(t, "", secret)
}

func TestWindowsCommandThatIsTooLong(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 3000)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	secret := []File{{Path: windowsJoin, Content: hex.EncodeToString(noise), Secret: true}}
	hash := strings.Repeat("0", sha256.Size*2)
	program := strings.NewReplacer(hashMark, hash, payloadMark,
		scriptKey.encrypt(windowsPayload(secret))).Replace(commandProgram())
	length := len(
		"powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -OutputFormat Text -EncodedCommand ",
	) +
		base64.StdEncoding.EncodedLen(2*len(program))
	command, err := WindowsCommand("", secret, scriptKey)
	want := fmt.Sprintf(
		"the command has %d characters, and cmd.exe takes 8191: the files have too much text that does not compress, "+
			"in labels and taints for example", length,
	)
	if command != "" || message(err) != want {
		t.Errorf("%d characters, %v, want %s", len(command), err, want)
	}
}

// One character more is too much.
func TestWindowsCommandAtTheLimit(t *testing.T) {
	t.Parallel()
	taken, tries := 0, 1000
	refused := sort.Search(tries, func(n int) bool {
		command, err := WindowsCommand("", []File{{Content: randomText(n * 8)}}, scriptKey)
		if err == nil {
			taken = max(taken, len(command))
		}
		return err != nil
	})
	if refused == tries || taken > 8191 || taken < 8191-200 {
		t.Errorf("takes %d characters, and refuses %d", taken, refused*8)
	}
}

func randomText(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}

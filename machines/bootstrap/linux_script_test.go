package bootstrap

import (
	"crypto/rand"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var linuxPayloadFormat = regexp.MustCompile(`(?m)^payload='(v1\.[A-Za-z0-9+/=]*\.[0-9a-f]{64})'$`)

// scriptKey is the key of the machines that the scripts are for.
var scriptKey = NewPayloadKey([]byte(strings.Repeat("k", 32)))

// checkLinuxScript makes sure that the files change nothing of the script but the literal.
func checkLinuxScript(t *testing.T, files []File) {
	t.Helper()
	script := LinuxScript(files, scriptKey)
	if script != LinuxScript(files, scriptKey) {
		t.Error("the same files give another script")
	}
	found := linuxPayloadFormat.FindAllStringSubmatch(script, -1)
	if len(found) != 1 {
		t.Fatalf("%d payloads in\n%s", len(found), script)
	}
	if strings.Replace(script, found[0][1], payloadMark, 1) != selfContained("deliver.sh") {
		t.Error("more differs than the payload")
	}
}

func TestLinuxScriptIsAConstant(t *testing.T) {
	t.Parallel()
	checkLinuxScript(t, nil)
	for _, text := range hostileTexts {
		checkLinuxScript(t, []File{
			{Path: "/" + text, Content: text},
			{Path: linuxKubeadm, Content: text, Secret: true},
		})
	}
}

// Azure takes 256 KB in base64; four key pairs of RSA with 4096 bits are the most that a
// node gets.
func TestLinuxScriptIsShort(t *testing.T) {
	t.Parallel()
	files, err := SecretFiles(testCluster(network.UpstreamL3, "1.36"), "cp-2", testJoin("cp-2"))
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		// A key has 3243 bytes, and a certificate less.
		files = append(files, File{Path: linuxPKI + "/" + rand.Text(), Content: randomText(3500), Secret: true})
	}
	size := base64.StdEncoding.EncodedLen(len(LinuxScript(files, scriptKey)))
	t.Logf("%d bytes", size)
	if size > 64<<10 {
		t.Errorf("%d bytes", size)
	}
}

package machine

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/platform"
)

// Those of components/bootstrap, which the script of Linux decrypts as well.
func TestPayloadVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../components/bootstrap/testdata/payload-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Key, Plaintext, Payload string }
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) < 4 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, v := range vectors {
		got, err := decrypt(v.Payload, files{linuxPayloadKey: {content: v.Key}}, linuxPayloadKey)
		if err != nil || string(got) != v.Plaintext {
			t.Errorf("%q, %v, want %q", got, err, v.Plaintext)
		}
	}
}

// A machine decrypts what was encrypted with the key of its customData, and nothing else.
func TestPayloadsThatAreNotForTheMachine(t *testing.T) {
	t.Parallel()
	onLinux, onWindows := nodeFiles(t, "linux-1"), nodeFiles(t, "win-1")
	other := bootstrap.NewPayloadKey([]byte("another machine that is not real"))
	broken := bootstrap.File{Path: linuxPayloadKey, Content: "abc\n", Secret: true}
	const notForIt = "extension boot: the payload was not encrypted with the key in "
	const notForItEnd = ", or it was changed: a machine keeps the customData that it was made with"
	script := bootstrap.WindowsScript(append(some(onWindows, false), other.File(platform.WindowsServer2022)))
	setting := func(change func(string) string) Machine {
		m := delivered(onLinux)
		text := bootstrap.LinuxScript(some(onLinux, true), testKey)
		m.Extensions[0] = scriptExtension(change(text))
		return m
	}
	for name, c := range map[string]struct {
		machine Machine
		want    string
	}{
		"another key on Linux": {
			linux(bootstrap.CloudConfig(append(some(onLinux, false), other.File(platform.Linux))),
				scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			notForIt + linuxPayloadKey + notForItEnd,
		},
		"another key on Windows": {
			windows(script, windowsExtension(commandFor(t, script, some(onWindows, true)))),
			notForIt + windowsPayloadKey + notForItEnd,
		},
		"no key on Linux": {
			linux(bootstrap.CloudConfig(some(onLinux, false)),
				scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			"extension boot: customData does not bring " + linuxPayloadKey + ", which the extension's files are " +
				"decrypted with",
		},
		"half a key": {
			linux(bootstrap.CloudConfig(append(some(onLinux, false), broken)),
				scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			"extension boot: customData: " + linuxPayloadKey + " is not understood: bootstrap writes two lines of 64 " +
				"hex digits",
		},
		"another HMAC": {
			setting(func(text string) string {
				mac := strings.Split(strings.Split(text, "payload='v1.")[1], "'")[0]
				mac = mac[strings.LastIndex(mac, "."):]
				return edited(t, text, mac, "."+strings.Repeat("0", 64))
			}),
			notForIt + linuxPayloadKey + notForItEnd,
		},
		"a changed ciphertext": {
			setting(func(text string) string {
				begin := strings.Index(text, "payload='v1.") + 100
				changed := "A"
				if text[begin] == 'A' {
					changed = "B"
				}
				return text[:begin] + changed + text[begin+1:]
			}),
			notForIt + linuxPayloadKey + notForItEnd,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := Boot(c.machine)
			if err == nil || err.Error() != c.want || b != nil {
				t.Errorf("got %v, %v\nwant %s", b, err, c.want)
			}
		})
	}
}

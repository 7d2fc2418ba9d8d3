package machine

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// A machine decrypts only data that was encrypted with the key in its customData.
func TestPayloadsThatAreNotForTheMachine(t *testing.T) {
	t.Parallel()
	onLinux, onWindows := nodeFiles(t, "linux-1"), nodeFiles(t, "win-1")
	other := bootstrap.NewPayloadKey([]byte("another machine that is not real"))
	broken := bootstrap.File{Path: linuxPayloadKey, Content: "abc\n", Secret: true}
	const onWindowsKey = "extension boot: " + windowsPayloadKey + ": "
	const onLinuxKey = "extension boot: " + linuxPayloadKey + ": "
	notForIt := payload.ErrMAC.Error()
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
			onLinuxKey + notForIt,
		},
		"another key on Windows": {
			windows(script, windowsExtension(commandFor(t, script, some(onWindows, true)))),
			onWindowsKey + notForIt,
		},
		"no key on Linux": {
			linux(bootstrap.CloudConfig(some(onLinux, false)),
				scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			"extension boot: customData does not bring " + linuxPayloadKey + ", which its files are decrypted with",
		},
		"half a key": {
			linux(bootstrap.CloudConfig(append(some(onLinux, false), broken)),
				scriptExtension(bootstrap.LinuxScript(some(onLinux, true), testKey))),
			onLinuxKey + payload.ErrKey.Error(),
		},
		"another HMAC": {
			setting(func(text string) string {
				_, after, _ := strings.Cut(text, "payload='v1.")
				mac, _, _ := strings.Cut(after, "'")
				mac = mac[strings.LastIndex(mac, "."):]
				return edited(t, text, mac, "."+strings.Repeat("0", 64))
			}),
			onLinuxKey + notForIt,
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
			onLinuxKey + notForIt,
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

package platform_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestJSONIsReadInAnySpellingAndWrittenCanonically(t *testing.T) {
	t.Parallel()
	var pools map[platform.Platform][]platform.Platform
	if err := json.Unmarshal([]byte(`{"Linux": ["linux"], "ltsc2019": ["Windows2022", "23H2"]}`), &pools); err != nil {
		t.Fatal(err)
	}
	want := map[platform.Platform][]platform.Platform{
		platform.Linux:             {platform.Linux},
		platform.WindowsServer2019: {platform.WindowsServer2022, platform.WindowsServer23H2},
	}
	if diff := cmp.Diff(want, pools); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	written, err := json.Marshal(pools)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"linux":["linux"],"windows-2019":["windows-2022","windows-23h2"]}`; string(written) != want {
		t.Errorf("wrote %s, want %s", written, want)
	}
}

func TestReadingAnInvalidPlatformFailsAndChangesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, json, want string }{
		{
			"a platform that does not exist", `"windows-2026"`,
			`unknown platform "windows-2026": did you mean "windows-2016"? ` + validPlatforms,
		},
		{"an empty text", `""`, `unknown platform "": ` + validPlatforms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := platform.Linux
			err := json.Unmarshal([]byte(tt.json), &p)
			var unknown *platform.UnknownError
			if !errors.As(err, &unknown) || unknown.Error() != tt.want {
				t.Errorf("Unmarshal(%s):\n got %v\nwant %s", tt.json, err, tt.want)
			}
			if p != platform.Linux {
				t.Errorf("Unmarshal(%s) set %q", tt.json, p)
			}
		})
	}
}

func TestOnlyAValidPlatformCanBeWritten(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		platform platform.Platform
		want     string
	}{
		{"the zero value", "", `unknown platform "": ` + validPlatforms},
		{
			"a spelling that is not canonical", "ltsc2022",
			`unknown platform "ltsc2022": did you mean "windows-2022"? ` + validPlatforms,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text, err := tt.platform.MarshalText()
			var unknown *platform.UnknownError
			if text != nil || !errors.As(err, &unknown) || unknown.Error() != tt.want {
				t.Errorf("MarshalText() = %q, %v\nwant %s", text, err, tt.want)
			}
		})
	}
}

func TestAnImageOfUnknownReleaseCanBeWrittenAsJSON(t *testing.T) {
	t.Parallel()
	written, err := json.Marshal(platform.Image{OS: platform.LinuxOS})
	if want := `{"OS":"linux","HostProcess":false}`; err != nil || string(written) != want {
		t.Errorf("wrote %s, %v, want %s", written, err, want)
	}
}

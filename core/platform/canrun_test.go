package platform_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

// Hosts and images of the matrices, in the order of their rows and columns. The image column "unknown" is an image
// without any known fact; "windows" is a Windows image of unknown release.
const matrixColumns = "2016 1709 1803 2019 1903 1909 2004 20h2 2022 23h2 2025 linux windows hostprocess unknown"

var strictMatrix = map[platform.Platform]string{
	//              2016 1709 1803 2019 1903 1909 2004 20h2 2022 23h2 2025 linux windows hostprocess unknown
	"linux":        "no   no   no   no   no   no   no   no   no   no   no   yes   no      no          unknown",
	"windows-2016": "yes  no   no   no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1709": "no   yes  no   no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1803": "no   no   yes  no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-2019": "no   no   no   yes  no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1903": "no   no   no   no   yes  no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1909": "no   no   no   no   no   yes  no   no   no   no   no   no    unknown yes         unknown",
	"windows-2004": "no   no   no   no   no   no   yes  no   no   no   no   no    unknown yes         unknown",
	"windows-20h2": "no   no   no   no   no   no   no   yes  no   no   no   no    unknown yes         unknown",
	"windows-2022": "no   no   no   no   no   no   no   no   yes  no   no   no    unknown yes         unknown",
	"windows-23h2": "no   no   no   no   no   no   no   no   no   yes  no   no    unknown yes         unknown",
	"windows-2025": "no   no   no   no   no   no   no   no   no   no   yes  no    unknown yes         unknown",
}

var relaxedMatrix = map[platform.Platform]string{
	//              2016 1709 1803 2019 1903 1909 2004 20h2 2022 23h2 2025 linux windows hostprocess unknown
	"linux":        "no   no   no   no   no   no   no   no   no   no   no   yes   no      no          unknown",
	"windows-2016": "yes  no   no   no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1709": "no   yes  no   no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1803": "no   no   yes  no   no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-2019": "no   no   no   yes  no   no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1903": "no   no   no   no   yes  no   no   no   no   no   no   no    unknown yes         unknown",
	"windows-1909": "no   no   no   no   no   yes  no   no   no   no   no   no    unknown yes         unknown",
	"windows-2004": "no   no   no   no   no   no   yes  no   no   no   no   no    unknown yes         unknown",
	"windows-20h2": "no   no   no   no   no   no   no   yes  no   no   no   no    unknown yes         unknown",
	"windows-2022": "no   no   no   no   no   no   no   no   yes  no   no   no    unknown yes         unknown",
	"windows-23h2": "no   no   no   no   no   no   no   no   yes  yes  no   no    unknown yes         unknown",
	"windows-2025": "no   no   no   no   no   no   no   no   yes  yes  yes  no    unknown yes         unknown",
}

func TestCanRunForEveryHostAndImage(t *testing.T) {
	t.Parallel()
	matrices := map[platform.Matching]map[platform.Platform]string{
		platform.Strict:  strictMatrix,
		platform.Relaxed: relaxedMatrix,
	}
	images := map[string]platform.Image{
		"linux":       {OS: platform.LinuxOS},
		"windows":     {OS: platform.WindowsOS},
		"hostprocess": {OS: platform.WindowsOS, HostProcess: true},
		"unknown":     {},
	}
	for matching, matrix := range matrices {
		t.Run(string(matching), func(t *testing.T) {
			t.Parallel()
			for _, host := range platform.All() {
				row := strings.Fields(matrix[host])
				columns := strings.Fields(matrixColumns)
				if len(row) != len(columns) {
					t.Fatalf("the row of %s has %d answers for %d images", host, len(row), len(columns))
				}
				for i, column := range columns {
					image, ok := images[column]
					if !ok {
						image = platform.Image{OS: platform.WindowsOS, Release: platform.Platform("windows-" + column)}
					}
					if got := platform.CanRun(host, image, matching).String(); got != row[i] {
						t.Errorf("CanRun(%s, %s image) = %s, want %s", host, column, got, row[i])
					}
				}
			}
		})
	}
}

func TestTheMatricesCoverEveryRelease(t *testing.T) {
	t.Parallel()
	columns := strings.Fields(matrixColumns)
	for i, p := range platform.Windows() {
		if got := platform.Platform("windows-" + columns[i]); got != p {
			t.Errorf("column %d of the matrices is %s, want %s", i, got, p)
		}
	}
	if want := len(platform.All()); len(strictMatrix) != want || len(relaxedMatrix) != want {
		t.Errorf("the matrices have %d and %d rows, want %d", len(strictMatrix), len(relaxedMatrix), want)
	}
}

func TestCanRunAnswersUnknown(t *testing.T) {
	t.Parallel()
	windows2022 := platform.Image{OS: platform.WindowsOS, Release: platform.WindowsServer2022}
	tests := []struct {
		name  string
		host  platform.Platform
		image platform.Image
	}{
		{"when the host is the zero value", "", windows2022},
		{"when the host is not a valid platform", "windows", windows2022},
		{"when the host is not spelled canonically", "ltsc2022", windows2022},
		{
			"when the host is unknown, even for a host-process image", "",
			platform.Image{OS: platform.WindowsOS, HostProcess: true},
		},
		{
			"when the image has a release and no OS", platform.WindowsServer2022,
			platform.Image{Release: platform.WindowsServer2022},
		},
		{"when the image is host-process and has no OS", platform.WindowsServer2022, platform.Image{HostProcess: true}},
		{
			"when a Linux image has a Windows release", platform.Linux,
			platform.Image{OS: platform.LinuxOS, Release: platform.WindowsServer2022},
		},
		{
			"when a Linux image is host-process", platform.WindowsServer2022,
			platform.Image{OS: platform.LinuxOS, HostProcess: true},
		},
		{
			"when the release of a Windows image is Linux", platform.WindowsServer2022,
			platform.Image{OS: platform.WindowsOS, Release: platform.Linux},
		},
		{
			"when the release of a Windows image is not valid", platform.WindowsServer2022,
			platform.Image{OS: platform.WindowsOS, Release: "ltsc2022"},
		},
		{"when the OS of the image is not valid", platform.Linux, platform.Image{OS: "Linux"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, matching := range []platform.Matching{platform.Strict, platform.Relaxed} {
				if got := platform.CanRun(tt.host, tt.image, matching); got != platform.Unknown {
					t.Errorf("CanRun(%q, %+v, %s) = %s, want unknown", tt.host, tt.image, matching, got)
				}
			}
		})
	}
}

func TestAnUndefinedMatchingIsStrict(t *testing.T) {
	t.Parallel()
	image := platform.Image{OS: platform.WindowsOS, Release: platform.WindowsServer2022}
	if got := platform.CanRun(platform.WindowsServer2025, image, "loose"); got != platform.No {
		t.Errorf("CanRun = %s, want no", got)
	}
}

func TestAnswersHaveNames(t *testing.T) {
	t.Parallel()
	var zeroAnswer platform.Answer
	for want, got := range map[string]string{
		"unknown":   zeroAnswer.String(),
		"yes":       platform.Yes.String(),
		"no":        platform.No.String(),
		"Answer(7)": platform.Answer(7).String(),
	} {
		if got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

package platform_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	tests := map[platform.Platform][]string{
		platform.Linux: {"linux", "Linux", "LINUX", " linux\n"},
		platform.WindowsServer2016: {
			"windows-2016", "ltsc2016", "windows-ltsc2016", "10.0.14393", "10.0.14393.2906", "Windows Server 2016",
			"Windows Server 2016 Standard",
		},
		platform.WindowsServer1709: {"windows-1709", "1709", "10.0.16299", "Windows Server, version 1709"},
		platform.WindowsServer1803: {"windows-1803", "1803", "10.0.17134", "Windows Server, version 1803"},
		platform.WindowsServer2019: {
			"windows-2019", "WINDOWS-2019", "ltsc2019", "LTSC2019", "1809", "windows-1809", "10.0.17763",
			"10.0.17763.437", "Windows Server 2019", "windows server 2019", "Windows  Server\t2019",
			"Windows Server 2019 (1809)", "Windows Server 2019 (version 1809)", "Windows Server 2019, version 1809",
			"Windows Server, version 1809", "Windows Server version 1809", "Windows Server 2019 Datacenter",
			"Windows Server 2019 Datacenter (1809)", "Windows2019", "windows2019",
		},
		platform.WindowsServer1903: {"windows-1903", "1903", "10.0.18362", "Windows Server, version 1903"},
		platform.WindowsServer1909: {"windows-1909", "1909", "10.0.18363", "Windows Server, version 1909"},
		platform.WindowsServer2004: {"windows-2004", "2004", "10.0.19041", "Windows Server, version 2004"},
		platform.WindowsServer20H2: {
			"windows-20h2", "Windows-20H2", "20H2", "20h2", "10.0.19042", "Windows Server, version 20H2",
			"Windows Server 20H2",
		},
		platform.WindowsServer2022: {
			"windows-2022", "ltsc2022", "10.0.20348", "10.0.20348.2340", "Windows Server 2022",
			"Windows Server 2022 Datacenter", "Windows2022",
		},
		platform.WindowsServer23H2: {
			"windows-23h2", "23H2", "23h2", "10.0.25398", "Windows Server, version 23H2", "Windows Server 23H2",
			"WindowsAnnual", "windowsannual",
		},
		platform.WindowsServer2025: {
			"windows-2025", "ltsc2025", "10.0.26100", "10.0.26100.1742", "Windows Server 2025",
			"Windows2025",
		},
	}
	for want, values := range tests {
		for _, value := range values {
			t.Run(value+" as "+string(want), func(t *testing.T) {
				t.Parallel()
				got, err := platform.Parse(value)
				if got != want || err != nil {
					t.Errorf("Parse(%q) = %q, %v, want %q", value, got, err, want)
				}
			})
		}
	}
}

func TestParseAcceptsTheNameBuildAndTagsOfEveryRelease(t *testing.T) {
	t.Parallel()
	for _, p := range platform.Windows() {
		release, _ := p.Release()
		for _, value := range append([]string{release.Name, release.Build, release.Build + ".1"}, release.Tags...) {
			if got, err := platform.Parse(value); got != p || err != nil {
				t.Errorf("Parse(%q) = %q, %v, want %q", value, got, err, p)
			}
		}
	}
}

const validPlatforms = "valid platforms are linux, windows-2016, windows-1709, windows-1803, windows-2019, " +
	"windows-1903, " +
	"windows-1909, windows-2004, windows-20h2, windows-2022, windows-23h2, windows-2025"

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		value   string
		nearest platform.Platform
		want    string
	}{
		{
			"a year without a release, and suggests the nearest one", "windows-2021", "windows-2022",
			`unknown platform "windows-2021": did you mean "windows-2022"? ` + validPlatforms,
		},
		{"a misspelled Linux", "lunix", "linux", `unknown platform "lunix": did you mean "linux"? ` + validPlatforms},
		{
			"a year alone, and says what it means", "2022", "windows-2022",
			`unknown platform "2022": did you mean "windows-2022"? ` + validPlatforms,
		},
		{
			"a year alone, also next to a version", "2019", "windows-2019",
			`unknown platform "2019": did you mean "windows-2019"? ` + validPlatforms,
		},
		{
			"a misspelled container tag, and suggests its platform", "ltcs2025", "windows-2025",
			`unknown platform "ltcs2025": did you mean "windows-2025"? ` + validPlatforms,
		},
		{
			"a misspelled AKS SKU", "WindowsAnual", "windows-23h2",
			`unknown platform "WindowsAnual": did you mean "windows-23h2"? ` + validPlatforms,
		},
		{
			"a misspelled product name", "Windows Servr 2025", "windows-2025",
			`unknown platform "Windows Servr 2025": did you mean "windows-2025"? ` + validPlatforms,
		},
		{
			"an SKU that AKS never had", "Windows2016", "windows-2016",
			`unknown platform "Windows2016": did you mean "windows-2016"? ` + validPlatforms,
		},
		{
			"a product name whose two versions disagree", "Windows Server 2022 (1809)", "",
			`unknown platform "Windows Server 2022 (1809)": ` + validPlatforms,
		},
		{
			"a build that is not in the table, and suggests no other number", "10.0.20349", "",
			`unknown platform "10.0.20349": ` + validPlatforms,
		},
		{"windows without a release", "windows", "", `unknown platform "windows": ` + validPlatforms},
		{"something else", "solaris", "", `unknown platform "solaris": ` + validPlatforms},
		{"nothing", "", "", `unknown platform "": ` + validPlatforms},
		{"spaces", "  ", "", `unknown platform "  ": ` + validPlatforms},
		{"a value that needs quoting", "a\"b\n", "", `unknown platform "a\"b\n": ` + validPlatforms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := platform.Parse(tt.value)
			if got != "" || err == nil {
				t.Fatalf("Parse(%q) = %q, %v, want an error", tt.value, got, err)
			}
			if err.Error() != tt.want {
				t.Errorf("Parse(%q):\n got %s\nwant %s", tt.value, err, tt.want)
			}
			var unknown *platform.UnknownError
			if !errors.As(err, &unknown) {
				t.Fatalf("Parse(%q) returned a %T, want an *UnknownError", tt.value, err)
			}
			if want := (platform.UnknownError{Value: tt.value, Nearest: tt.nearest}); *unknown != want {
				t.Errorf("Parse(%q) returned %+v, want %+v", tt.value, *unknown, want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range platform.All() {
		f.Add(string(p))
		if release, ok := p.Release(); ok {
			f.Add(release.Name)
			f.Add(release.Build + ".437")
		}
	}
	f.Add("Windows Server 2019 (1809)")
	f.Add("windows-2021")
	f.Add("\xffİ")
	f.Fuzz(func(t *testing.T, value string) {
		p, err := platform.Parse(value)
		if err != nil {
			var unknown *platform.UnknownError
			if p != "" || !errors.As(err, &unknown) || unknown.Value != value {
				t.Fatalf("Parse(%q) = %q, %#v", value, p, err)
			}
			if unknown.Nearest != "" && !unknown.Nearest.Valid() {
				t.Errorf("Parse(%q) suggests %q, which is not valid", value, unknown.Nearest)
			}
			return
		}
		if !p.Valid() {
			t.Errorf("Parse(%q) = %q, which is not valid", value, p)
		}
		if again, err := platform.Parse(p.String()); again != p || err != nil {
			t.Errorf("Parse(%q) = %q, but Parse(%q) = %q, %v", value, p, p, again, err)
		}
		if again, err := platform.Parse(strings.ToUpper(p.String())); again != p || err != nil {
			t.Errorf("Parse of %q in upper case = %q, %v", p, again, err)
		}
	})
}

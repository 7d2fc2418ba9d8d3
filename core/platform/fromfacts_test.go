package platform_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

// published returns the facts of an index with variants such as "linux/amd64" and "windows/amd64/10.0.20348.1". A
// variant that begins with an equals sign is not in an index.
func published(texts ...string) *platform.Facts {
	f := &platform.Facts{Digest: "sha256:index"}
	for _, text := range texts {
		alone := strings.HasPrefix(text, "=")
		parts := strings.SplitN(strings.TrimPrefix(text, "=")+"//", "/", 4)
		v := platform.Variant{
			OS: platform.OS(parts[0]), Architecture: parts[1], OSVersion: parts[2], Digest: "sha256:" + text,
			Layers: []int64{100 << 20},
		}
		if alone {
			v.Digest = f.Digest
		}
		f.Variants = append(f.Variants, v)
	}
	return f
}

const (
	linuxAmd = "linux/amd64"
	linuxArm = "linux/arm64"
	in2019   = "windows/amd64/10.0.17763.5820"
	in2022   = "windows/amd64/10.0.20348.2461"
	in2025   = "windows/amd64/10.0.26100.1742"
	noBuild  = "windows/amd64/"
)

func TestFromFacts(t *testing.T) {
	t.Parallel()
	windows, linux := platform.WindowsOS, platform.LinuxOS
	small := published("=" + noBuild)
	small.Variants[0].Layers = []int64{7000, 5 << 30}
	for _, tt := range []struct {
		name, ref string
		facts     *platform.Facts
		want      platform.Image
		text      string
	}{
		{"no facts, and a name that tells", "nginx:1.27-alpine", nil, platform.Image{OS: linux}, ""},
		{"no facts, and a name that does not", "nginx:1.27", nil, platform.Image{}, ""},
		{"no variant", "nginx:1.27-alpine", published(), platform.Image{OS: linux}, ""},
		{
			"a variant without an operating system", "nginx:1.27-alpine", published("/amd64", linuxAmd),
			platform.Image{OS: linux},
			"",
		},
		{
			"Linux alone", "nginx:1.27", published(linuxAmd, linuxArm),
			platform.Image{OS: linux},
			"Linux/amd64, Linux/arm64",
		},
		{
			"a name that says otherwise", "shop/agent:windows", published(linuxAmd),
			platform.Image{OS: linux},
			"Linux/amd64",
		},
		{
			"a tag of Linux's", "shop/nginx:1.14-alpine", published(in2019),
			platform.Image{OS: windows, Release: platform.WindowsServer2019},
			"Windows Server 2019",
		},
		{
			"one release twice", "a", published(in2022, "windows/amd64/10.0.20348.1"),
			platform.Image{OS: windows, Release: platform.WindowsServer2022},
			"Windows Server 2022",
		},
		{
			"several releases", "a", published(in2019, in2022, in2025),
			platform.Image{OS: windows},
			"Windows Server 2019, 2022 and 2025",
		},
		{
			"both systems", "a", published(linuxAmd, in2019, in2022),
			platform.Image{},
			"Linux/amd64, Windows Server 2019 and 2022",
		},
		{
			"attestations beside Linux", "a", published(linuxAmd, "unknown/unknown"),
			platform.Image{OS: linux},
			"Linux/amd64",
		},
		{"another system", "a", published("freebsd/amd64"), platform.Image{}, "freebsd/amd64"},
		{
			"a build of no release", "a", published("windows/amd64/10.0.19045.1"),
			platform.Image{OS: windows},
			"Windows 10.0.19045.1",
		},
		{"Windows without a build", "a", published(noBuild), platform.Image{OS: windows}, "Windows"},
		{
			"the base image of host-process containers",
			"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0", published(noBuild),
			platform.Image{OS: windows, HostProcess: true},
			"Windows",
		},
		{"an image built from it", "a", small, platform.Image{OS: windows, HostProcess: true}, "Windows"},
		{
			"many architectures", "a",
			published(linuxAmd, linuxArm, "linux/arm", "linux/386", "linux/s390x", "linux/ppc64le"),
			platform.Image{OS: linux},
			"Linux/amd64, Linux/arm64, Linux/arm, Linux/386, 2 others",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.text != "" {
				tt.want.Facts = tt.facts
			}
			if got := platform.FromFacts(tt.ref, tt.facts); got != tt.want {
				t.Errorf("FromFacts = %+v, want %+v", got, tt.want)
			}
			if got := tt.facts.String(); tt.text != "" && got != tt.text {
				t.Errorf("the text is %q, want %q", got, tt.text)
			}
		})
	}
}

// The answers for Linux amd64, Linux arm64, Windows Server 2019, 2022, 23H2 and 2025.
func TestCanRunByFacts(t *testing.T) {
	t.Parallel()
	hosts := []struct {
		platform     platform.Platform
		architecture string
	}{
		{platform.Linux, "amd64"},
		{platform.Linux, "arm64"},
		{platform.WindowsServer2019, ""},
		{platform.WindowsServer2022, ""},
		{platform.WindowsServer23H2, ""},
		{platform.WindowsServer2025, "amd64"},
	}
	for _, tt := range []struct {
		name            string
		facts           *platform.Facts
		hostProcess     bool
		strict, relaxed string
	}{
		{"Linux for amd64", published(linuxAmd), false, "yes no no no no no", "yes no no no no no"},
		{"Linux for both", published(linuxAmd, linuxArm), false, "yes yes no no no no", "yes yes no no no no"},
		{
			"Linux for 386 and arm", published("linux/386", "linux/arm"), false,
			"yes yes no no no no", "yes yes no no no no",
		},
		{
			"Linux without an index", published("=" + linuxAmd), false,
			"yes unknown no no no no", "yes unknown no no no no",
		},
		{"Linux without an architecture", published("linux/"), false, "yes yes no no no no", "yes yes no no no no"},
		{"2019", published(in2019), false, "no no yes no no no", "no no yes no no no"},
		{"2022", published(in2022), false, "no no no yes no no", "no no no yes yes yes"},
		{"2022 without an index", published("=" + in2022), false, "no no no yes no no", "no no no yes yes yes"},
		{"2025", published(in2025), false, "no no no no no yes", "no no no no no yes"},
		{"2019 and 2022", published(in2019, in2022), false, "no no yes yes no no", "no no yes yes yes yes"},
		{"both systems", published(linuxAmd, in2022), false, "yes no no yes no no", "yes no no yes yes yes"},
		{
			"a build of no release", published("windows/amd64/10.0.22621.1"), false, "no no no no no no",
			"no no no no yes yes",
		},
		{
			"Windows without a build", published(noBuild), false, "no no unknown unknown unknown unknown",
			"no no unknown unknown unknown unknown",
		},
		{
			"an invalid build", published("windows/amd64/6.3.9600"), false, "no no unknown unknown unknown unknown",
			"no no unknown unknown unknown unknown",
		},
		{"Windows for arm64", published("windows/arm64/10.0.26100.1"), false, "no no no no no no", "no no no no no no"},
		{"another system", published("freebsd/amd64"), false, "no no no no no no", "no no no no no no"},
		{"host process, without a build", published(noBuild), true, "no no yes yes yes yes", "no no yes yes yes yes"},
		{"host process, alone", published("=" + in2019), true, "no no yes yes yes yes", "no no yes yes yes yes"},
		{
			"host process, in an index", published(in2022), true, "no no unknown yes unknown unknown",
			"no no unknown yes yes yes",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			image := platform.FromFacts("shop", tt.facts)
			image.HostProcess = tt.hostProcess
			for matching, want := range map[platform.Matching]string{
				platform.Strict: tt.strict, platform.Relaxed: tt.relaxed,
			} {
				var got []string
				for _, host := range hosts {
					got = append(got, platform.CanRunOn(host.platform, host.architecture, image, matching).String())
				}
				if text := strings.Join(got, " "); text != want {
					t.Errorf("%s: %s, want %s", matching, text, want)
				}
			}
		})
	}
}

// Facts of a single variant give the same answers as the name of its release.
func TestFactsAgreeWithNames(t *testing.T) {
	t.Parallel()
	for _, p := range platform.Windows() {
		byName := platform.Image{OS: platform.WindowsOS, Release: p}
		byFacts := platform.FromFacts("shop", published("windows/amd64/"+p.Build()+".1"))
		for _, host := range platform.All() {
			for _, matching := range []platform.Matching{platform.Strict, platform.Relaxed} {
				want, got := platform.CanRun(host, byName, matching), platform.CanRun(host, byFacts, matching)
				if want != got {
					t.Errorf("%s image on %s, %s: %s by facts, %s by name", p, host, matching, got, want)
				}
			}
		}
	}
}

func TestTellsRelease(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		image platform.Image
		want  bool
	}{
		"nothing":            {platform.Image{}, false},
		"a name":             {platform.FromImage("mcr.microsoft.com/windows/servercore:ltsc2022"), true},
		"a name without one": {platform.FromImage("mcr.microsoft.com/windows/servercore"), false},
		"Linux":              {platform.FromFacts("a", published(linuxAmd)), false},
		"Windows":            {platform.FromFacts("a", published(in2022, in2019)), true},
		"both":               {platform.FromFacts("a", published(linuxAmd, in2019)), true},
		"the base image of host-process containers": {platform.FromFacts(
			"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0",
			published(in2022)), false},
		"Windows without one":   {platform.FromFacts("a", published(noBuild)), false},
		"a build of no release": {platform.FromFacts("a", published("windows/amd64/10.0.22621.1")), true},
	} {
		if got := tt.image.TellsRelease(); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}

// For any facts, more variants never make an image run on fewer hosts, an image with an operating system and facts
// can be described, and nothing panics.
func FuzzFromFacts(f *testing.F) {
	f.Add("nginx", "linux/amd64", in2022)
	f.Add("a/b:c@sha256:x", "windows/arm64/10.0", "unknown/unknown")
	f.Add("", "/", "=windows//10.0.99999999999999999999.1")
	f.Fuzz(func(t *testing.T, ref, one, other string) {
		less, more := published(one), published(one, other)
		less.Digest = "sha256:other" // both are indexes
		a, b := platform.FromFacts(ref, less), platform.FromFacts(ref, more)
		if a.OS != "" && a.Facts != nil && a.Facts.String() == "" {
			t.Errorf("%+v has no description", a)
		}
		if a.Facts == nil || b.Facts == nil || a.HostProcess != b.HostProcess {
			return
		}
		rank := map[platform.Answer]int{platform.No: 0, platform.Unknown: 1, platform.Yes: 2}
		for _, host := range platform.All() {
			for _, matching := range []platform.Matching{platform.Strict, platform.Relaxed} {
				before, after := platform.CanRun(host, a, matching), platform.CanRun(host, b, matching)
				if rank[after] < rank[before] {
					t.Errorf("%s with %s is %s, and with %s too it is %s", host, one, before, other, after)
				}
			}
		}
	})
}

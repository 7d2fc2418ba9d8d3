package wine

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

const printed = `'https://example.com/b.deb' binutils-mingw-w64-x86-64_2.40-2+10.4_amd64.deb 3198408 SHA256:0d
'https://example.com/pool/l/libunwind8_1.6.2-3_amd64.deb' libunwind8_1.6.2-3_amd64.deb 51172 SHA256:7b
'https://example.com/pool/l/libz-mingw-w64_1.2.13_all.deb' libz-mingw-w64_1.2.13_all.deb 152484 SHA256:b9
'https://example.com/pool/w/libwine_8.0%7erepack-4_amd64.deb' libwine_8.0~repack-4_amd64.deb 100355712 SHA256:51
'https://example.com/pool/w/wine64_8.0%7erepack-4_amd64.deb' wine64_8.0~repack-4_amd64.deb 248020 SHA256:4f
`

func TestOffers(t *testing.T) {
	t.Parallel()
	packages, err := parseOffers(printed)
	if err != nil {
		t.Fatal(err)
	}
	if got := version(packages); got != "8.0~repack-4" {
		t.Errorf("the version is %q", got)
	}
	if got := totalSize(packages); got != 104005796 {
		t.Errorf("they have %d bytes", got)
	}
	other, err := parseOffers(strings.Replace(printed, "SHA256:4f", "SHA256:50", 1))
	if err != nil {
		t.Fatal(err)
	}
	if key(packages) == key(other) {
		t.Errorf("packages with other content have the same key %s", key(packages))
	}
}

func TestTooFewOffers(t *testing.T) {
	t.Parallel()
	_, err := parseOffers(printed[:strings.LastIndex(printed, "'https")])
	want := "Wine cannot be had here: apt-get offers 4 of the 5 packages " +
		"wine64, libwine, libz-mingw-w64, libunwind8, binutils-mingw-w64-x86-64"
	if !errors.As(err, new(UnavailableError)) || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

func TestWithoutApt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out bytes.Buffer
	_, err := Ensure(t.Context(), t.TempDir(), &out)
	if !errors.As(err, new(UnavailableError)) {
		t.Fatalf("got error %v, want one that says why there is no Wine", err)
	}
	for _, want := range []string{"apt-get is not on PATH: use Debian or Ubuntu", "on linux/amd64 only"} {
		if strings.Contains(err.Error(), want) {
			return
		}
	}
	t.Errorf("got error %v", err)
}

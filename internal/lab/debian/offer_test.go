package debian

import (
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

var printedNames = []string{"wine64", "libwine", "libz-mingw-w64", "libunwind8", "binutils-mingw-w64-x86-64"}

func TestParsedOffers(t *testing.T) {
	t.Parallel()
	read := func(text string) Offer {
		files, err := parse(text, printedNames)
		if err != nil {
			t.Fatal(err)
		}
		return Offer{files: files}
	}
	o := read(printed)
	if got := o.Version("wine64"); got != "8.0~repack-4" {
		t.Errorf("the version is %q", got)
	}
	if got := o.Size(); got != 104005796 {
		t.Errorf("they have %d bytes", got)
	}
	if o.Key() == read(strings.Replace(printed, "SHA256:4f", "SHA256:50", 1)).Key() {
		t.Errorf("packages with other content have the same key %s", o.Key())
	}
	if o.Key("a") == o.Key("b") {
		t.Errorf("the further processing of the packages does not change the key %s", o.Key("a"))
	}
}

func TestTooFewPackagesAreOffered(t *testing.T) {
	t.Parallel()
	_, err := parse(printed[:strings.LastIndex(printed, "'https")], printedNames)
	const want = "apt-get offers 4 of the 5 packages " +
		"wine64, libwine, libz-mingw-w64, libunwind8, binutils-mingw-w64-x86-64"
	if !errors.As(err, new(UnavailableError)) || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

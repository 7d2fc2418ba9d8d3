package azure

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxUsername = 20

func (c *check) windowsAdmin(admin WindowsAdmin) {
	const at = "windowsAdmin."
	c.username(at+"username", admin.Username)
	c.password(at+"password", admin.Password)
	if licence := admin.LicenseType; licence != "" && !slices.Contains(licenceTypes, licence) {
		c.report("MK757", unknownWord(at+"licenseType", licence, "a licence type", licenceTypes, licenceTypes))
	}
	c.gmsa(at+"gmsa.", admin.GMSA)
}

// username takes an empty name for the default.
func (c *check) username(path, name string) {
	if n := utf8.RuneCountInString(name); n > maxUsername {
		c.report("MK751", problem{
			path: path, value: name, detail: fmt.Sprintf("%d characters, and the name of a Windows account has at most %d", n, maxUsername), fix: "use a shorter one",
		})
	}
	if strings.HasSuffix(name, ".") {
		c.report("MK751", problem{path: path, value: name, detail: "the name of a Windows account does not end in a period", fix: "remove it"})
	}
	if among(refusedUsernames, name) {
		c.report("MK752", problem{path: path, value: name, detail: "Azure refuses this name", fix: "use one that is less common, for example azureuser"})
	}
}

package arm

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// refusedAdmins and refusedPasswords are from Azure's reference of virtual machines. They also apply to scale sets, and
// so to Windows pools.
var (
	refusedAdmins = []string{
		"administrator", "admin", "user", "user1", "test", "user2", "test1", "user3", "admin1", "1", "123", "a",
		"actuser", "adm",
		"admin2", "aspnet", "backup", "console", "david", "guest", "john", "owner", "root", "server", "sql", "support",
		"support_388945a0", "sys", "test2", "test3", "user4", "user5",
	}
	refusedPasswords = []string{
		"abc@123", "P@$$w0rd", "P@ssw0rd", "P@ssword123", "Pa$$word", "pass@word1", "Password!", "Password1",
		"Password22", "iloveyou!",
	}
)

const (
	// shortestNodePassword is AKS' limit, which is higher than that of the scale sets below it.
	shortestNodePassword, shortestPassword, longestPassword = 14, 8, 123
	longestAdmin                                            = 20
)

// checkWindowsAdmin checks the Windows profile. The password is empty if the request has none.
func checkWindowsAdmin(properties Body, password string, hasPassword bool) error {
	profile, _ := properties["windowsProfile"].(Body)
	if profile == nil {
		return nil
	}
	name := textAt(profile, "adminUsername")
	switch {
	case profile["adminUsername"] == nil:
		return missingParameter("windowsProfile.adminUsername")
	case name == "" || len(name) > longestAdmin:
		return badAdmin("Length of username is invalid. Required length: [1, %d].", longestAdmin)
	case strings.HasSuffix(name, "."):
		return badAdmin("Username '%s' cannot end with '.'.", name)
	case strings.ContainsAny(name, `"/\[]:|<>+=;,?*@&`):
		return badAdmin("Username '%s' has characters that are not allowed.", name)
	case slices.Contains(refusedAdmins, strings.ToLower(name)):
		return badAdmin("Username '%s' is reserved.", name)
	}
	if !hasPassword {
		return missingParameter("windowsProfile.adminPassword")
	}
	if password == "" {
		return nil
	}
	return checkNodePassword(password)
}

// seeOSProfile ends AKS' errors of the Windows profile.
const seeOSProfile = " Please see " +
	"https://docs.microsoft.com/en-us/rest/api/compute/virtualmachinescalesets/createorupdate" +
	"#virtualmachinescalesetosprofile"

func badAdmin(format string, args ...any) *Error {
	return refused("WindowsProfileUsernameInvalid", "", "Invalid adminUsername. Error: "+format+seeOSProfile, args...)
}

func badNodePassword(format string, args ...any) *Error {
	return refused("WindowsProfilePasswordInvalid", "", "Invalid adminPassword. Error: "+format+seeOSProfile, args...)
}

// checkNodePassword checks a password of Windows nodes. None of refusedPasswords is long enough.
func checkNodePassword(password string) error {
	if n := utf8.RuneCountInString(password); n < shortestNodePassword || n > longestPassword {
		return badNodePassword("Length of password is invalid. Required length: [%d, %d]. Minimum password length "+
			"required by AKS for AzSecPack is longer.", shortestNodePassword, longestPassword)
	}
	if kindsOfCharacters(password) < 3 {
		return badNodePassword("Password has to have 3 of: lower-case letters, upper-case letters, digits, special " +
			"characters.")
	}
	return nil
}

// kindsOfCharacters counts how many of Azure's four kinds of characters a password has: a special character is [\W_].
func kindsOfCharacters(password string) int {
	var lower, upper, digit, special int
	for _, c := range password {
		switch {
		case c >= 'a' && c <= 'z':
			lower = 1
		case c >= 'A' && c <= 'Z':
			upper = 1
		case c >= '0' && c <= '9':
			digit = 1
		default:
			special = 1
		}
	}
	return lower + upper + digit + special
}

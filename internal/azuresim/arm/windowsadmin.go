package arm

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// refusedAdmins and refusedPasswords are those of Azure's reference of the Windows
// profile, whose rules are the ones of virtual machines.
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
	shortestPassword, longestPassword = 8, 123
	longestAdmin                      = 20
)

// checkWindowsAdmin looks at the Windows profile. The password is empty where the
// request has none.
func checkWindowsAdmin(properties Body, password string, hasPassword bool) error {
	profile, _ := properties["windowsProfile"].(Body)
	if profile == nil {
		return nil
	}
	name, path := textAt(profile, "adminUsername"), "windowsProfile.adminUsername"
	switch {
	case profile["adminUsername"] == nil:
		return missingParameter(path)
	case name == "" || len(name) > longestAdmin:
		return invalidParameter(path, "the name has to have 1 to %d characters", longestAdmin)
	case strings.HasSuffix(name, "."):
		return invalidParameter(path, "the name '%s' cannot end with '.'", name)
	case strings.ContainsAny(name, `"/\[]:|<>+=;,?*@&`):
		return invalidParameter(path, "the name '%s' has characters that are not allowed", name)
	case slices.Contains(refusedAdmins, strings.ToLower(name)):
		return invalidParameter(path, "the name '%s' is reserved", name)
	}
	if !hasPassword {
		return missingParameter("windowsProfile.adminPassword")
	}
	if password == "" {
		return nil
	}
	return checkPassword(password)
}

func checkPassword(password string) error {
	const path = "windowsProfile.adminPassword"
	if n := utf8.RuneCountInString(password); n < shortestPassword || n > longestPassword {
		return invalidParameter(path, "the password has to have %d to %d characters", shortestPassword, longestPassword)
	}
	if kindsOfCharacters(password) < 3 {
		return invalidParameter(path,
			"the password has to have 3 of: lower-case letters, upper-case letters, digits, special characters")
	}
	if slices.Contains(refusedPasswords, password) {
		return invalidParameter(path, "the password is one that everybody would try")
	}
	return nil
}

// kindsOfCharacters are of Azure's four: a special character is [\W_].
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

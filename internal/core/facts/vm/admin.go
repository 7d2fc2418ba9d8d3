package vm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// refusedUsernames are compared without regard to case.
//
//facts:seen 2026-09-25 https://github.com/Azure/azure-sdk-for-go/blob/main/sdk/resourcemanager/compute/armcompute/models.go
var refusedUsernames = []string{
	"administrator", "admin", "user", "user1", "user2", "user3", "user4", "user5", "test", "test1", "test2", "test3",
	"admin1", "admin2", "1", "123", "a", "actuser", "adm", "aspnet", "backup", "console", "david", "guest", "john",
	"owner", "root", "server", "sql", "support", "support_388945a0", "sys",
}

//facts:seen 2026-09-25 https://github.com/Azure/azure-sdk-for-go/blob/main/sdk/resourcemanager/compute/armcompute/models.go
var refusedPasswords = []string{
	"abc@123", "P@$$w0rd", "P@ssw0rd", "P@ssword123", "Pa$$word", "pass@word1", "Password!", "Password1", "Password22",
	"iloveyou!",
}

// The limits of Azure for the administrator of a Windows machine.
//
//facts:seen 2026-09-25 https://github.com/Azure/azure-sdk-for-go/blob/main/sdk/resourcemanager/compute/armcompute/models.go
const (
	MaxUsername = 20
	MaxPassword = 123
	// MinKinds is the number of the four kinds of characters that a password must have at least one
	// of.
	MinKinds = 3
)

// RefusedInUsername are the characters that the name of an administrator cannot have
// (https://learn.microsoft.com/azure/virtual-machines/windows/faq#what-are-the-username-requirements-when-creating-a-vm-).
//
//facts:none a rule of Windows about the names of accounts, which does not age
const RefusedInUsername = `\/"[]:|<>+=;,?*@&`

// IsCommonUsername reports whether a name is one that Azure refuses, whatever its case.
func IsCommonUsername(name string) bool {
	return slices.ContainsFunc(refusedUsernames, func(refused string) bool { return strings.EqualFold(refused, name) })
}

// IsCommonPassword reports whether a password is one that Azure refuses.
func IsCommonPassword(password string) bool { return slices.Contains(refusedPasswords, password) }

// KindsOfCharacters returns how many of the four kinds of characters a password has: lower-case
// letters, upper-case letters, digits and special characters.
func KindsOfCharacters(password string) int {
	var found [4]bool
	for _, r := range password {
		switch {
		case unicode.IsLower(r):
			found[0] = true
		case unicode.IsUpper(r):
			found[1] = true
		case unicode.IsDigit(r):
			found[2] = true
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			found[3] = true
		}
	}
	n := 0
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}

// minPassword is Azure's minimum: AKS requires more, and so does Azure's command line.
//
//facts:seen 2026-09-25 https://github.com/Azure/azure-sdk-for-go/blob/main/sdk/resourcemanager/compute/armcompute/models.go
const minPassword = 8

// CheckPassword returns what is wrong with the password of a Windows virtual machine's
// administrator, without showing the password. It returns an empty text if the password is valid
// (https://learn.microsoft.com/rest/api/compute/virtual-machines/create-or-update#osprofile).
func CheckPassword(password string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword || n > MaxPassword:
		return fmt.Sprintf("must have %d to %d characters: use another", minPassword, MaxPassword)
	case KindsOfCharacters(password) < MinKinds:
		return "must have characters of at least three kinds: lower-case letters, upper-case letters, digits, " +
			"special characters: use another"
	case IsCommonPassword(password):
		return "Azure refuses passwords that are easy to guess: use another"
	default:
		return ""
	}
}

// CheckUsername returns what is wrong with the name of a virtual machine's administrator. It
// returns an empty text if the name is valid
// (https://learn.microsoft.com/azure/virtual-machines/windows/faq#what-are-the-username-requirements-when-creating-a-vm-).
func CheckUsername(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case n == 0 || n > MaxUsername:
		return fmt.Sprintf("must have 1 to %d characters: use a shorter one", MaxUsername)
	case strings.HasSuffix(name, "."):
		return "must not end in a period: remove it"
	case strings.ContainsAny(name, RefusedInUsername+" "):
		return "has a character that Azure refuses: use letters and digits"
	case IsCommonUsername(name):
		return "Azure refuses this name: use one that is less common, for example azureuser"
	default:
		return ""
	}
}

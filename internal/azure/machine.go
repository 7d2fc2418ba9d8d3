package azure

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// minMachinePassword is that of virtual machines: AKS asks for more, and so does Azure's
// command line.
const minMachinePassword = 8

// MachinePassword says what is wrong with the password of a Windows virtual machine's
// administrator, and nothing of the password itself; empty if it is right
// (https://learn.microsoft.com/rest/api/compute/virtual-machines/create-or-update#osprofile).
func MachinePassword(password string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < minMachinePassword || n > maxPassword:
		return fmt.Sprintf("must have %d to %d characters: use another", minMachinePassword, maxPassword)
	case kinds(password) < minKinds:
		return "must have three of lower-case letters, upper-case letters, digits and special characters: use another"
	case slices.Contains(refusedPasswords, password):
		return "Azure refuses passwords that everybody would try first: use another"
	default:
		return ""
	}
}

// MachineUsername says what is wrong with the name of a virtual machine's administrator;
// empty if it is right
// (https://learn.microsoft.com/azure/virtual-machines/windows/faq#what-are-the-username-requirements-when-creating-a-vm-).
func MachineUsername(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case n == 0 || n > maxUsername:
		return fmt.Sprintf("must have 1 to %d characters: use a shorter one", maxUsername)
	case strings.HasSuffix(name, "."):
		return "must not end in a period: remove it"
	case strings.ContainsAny(name, `\/"[]:|<>+=;,?*@& `):
		return "has a character that Azure refuses: use letters and digits"
	case among(refusedUsernames, name):
		return "Azure refuses this name: use one that is less common, for example azureuser"
	default:
		return ""
	}
}

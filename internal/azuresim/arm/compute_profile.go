package arm

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

const (
	longestWindowsName = 15
	longestLinuxName   = 64
	// Passwords in the Linux profile of a cluster have other limits.
	shortestLinuxPassword, longestLinuxPassword = 6, 72
	longestLinuxAdmin                           = 64
	longestCustomData                           = 87380
)

func checkComputerName(m machineUnderTest) error {
	name := textAt(m.properties, "osProfile.computerName")
	if name == "" {
		name = m.id.name()
	}
	if !m.image.windows {
		if len(name) > longestLinuxName || strings.ContainsAny(name, "`~!@#$%^&*()=+_[]{}\\|;:'\",<>/?") {
			return refused("InvalidParameter", "computerName",
				"Linux host name cannot exceed %d characters in length or contain the following characters: ` ~ ! @ "+
					"# $ %% ^ & * ( ) = + _ [ ] { } \\ | ; : ' \" , < > / ?.", longestLinuxName)
		}
		return nil
	}
	numeric := strings.Trim(name, "0123456789") == ""
	if len(name) > longestWindowsName || numeric || strings.ContainsAny(name, "`~!@#$%^&*()=+_[]{}\\|;:.'\",<>/?") {
		return refused("InvalidParameter", "computerName",
			"Windows computer name cannot be more than %d characters long, be entirely numeric, or contain the "+
				"following characters: ` ~ ! @ # $ %% ^ & * ( ) = + _ [ ] { } \\ | ; : . ' \" , < > / ?.",
			longestWindowsName)
	}
	return nil
}

func checkAdmin(m machineUnderTest) error {
	name := textAt(m.properties, "osProfile.adminUsername")
	longest := longestLinuxAdmin
	if m.image.windows {
		longest = longestAdmin
	}
	if name == "" {
		return nullParameter("adminUsername")
	}
	forbidden := m.image.windows && (strings.HasSuffix(name, ".") || strings.ContainsAny(name, `"/\[]:|<>+=;,?*@&`))
	if forbidden || len(name) > longest || slices.Contains(refusedAdmins, strings.ToLower(name)) {
		return refused("InvalidParameter", "adminUsername", "The Admin Username specified is not allowed.")
	}
	return nil
}

// checkOSProfilePassword checks the password, and requires one if there is no other way to sign in.
func checkOSProfilePassword(m machineUnderTest) error {
	onlyKeys := !m.image.windows &&
		at(m.properties, "osProfile.linuxConfiguration.disablePasswordAuthentication") == true
	switch {
	case m.password == "" && !m.hasPassword && !onlyKeys:
		return nullParameter("adminPassword")
	case m.password == "":
		return nil
	}
	shortest, longest := shortestPassword, longestPassword
	if !m.image.windows {
		shortest, longest = shortestLinuxPassword, longestLinuxPassword
	}
	n := utf8.RuneCountInString(m.password)
	if n < shortest || n > longest || kindsOfCharacters(m.password) < 3 ||
		strings.ContainsFunc(m.password, unicode.IsControl) {
		return refused("InvalidParameter", "adminPassword",
			"The supplied password must be between %d-%d characters long and must satisfy at least 3 of password "+
				"complexity requirements from the following:\r\n1) Contains an uppercase character\r\n2) Contains a "+
				"lowercase character\r\n3) Contains a numeric digit\r\n4) Contains a special character\r\n5) Control "+
				"characters are not allowed", shortest, longest)
	}
	if slices.Contains(refusedPasswords, m.password) {
		return refused("InvalidParameter", "adminPassword", "The supplied password is not allowed.")
	}
	return nil
}

func checkSystemProfile(m machineUnderTest) error {
	linux, _ := at(m.properties, "osProfile.linuxConfiguration").(Body)
	windows, _ := at(m.properties, "osProfile.windowsConfiguration").(Body)
	switch {
	case m.image.windows && linux != nil:
		return badParameter("linuxConfiguration")
	case !m.image.windows && windows != nil:
		return badParameter("windowsConfiguration")
	case linux == nil:
		return nil
	}
	keys := bodiesAt(linux, "ssh.publicKeys")
	if linux["disablePasswordAuthentication"] == true && len(keys) == 0 {
		return refused("InvalidParameter", "linuxConfiguration",
			"Authentication using either SSH or by user name and password must be enabled in Linux profile.")
	}
	file := "/home/" + textAt(m.properties, "osProfile.adminUsername") + "/.ssh/authorized_keys"
	for _, key := range keys {
		if path := textAt(key, "path"); path != "" && path != file {
			return refused("InvalidParameter", "linuxConfiguration.ssh.publicKeys.path",
				"Destination path for SSH public keys is currently limited to its default value %s  due to a known "+
					"issue in Linux provisioning agent.", file)
		}
		if !isPublicKey(textAt(key, "keyData")) {
			return badParameter("linuxConfiguration.ssh.publicKeys.keyData")
		}
	}
	return nil
}

// isPublicKey accepts Ed25519 keys, and RSA keys of at least 2048 bits, as documented in
// https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys.
func isPublicKey(text string) bool {
	fields := strings.Fields(text)
	if len(fields) < 2 || strings.Contains(strings.TrimSpace(text), "\n") {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(fields[1])
	if err != nil {
		return false
	}
	name, rest, ok := sshField(data)
	if !ok || string(name) != fields[0] {
		return false
	}
	first, rest, ok := sshField(rest)
	switch fields[0] {
	case "ssh-ed25519":
		return ok && len(first) == 32
	case "ssh-rsa":
		modulus, _, hasModulus := sshField(rest)
		return ok && hasModulus && len(modulus) >= 2048/8
	default:
		return false
	}
}

// sshField returns the first field of a key. The length of each field precedes it.
func sshField(data []byte) (field, rest []byte, ok bool) {
	if len(data) < 4 {
		return nil, nil, false
	}
	n := uint64(binary.BigEndian.Uint32(data))
	if data = data[4:]; uint64(len(data)) < n {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}

func checkCustomData(m machineUnderTest) error {
	data := textAt(m.properties, "osProfile.customData")
	if _, err := base64.StdEncoding.DecodeString(data); err != nil || len(data) > longestCustomData {
		return refused("InvalidParameter", "customData",
			"Custom data in OSProfile must be in Base64 encoding and with a maximum length of %d characters.",
			longestCustomData)
	}
	return nil
}

// checkUnderstood returns the last rule because it refuses customData that Azure accepts.
func checkUnderstood(m machineUnderTest) error {
	data, _ := base64.StdEncoding.DecodeString(textAt(m.properties, "osProfile.customData"))
	if err := machine.CheckCustomData(m.image.windows, data); m.isNew && err != nil {
		return notUnderstood(fmt.Errorf("customData: %w", err))
	}
	return nil
}

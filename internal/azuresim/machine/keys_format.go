package machine

// What components/bootstrap has on a machine for other keys.
const (
	// keysFolder is where they come first, and keysProgram what installs them.
	keysFolder  = "/etc/mixedkube/new-keys.part/"
	keysProgram = "/opt/mixedkube/replace-keys.sh"
)

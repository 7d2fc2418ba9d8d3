package machine

// Paths that components/bootstrap uses on a machine to replace its keys.
const (
	// keysFolder is where the new keys are written first, and keysProgram installs them.
	keysFolder  = "/etc/mixedkube/new-keys.part/"
	keysProgram = "/opt/mixedkube/replace-keys.sh"
)

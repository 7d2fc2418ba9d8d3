package machine

// Paths that machines/bootstrap uses on a machine to replace its keys.
const (
	// keysDir is where the new keys are written first, and keysProgram installs them.
	keysDir     = "/etc/mixedkube/new-keys.part/"
	keysProgram = "/opt/mixedkube/replace-keys.sh"
)

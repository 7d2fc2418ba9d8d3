package machine

// What components/bootstrap writes of a run command that gives a machine other keys.
const (
	// keysParameter is the protected parameter with the payload.
	keysParameter = "MIXEDKUBE_PAYLOAD"
	// keysFolder is where its files come first, and keysProgram what installs them.
	keysFolder  = "/etc/mixedkube/new-keys.part/"
	keysProgram = "/opt/mixedkube/replace-keys.sh"
)

// keysScript is the source of the run command.
func keysScript() string { return "#!/bin/bash\nset -euo pipefail\n" + keysProgram + "\n" }

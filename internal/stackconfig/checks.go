package stackconfig

// Checks say how the workload [Connectivity] checks the network. Their words are those of
// components/connectivity, which checks them.
type Checks struct {
	// Run is any text: another one runs all checks again.
	Run string
	// Skip are checks to leave out, 7-outbound for example.
	Skip []string
	// OutboundURL is what pods ask for outside of the cluster. Empty for the default.
	OutboundURL string
	// RemotePodsFromWindowsNodes asks Windows nodes for pods on other nodes too.
	RemotePodsFromWindowsNodes bool
}

func decodeChecks(v value) Checks {
	object, ok := v.object()
	if !ok {
		return Checks{}
	}
	c := Checks{
		Run: object.text("run"), Skip: object.texts("skip"), OutboundURL: object.text("outboundURL"),
		RemotePodsFromWindowsNodes: object.boolean("remotePodsFromWindowsNodes"),
	}
	object.finish()
	return c
}

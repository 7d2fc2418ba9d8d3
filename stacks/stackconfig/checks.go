package stackconfig

// Checks say how the workload [Connectivity] checks the network. Their words are those of
// components/connectivity, which checks them.
type Checks struct {
	// Run is any text: another one runs all checks again.
	Run string `json:"run"`
	// Skip are checks to leave out, 7-outbound for example.
	Skip []string `json:"skip"`
	// OutboundURL is what pods ask for outside of the cluster. Empty for the default.
	OutboundURL string `json:"outboundURL"`
	// RemotePodsFromWindowsNodes asks Windows nodes for pods on other nodes too.
	RemotePodsFromWindowsNodes bool `json:"remotePodsFromWindowsNodes"`
}

package stackconfig

// Checks describes how the workload [Connectivity] checks the network. components/connectivity has the same
// fields, and checks their values.
type Checks struct {
	// Run is any text: a change of it runs all checks again.
	Run string `json:"run"`
	// Skip lists the checks to skip, 7-outbound for example.
	Skip []string `json:"skip"`
	// OutboundURL is the URL outside of the cluster that pods request. Empty means the default.
	OutboundURL string `json:"outboundURL"`
	// RemotePodsFromWindowsNodes also checks that Windows nodes reach pods on other nodes.
	RemotePodsFromWindowsNodes bool `json:"remotePodsFromWindowsNodes"`
}

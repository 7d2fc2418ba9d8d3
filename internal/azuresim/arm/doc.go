// Package arm simulates the Azure Resource Manager: the part of it that AKS clusters, and virtual machines with their
// networks, need, with Azure's rules and error codes. Its state is a file, so that it lasts from one run of Pulumi to
// the next. The rules come from Azure's documentation, not from the requests that the components send.
//
// The package does not depend on Pulumi: the plugin pulumi-resource-azure-native and the command az, both simulated as
// well, call it as the real ones call Azure, with the IDs and bodies of the REST API.
//
// [Cloud.Reach] returns where packets in the simulated network arrive, given its load balancers, routes and security
// groups.
//
// A body is checked first against the type that Azure's SDK for Go has for it (the files in bodies), then against the
// rules. A refused request changes nothing. The directory of a cloud has state.json, all resources without their
// secrets; disks, where each virtual machine has its own; faults.json, see [Fault]; and lock, which each request holds.
// A machine boots within the request that gives it something to run: see [Options.Join]. The module's NOT_SIMULATED.md
// lists what is left out, and which of the error codes were seen in Azure.
package arm

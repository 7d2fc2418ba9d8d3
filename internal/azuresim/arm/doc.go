// Package arm is a simulated Azure Resource Manager: as much of it as makes AKS
// clusters, and virtual machines with their networks, with Azure's rules and error codes.
// Its state is a file, so that it lasts from one run of Pulumi to the next. It is written
// from Azure's documentation, not from what the components send.
//
// It knows nothing of Pulumi: the plugin pulumi-resource-azure-native and the command
// az, both simulated as well, speak to it as the real ones do to Azure, with the IDs
// and bodies of the REST API.
//
// [Cloud.Reach] says where packets in the simulated network get to, by its load balancers,
// routes and security groups.
//
// A body is compared with the type that Azure's SDK for Go has for it (the files in
// bodies), then with the rules. What is refused changes nothing. The folder of a cloud has state.json, all
// resources without their secrets; disks, where each virtual machine has its own;
// faults.json, see [Fault]; and lock, which each request holds. A machine that has
// something to run does it within the request: see [Options.Join]. The module's NOT_SIMULATED.md
// lists what is left out, and which of the error codes were seen in Azure.
package arm

// Package armclient is the client of the simulated Azure, package azure, that the
// plugin azure-native and the command az share: which Azure it is comes from the
// environment, the pools of its clusters become nodes of the lab's cluster, and
// requests are repeated where Azure's own clients repeat them.
package armclient

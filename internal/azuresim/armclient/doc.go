// Package armclient is the client of the simulated Azure, package arm, that the plugin
// azure-native and the command az share: the environment says which Azure it is, and
// requests are repeated where Azure's own clients repeat them.
package armclient

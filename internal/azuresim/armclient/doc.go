// Package armclient is the client of the simulated Azure, package arm, for the plugin azure-native and the command az.
// It opens the Azure that environment variables describe, and retries requests as Azure's own clients do.
package armclient

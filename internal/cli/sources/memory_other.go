//go:build !linux

package sources

import "os"

// limitMemory does nothing: other systems cannot limit another process.
func limitMemory(*os.Process, uint64) error { return nil }

package disk

import (
	"path/filepath"
	"sync"
)

// resolve is [filepath.EvalSymlinks], which also knows the short names of files and the case of letters.
func resolve(at string, _ *sync.Map) (string, error) { return filepath.EvalSymlinks(at) }

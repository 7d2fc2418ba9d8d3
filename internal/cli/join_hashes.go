package cli

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// withHashes sets the hashes of the downloads from a text: each line has a hash, and the address of the file in place
// of the name that sha256sum prints. An address that is not downloaded is an error.
func withHashes(r bootstrap.Releases, text string) (bootstrap.Releases, error) {
	hashes := map[string]string{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		switch fields := strings.Fields(line); len(fields) {
		case 0:
		case 2:
			hashes[fields[1]] = fields[0]
		default:
			return r, fmt.Errorf("line %d: %q: must be the SHA-256 of a download and its address", number,
				strings.TrimSpace(line))
		}
	}
	r, errs := r.WithHashes(hashes, nil)
	return r, fielderrors.Join("hashes", errs)
}

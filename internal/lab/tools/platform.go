package tools

import (
	"fmt"
	"runtime"
	"strings"
)

// platform is what a binary runs on, in the terms of Go.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

// host returns the platform of this machine.
func host() platform { return platform{runtime.GOOS, runtime.GOARCH} }

// archived lists the platforms that archives are created for.
func archived() []platform {
	return []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}
}

// parsePlatform parses the result of String. It fails for a platform that no archive
// is created for.
func parsePlatform(text string) (platform, error) {
	var known []string
	for _, p := range archived() {
		if p.String() == text {
			return p, nil
		}
		known = append(known, p.String())
	}
	return platform{}, fmt.Errorf("%q is not a platform of the archives: they are built for %s", text,
		strings.Join(known, ", "))
}

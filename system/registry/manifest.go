package registry

import (
	"cmp"
	"regexp"

	"github.com/mixedkube/mixedkube/core/platform"
)

// index, manifest and configuration are the fields that are read from the documents of an image:
// https://github.com/opencontainers/image-spec/blob/main/image-index.md, and manifest.md and config.md next to it.
// Docker's older formats have the same fields.
type index struct {
	Manifests []descriptor `json:"manifests"`
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations"`
	Platform    struct {
		OS           string `json:"os"`
		OSVersion    string `json:"os.version"`
		Architecture string `json:"architecture"`
	} `json:"platform"`
}

type manifest struct {
	Config descriptor   `json:"config"`
	Layers []descriptor `json:"layers"`
}

type configuration struct {
	OS           string `json:"os"`
	OSVersion    string `json:"os.version"`
	Architecture string `json:"architecture"`
	Config       struct {
		User       string   `json:"User"`
		Entrypoint []string `json:"Entrypoint"`
		Cmd        []string `json:"Cmd"`
	} `json:"config"`
}

// attests reports whether a manifest is not an image, but describes how one was built:
// https://docs.docker.com/build/metadata/attestations/attestation-storage/.
func (d descriptor) attests() bool {
	return d.Annotations["vnd.docker.reference.type"] == "attestation-manifest" ||
		d.Platform.OS == "unknown" && d.Platform.Architecture == "unknown"
}

const (
	maxLayer = 1 << 50
	// maxTexts is the size of all texts of a configuration that are stored, in bytes.
	maxTexts = 16 << 10
)

var (
	word     = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	build    = regexp.MustCompile(`^[0-9A-Za-z._+-]{0,64}$`)
	digested = regexp.MustCompile(`^sha256:[0-9a-f]{64}$|^sha512:[0-9a-f]{128}$`)
)

// variant returns the platform of a manifest in the index. The variant has no platform if the index names none.
func (d descriptor) variant() (platform.Variant, error) {
	v := platform.Variant{
		OS: platform.OS(d.Platform.OS), OSVersion: d.Platform.OSVersion, Architecture: d.Platform.Architecture,
		Digest: d.Digest,
	}
	if !digested.MatchString(d.Digest) {
		return v, &malformed{Malformed, "the index names a manifest without a valid digest"}
	}
	if v.OS == "" && v.Architecture == "" {
		return v, nil
	}
	return v, checkPlatform(v)
}

func checkPlatform(v platform.Variant) error {
	if !word.MatchString(string(v.OS)) || !word.MatchString(v.Architecture) || !build.MatchString(v.OSVersion) {
		return &malformed{Malformed, "it names no platform such as linux and amd64: it may not be a container image"}
	}
	return nil
}

// complete adds the facts in the configuration.
func (c configuration) complete(v *platform.Variant) error {
	if v.OS == "" {
		v.OS, v.Architecture = platform.OS(c.OS), c.Architecture
	}
	v.OSVersion = cmp.Or(v.OSVersion, c.OSVersion)
	v.User, v.Entrypoint, v.Command = c.Config.User, c.Config.Entrypoint, c.Config.Cmd
	size := len(v.User)
	for _, texts := range [][]string{v.Entrypoint, v.Command} {
		for _, text := range texts {
			size += len(text)
		}
	}
	if size > maxTexts {
		return &malformed{TooLarge, "user, entrypoint and command of more than 16 KiB"}
	}
	return checkPlatform(*v)
}

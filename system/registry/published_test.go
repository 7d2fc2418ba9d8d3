package registry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/system/registry"
)

// The indexes of Microsoft, Kubernetes and Docker Hub, as their sources show them.
func TestPublishedImages(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for name, want := range map[string][]string{
		"dotnet-runtime": {
			`linux/amd64 [] ["bash"] [31420038 14967219 32435439 155] bytes 78822851`, "linux/arm", "linux/arm64",
			"windows/amd64 10.0.17763.3532", "windows/amd64 10.0.20348.1129",
		},
		"dotnet-framework": {
			"windows/amd64 10.0.14393.6981", "windows/amd64 10.0.17763.5820", "windows/amd64 10.0.20348.2461",
		},
		"servercore": {"windows/amd64 10.0.20348.230 [2 1] bytes 3"},
		"nanoserver": {"windows/amd64 10.0.17763.3770 [1] bytes 1"},
		"golang":     {"linux/amd64", "windows/amd64 10.0.20348.230"},
		"nginx": {
			`linux/amd64 ["/docker-entrypoint.sh"] ["nginx" "-g" "daemon off;"] [3 2 1] bytes 6`,
			`linux/arm64 ["/docker-entrypoint.sh"] ["nginx" "-g" "daemon off;"] [3 2 1] bytes 6`,
		},
		"hello-world": {"linux/amd64", "linux/arm", "linux/mips64le"},
		"pause":       {"linux/amd64", "windows/amd64 10.0.17134.829"},
		"winspector":  {"windows/amd64 10.0.14393.1198", "linux/amd64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := readFixture(t, name)
			if !strings.HasPrefix(f.Source, "https://") || f.Excerpt == "" {
				t.Errorf("the fixture has no source: %q, %q", f.Source, f.Excerpt)
			}
			got := facts(t, registry.Client{}, s.image("published/"+name, f))
			if diff := cmp.Diff(want, described(got)); diff != "" {
				t.Errorf("it is (-want +got):\n%s", diff)
			}
		})
	}
}

// A manifest without an index is an image as well, with the platform of its configuration. The same is true of a
// manifest of an index that is pinned by its digest.
func TestASingleManifest(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, format := range []string{"docker", "oci"} {
		d := s.one("single/"+format, "tag", format, made{
			OS: "windows", Architecture: "amd64", ConfiguredVersion: "10.0.20348.230",
			User: "ContainerUser", Entrypoint: []string{"web.exe"}, Layers: []int64{5, 4},
		})
		digest := d["digest"].(string)
		want := &platform.Facts{Digest: digest, Variants: []platform.Variant{{
			OS: platform.WindowsOS, OSVersion: "10.0.20348.230", Architecture: "amd64", Digest: digest,
			User: "ContainerUser", Entrypoint: []string{"web.exe"}, Layers: []int64{5, 4},
		}}}
		for _, reference := range []string{"single/" + format + ":tag", "single/" + format + ":1.0@" + digest} {
			if diff := cmp.Diff(want, facts(t, registry.Client{}, s.host+"/"+reference)); diff != "" {
				t.Errorf("%s is (-want +got):\n%s", reference, diff)
			}
		}
	}
}

// The digest of the facts is the index's, and each variant has its manifest's.
func TestDigests(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	windows := s.one("digests", "", "oci", made{OS: "windows", Architecture: "amd64", OSVersion: "10.0.20348.230"})
	plain := s.one("digests", "", "oci", made{OS: "linux", Architecture: "s390x"})
	plain["platform"] = object{"os": "linux", "architecture": "s390x"}
	// If the index has no platform, the configuration has it.
	top := s.manifest("digests", "tag", mediaTypes["oci"][0], object{
		"schemaVersion": 2, "mediaType": mediaTypes["oci"][0], "manifests": []object{windows, plain},
	})
	want := &platform.Facts{Digest: top["digest"].(string), Variants: []platform.Variant{
		{OS: "windows", Architecture: "amd64", OSVersion: "10.0.20348.230", Digest: windows["digest"].(string)},
		{OS: "linux", Architecture: "s390x", Digest: plain["digest"].(string)},
	}}
	if diff := cmp.Diff(want, facts(t, registry.Client{}, s.host+"/digests:tag")); diff != "" {
		t.Errorf("they are (-want +got):\n%s", diff)
	}
}

// A container runtime chooses by the index, whatever the configuration contains.
func TestTheIndexHasTheRelease(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	got := facts(t, registry.Client{}, s.image("release", fixture{Format: "docker", Manifests: []made{{
		OS: "windows", Architecture: "amd64", OSVersion: "10.0.20348.230", ConfiguredVersion: "10.0.17763.3770",
	}}}))
	if diff := cmp.Diff([]string{"windows/amd64 10.0.20348.230"}, described(got)); diff != "" {
		t.Errorf("it is (-want +got):\n%s", diff)
	}
}

// containerd reads an index inside of an index.
func TestNestedIndexes(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	index := mediaTypes["oci"][0]
	inner := s.one("nested", "", "oci", made{OS: "linux", Architecture: "arm64"})
	for i, tag := range []string{"depth1", "depth2", "depth3", "depth4"} {
		inner = s.manifest("nested", tag, index, object{
			"schemaVersion": 2, "mediaType": index, "manifests": []object{inner},
		})
		result := look(t, registry.Client{}, s.host+"/nested:"+tag)
		switch {
		case i < 3 && (result.Failure != nil || described(result.Facts)[0] != "linux/arm64"):
			t.Errorf("%s: %+v", tag, result)
		case i == 3 && (result.Failure == nil || result.Failure.Kind != registry.TooLarge ||
			result.Failure.Reason != "more than 3 nested indexes"):
			t.Errorf("%s: %+v", tag, result)
		}
	}
}

// A manifest for no node of a mixed cluster is not read: registries count the manifests.
func TestOnlyWhatNodesRunIsRead(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	var manifests []made
	for _, architecture := range []string{"amd64", "arm", "arm64", "386", "s390x"} {
		manifests = append(manifests, made{OS: "linux", Architecture: architecture, Layers: []int64{7}})
	}
	manifests = append(manifests,
		made{OS: "windows", Architecture: "arm64", OSVersion: "10.0.20348.230", Layers: []int64{7}})
	want := []string{
		"linux/amd64 [7] bytes 7", "linux/arm", "linux/arm64 [7] bytes 7", "linux/386", "linux/s390x",
		"windows/arm64 10.0.20348.230 [7] bytes 7",
	}
	got := facts(t, registry.Client{}, s.image("read", fixture{Format: "oci", Manifests: manifests}))
	if diff := cmp.Diff(want, described(got)); diff != "" {
		t.Errorf("it is (-want +got):\n%s", diff)
	}
}

package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestTagsOfBaseImages(t *testing.T) {
	t.Parallel()
	const (
		registry = "mcr.microsoft.com/"
		latest   = `: has no tag latest, which is the default: the pull fails: `
		full     = ": does not exist: there is no such image for Windows Server "
		digest   = "@sha256:1111111111111111111111111111111111111111111111111111111111111111"
	)
	at := func(severity, image string) string {
		return severity + ` spec.containers[0].image: "` + registry + image + `"`
	}
	only := func(spec string, image string) []string {
		var got []string
		for _, f := range preflight.Check(inSpec(t, "", spec+container(image)), v136) {
			if f.Rule == "MK225" || f.Rule == "MK226" {
				got = append(got, string(f.Severity)+" "+f.String())
			}
		}
		return got
	}
	const release = "write the tag of the nodes' release, such as ltsc2022 (MK225)"
	for _, tt := range []struct {
		spec, image string
		want        []string
	}{
		{onWindows, "windows/servercore", []string{at("error", "windows/servercore") + latest + release}},
		{onWindows, "windows/nanoserver:latest", []string{at("error", "windows/nanoserver:latest") + latest + release}},
		{onWindows, "windows/server", []string{at("error", "windows/server") + latest + release}},
		{on2022, "windows/servercore", []string{
			at("error", "windows/servercore") + latest + "use the tag ltsc2022 (MK225)",
		}},
		{onWindows, "windows", []string{at("warning", "windows") + latest + release}},
		{"", "windows/servercore", []string{at("error", "windows/servercore") + latest + release}},
		{onWindows, "windows/servercore" + digest, nil},
		{onWindows, "windows/servercore:ltsc2022", nil},
		{onWindows, "dotnet/aspnet", nil},
		{onLin, "windows/servercore", nil},
		{onWindows, "windows:ltsc2022", []string{
			at("error", "windows:ltsc2022") + full + "2022: use mcr.microsoft.com/windows/server:ltsc2022 (MK226)",
		}},
		{onWindows, "windows:10.0.26100.1742", []string{
			at("error", "windows:10.0.26100.1742") + full + "2025: use mcr.microsoft.com/windows/server:ltsc2025 " +
				"(MK226)",
		}},
		{onWindows, "windows:1809", nil},
		{onWindows, "windows:ltsc2022" + digest, nil},
		{onWindows, "windows/server:ltsc2022", nil},
	} {
		t.Run(tt.image, func(t *testing.T) {
			t.Parallel()
			diffFindings(t, tt.want, only(tt.spec, registry+tt.image))
		})
	}
	t.Run("not known", func(t *testing.T) {
		t.Parallel()
		for _, image := range []string{"$unknown", "mirror.example.com/windows/servercore"} {
			diffFindings(t, nil, only(onWindows, image))
		}
		locked := v136
		locked.Images = &images.Lock{}
		if err := locked.Images.Set(registry+"windows/servercore", published(in2022)); err != nil {
			t.Fatal(err)
		}
		wantFindings(t, inSpec(t, "", onWindows+container(registry+"windows/servercore")), locked, "MK225")
		loaded := "containers: [{name: shop, image: mcr.microsoft.com/windows/servercore, imagePullPolicy: Never}]\n"
		wantFindings(t, inSpec(t, "", onWindows+loaded), v136, "MK225")
		wantFindings(t, inSpec(t, "", onWindows+strings.Replace(loaded, "Never", "$unknown", 1)), v136, "MK225")
	})
}

func TestImagesNewerThanTheirNodes(t *testing.T) {
	t.Parallel()
	const windows = "windows/amd64/10.0."
	found := func(revision, host string) []string {
		return []string{`spec.template.spec.containers[0].image: "shop": has the revision ` + revision +
			`, and the deployment can land on pool spring, whose nodes have 10.0.` + host + `: update the nodes, or ` +
			`use an image whose revision is not greater (MK227)`}
	}
	const r2019, r2022, r2025 = platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025
	for _, tt := range []struct {
		name, image string
		release     platform.Platform
		host        string
		want        []string
	}{
		{"2025", "26100.3194", r2025, "26100.2894", found("3194", "26100.2894")},
		{"an older image", "26100.2894", r2025, "26100.3194", nil},
		{"the same revision", "26100.2894", r2025, "26100.2894", nil},
		{"an updated node", "26100.6584", r2025, "26100.4061", nil},
		{"2019", "17763.7249", r2019, "17763.6893", found("7249", "17763.6893")},
		{"an image of 2019 before the update", "17763.7137", r2019, "17763.6893", nil},
		{"an updated node of 2019", "17763.7314", r2019, "17763.7249", nil},
		{"2022", "20348.3692", r2022, "20348.2340", nil},
		{"two revisions", "26100.3194, " + windows + "26100.2894", r2025, "26100.2894", nil},
		{
			"with another release", "20348.3692, " + windows + "26100.3194", r2025, "26100.2894",
			found("3194", "26100.2894"),
		},
		{"no revision", "26100", r2025, "26100.2894", nil},
		{"nodes that are not known", "26100.3194", r2025, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			host := tt.host
			if host != "" {
				host = "10.0." + host
			}
			options := by(running(tt.release, host), published(windows+tt.image))
			o := inSpec(t, "Deployment", onWindows+tol+container("shop"))
			wantFindings(t, o, options, "MK227", tt.want...)
		})
	}
}

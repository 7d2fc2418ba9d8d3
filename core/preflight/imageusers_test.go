package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestUsersOfConfigurations(t *testing.T) {
	t.Parallel()
	const in2022 = "windows/amd64/10.0.20348.1"
	none := preflight.Options{KubernetesVersion: "1.36"}
	linux := func(more ...func(*platform.Variant)) preflight.Options {
		return by(none, published("linux/amd64, linux/arm64", more...))
	}
	shop := container("shop")
	core := container("mcr.microsoft.com/windows/servercore:ltsc2022")
	windows := func(name string) preflight.Options {
		o := by(none, published(in2022, user(name)))
		err := o.Images.Set("mcr.microsoft.com/windows/servercore:ltsc2022", published(in2022, user(name)))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	runPodCases(t, []podCase{
		{
			name: "no user",
			want: []string{`error spec.containers[0].image: "shop": runs as root according to its configuration, and ` +
				`runAsNonRoot is true: the kubelet does not start the container: set runAsUser to the number of ` +
				`another user, or use an image with one (MK216)`},

			spec:    onLin + nonRt + shop,
			options: linux(user("")),
		},
		{
			name: "root by its number",
			want: []string{"error spec.containers[0].image: … (MK216)"},

			spec:    nonRt + shop,
			options: linux(user("0:0")),
		},
		{
			name: "root by its name",
			want: []string{`error spec.containers[0].image: "shop": runs as root according to its configuration, ` +
				`which the kubelet cannot verify to be a user other than root, and runAsNonRoot is true: it does not ` +
				`start the container: set runAsUser to the number of another user, or use an image with one (MK217)`},

			spec:    onLin + nonRt + shop,
			options: linux(user("root")),
		},
		{
			name: "another name",
			want: []string{`error spec.containers[0].image: "shop": runs as nonroot according to its configuration, ` +
				`which the kubelet cannot verify to be a user other than root, and runAsNonRoot is true: it does not ` +
				`start the container: set runAsUser to the number of that user (MK217)`},

			spec:    onLin + nonRt + shop,
			options: linux(user("nonroot:nonroot")),
		},
		{name: "a number", spec: onLin + nonRt + shop, options: linux(user("65532:65532"))},
		{
			name:    "runAsNonRoot false",
			spec:    onLin + "securityContext: {runAsNonRoot: false}\n" + shop,
			options: linux(user("")),
		},
		{
			name: "a user of the pod", spec: onLin + "securityContext: {runAsNonRoot: true, runAsUser: 1000}\n" + shop,
			options: linux(user("")),
		},
		{name: "a user of the container", spec: onLin + nonRt +
			"containers: [{name: shop, image: shop, securityContext: {runAsUser: 1000}}]\n", options: linux(user(""))},
		{name: "a user that is not known yet", spec: onLin + "securityContext: {runAsNonRoot: true, runAsUser: " +
			"$unknown}\n" + shop, options: linux(user(""))},
		{
			name:    "the container decides",
			want:    []string{"error spec.containers[0].image: … (MK216)"},
			spec:    onLin + "containers: [{name: shop, image: shop, securityContext: {runAsNonRoot: true}}]\n",
			options: linux(user("")),
		},
		{name: "a configuration that was not read", spec: onLin + nonRt + shop, options: linux(unread)},
		{
			name: "for both systems, and nothing says which", spec: nonRt + shop,
			options: by(none, published("linux/amd64, "+in2022, user(""))),
		},
		{
			name: "ContainerAdministrator",
			want: []string{`error spec.containers[0].image: "shop": runs as ContainerAdministrator according to its ` +
				`configuration, and runAsNonRoot is true: the kubelet refuses to start the container: set ` +
				`windowsOptions.runAsUserName to ContainerUser (MK218)`},

			spec:    onWindows + nonRt + shop,
			options: windows("containeradministrator"),
		},
		{name: "ContainerUser", spec: onWindows + nonRt + core, options: windows("ContainerUser")},
		{
			name: "the default of Server Core",
			want: []string{`warning spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2022": runs ` +
				`as ContainerAdministrator by default, and runAsNonRoot is true: set windowsOptions.runAsUserName to ` +
				`ContainerUser (MK408)`},

			spec:    onWindows + nonRt + core,
			options: windows(""),
		},
		{
			name: "a user of Windows beside it", spec: onWindows +
				"securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: ContainerUser}}\n" + shop,
			options: windows("ContainerAdministrator"),
		},
	})
}

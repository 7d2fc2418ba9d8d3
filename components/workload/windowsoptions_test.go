package workload_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// options returns a security context with options for Windows.
func options(o corev1.WindowsSecurityContextOptionsPtrInput) corev1.PodSecurityContextArgs {
	return corev1.PodSecurityContextArgs{RunAsNonRoot: pulumi.Bool(true), WindowsOptions: o}
}

func TestUserAndCredentialSpecGoIntoTheOptionsForWindows(t *testing.T) {
	t.Parallel()
	known := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	nothing := known("").ApplyT(func(string) *string { return nil }).(pulumi.StringPtrOutput)
	unknown := mocktest.UnknownValue
	both := map[string]any{"runAsUserName": "ContainerUser", "gmsaCredentialSpecName": "shop"}
	asNonRoot := func(options any) map[string]any {
		return map[string]any{"runAsNonRoot": true, "windowsOptions": options}
	}
	spec := named("shop")
	tests := []struct {
		name     string
		user     workload.User
		spec     workload.CredentialSpec
		security corev1.PodSecurityContextPtrInput
		want     any
		preview  bool
	}{
		{name: "neither", want: nil},
		{
			name: "neither, and what the program set stays", security: options(nil),
			want: map[string]any{"runAsNonRoot": true},
		},
		{
			name: "a user", user: `SHOP\web`,
			want: map[string]any{"windowsOptions": map[string]any{"runAsUserName": `SHOP\web`}},
		},
		{
			name: "a credential spec", spec: spec,
			want: map[string]any{"windowsOptions": map[string]any{"gmsaCredentialSpecName": "shop"}},
		},
		{name: "both", user: workload.ContainerUser, spec: spec, want: map[string]any{"windowsOptions": both}},
		{
			name: "beside the rest", user: workload.ContainerUser, spec: spec, security: options(nil),
			want: asNonRoot(both),
		},
		{
			name: "beside the rest through pointers", user: workload.ContainerUser, spec: spec,
			security: new(options(new(corev1.WindowsSecurityContextOptionsArgs{}))), want: asNonRoot(both),
		},
		{
			name: "nil pointers", user: workload.ContainerUser, spec: spec, security: corev1.PodSecurityContextPtr(nil),
			want: map[string]any{"windowsOptions": both},
		},
		{
			name: "the same, in other case", user: workload.ContainerUser, spec: spec,
			security: options(corev1.WindowsSecurityContextOptionsArgs{
				RunAsUserName: pulumi.String("containeruser"), GmsaCredentialSpecName: pulumi.String("shop"),
			}),
			want: asNonRoot(map[string]any{"runAsUserName": "containeruser", "gmsaCredentialSpecName": "shop"}),
		},
		{
			name: "the program's own spec beside a user", user: workload.ContainerUser,
			security: options(corev1.WindowsSecurityContextOptionsArgs{GmsaCredentialSpecName: pulumi.String("store")}),
			want:     asNonRoot(map[string]any{"runAsUserName": "ContainerUser", "gmsaCredentialSpecName": "store"}),
		},
		{
			name: "a security context that is an output", user: workload.ContainerUser, spec: spec,
			security: options(
				corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String("ContainerUser")},
			).ToPodSecurityContextPtrOutput(),
			want: asNonRoot(both),
		},
		{
			name: "a security context that turns out to be nothing", user: workload.ContainerUser, spec: spec,
			security: corev1.PodSecurityContextPtr(nil).ToPodSecurityContextPtrOutput(),
			want:     map[string]any{"windowsOptions": both},
		},
		{
			name: "options that are an output", user: workload.ContainerUser,
			security: options(
				corev1.WindowsSecurityContextOptionsArgs{
					GmsaCredentialSpecName: pulumi.String("store"),
				}.ToWindowsSecurityContextOptionsPtrOutput(),
			),
			want: asNonRoot(map[string]any{"runAsUserName": "ContainerUser", "gmsaCredentialSpecName": "store"}),
		},
		{
			name: "names that are outputs", user: workload.ContainerUser, spec: spec,
			security: options(corev1.WindowsSecurityContextOptionsArgs{
				RunAsUserName:          known("ContainerUser"),
				GmsaCredentialSpecName: nothing,
			}),
			want: asNonRoot(both),
		},
		{
			name: "names that are not known", user: workload.ContainerUser, spec: spec, preview: true,
			security: options(
				corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: mocktest.Unknown[pulumi.StringOutput]()},
			),
			want: asNonRoot(map[string]any{"runAsUserName": unknown, "gmsaCredentialSpecName": "shop"}),
		},
		{
			name: "options that are not known", user: workload.ContainerUser, preview: true,
			security: options(mocktest.Unknown[corev1.WindowsSecurityContextOptionsPtrOutput]()),
			want:     asNonRoot(unknown),
		},
	}
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range tests {
				args := plainArguments(platform.WindowsServer2022)
				args.user, args.credentialSpec, args.pods.SecurityContext = tt.user, tt.spec, tt.security
				runs := [][]mocktest.Option{{mocktest.Preview()}}
				if !tt.preview {
					runs = append(runs, nil)
				}
				for _, options := range runs {
					program := func(ctx *pulumi.Context) error {
						if tt.spec == nil {
							return k.deploy(args)(ctx)
						}
						return k.withSpec(args)(ctx)
					}
					if diff := cmp.Diff(tt.want,
						k.pods(t, mocktest.MustRun(t, program, options...))["securityContext"]); diff != "" {
						t.Errorf("%s: the security context (-want +got):\n%s", tt.name, diff)
					}
				}
			}
		})
	}
}

func TestWrongUsersAndCredentialSpecsAreRefused(t *testing.T) {
	t.Parallel()
	const at = "PATH.securityContext.windowsOptions."
	tests := []struct {
		name     string
		platform platform.Platform
		os       string
		user     workload.User
		spec     workload.CredentialSpec
		security corev1.PodSecurityContextArgs
		want     []string
	}{
		{
			name: "on Linux", platform: platform.Linux, user: workload.ContainerUser, spec: named("shop"),
			want: []string{
				`credentialSpec: Invalid value: "shop": group managed service accounts are for Windows, and the ` +
					`platform is linux: remove it, or change the platform`,
				`user: Invalid value: "ContainerUser": is a user of Windows, and the platform is linux: remove it, ` +
					`and give the number of a user in the pods' securityContext.runAsUser`,
			},
		},
		{
			name: "beside another operating system, of options that the program did not write",
			user: workload.ContainerUser, os: "linux",
			want: []string{"PATH.os.name: … (MK207)"},
		},
		{
			name: "another user", user: workload.ContainerUser,
			security: options(corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String("web")}),
			want: []string{at + `runAsUserName: Invalid value: "web": contradicts the argument User, which is ` +
				`"ContainerUser": remove one of the two`},
		},
		{
			name: "another spec, by the case of its name", spec: named("shop"),
			security: options(corev1.WindowsSecurityContextOptionsArgs{GmsaCredentialSpecName: pulumi.String("Shop")}),
			want: []string{at + `gmsaCredentialSpecName: Invalid value: "Shop": contradicts the argument ` +
				`CredentialSpec, whose name is "shop": remove one of the two`},
		},
		{
			name: "a user of a domain and several backslashes", user: `SHOP\\web`,
			want: []string{at + "runAsUserName: … (MK145)"},
		},
		{
			name: "a malformed domain and a malformed user", user: `.\web@shop`,
			want: []string{at + "runAsUserName: … (MK147)", at + "runAsUserName: … (MK151)"},
		},
		{
			name: "a user that is too long", user: workload.User(strings.Repeat("u", 105)),
			want: []string{at + "runAsUserName: … (MK149)"},
		},
		{
			name: "an administrator where none may be", user: workload.ContainerAdministrator, security: options(nil),
			want: []string{at + "runAsUserName: … (MK407)"},
		},
		{
			name: "a spec with an invalid name", spec: named("Shop"),
			want: []string{at + "gmsaCredentialSpecName: … (MK140)"},
		},
	}
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range tests {
				args := plainArguments(platform.WindowsServer2022)
				if tt.platform != "" {
					args.platform = tt.platform
				}
				if tt.os != "" {
					args.pods.Os = corev1.PodOSArgs{Name: pulumi.String(tt.os)}
				}
				args.user, args.credentialSpec, args.pods.SecurityContext = tt.user, tt.spec, tt.security
				graph, err := mocktest.Run(k.deploy(args), mocktest.Preview())
				want := k.lines(tt.want...)
				if len(tt.want) == 1 {
					want = k.subject() + tt.want[0]
				}
				golden.Refused(t, graph.Resources(), err, strings.ReplaceAll(want, "PATH", k.path))
			}
		})
	}
}

func TestAnOutputThatContradictsUserOrCredentialSpecFailsTheWorkload(t *testing.T) {
	t.Parallel()
	const (
		user = `PATH.securityContext.windowsOptions.runAsUserName: Invalid value: "web": contradicts the argument ` +
			`User, which is "ContainerUser": remove one of the two`
		spec = `PATH.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "store": contradicts the ` +
			`argument CredentialSpec, whose name is "shop": remove one of the two`
	)
	others := corev1.WindowsSecurityContextOptionsArgs{
		RunAsUserName:          pulumi.String("web"),
		GmsaCredentialSpecName: pulumi.String("store"),
	}
	tests := []struct {
		name     string
		security corev1.PodSecurityContextPtrInput
		want     []string
	}{
		{"the security context", options(others).ToPodSecurityContextPtrOutput(), []string{spec, user}},
		{"the options", options(others.ToWindowsSecurityContextOptionsPtrOutput()), []string{spec, user}},
		{
			"the user", options(
				corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String("web").ToStringOutput()},
			), []string{user},
		},
		{
			"the spec", options(
				corev1.WindowsSecurityContextOptionsArgs{
					GmsaCredentialSpecName: pulumi.String("store").ToStringOutput(),
				},
			), []string{spec},
		},
	}
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range tests {
				args := plainArguments(platform.WindowsServer2022)
				args.user, args.pods.SecurityContext = workload.ContainerUser, tt.security
				graph, err := mocktest.Run(k.withSpec(args))
				want := k.lines(tt.want...)
				if len(tt.want) == 1 {
					want = k.subject() + tt.want[0]
				}
				want = fromSDK + strings.ReplaceAll(want, "PATH", k.path)
				golden.Error(t, err, want)
				if found := graph.ByType(k.typ); len(found) != 0 {
					t.Errorf("%s: registered %v", tt.name, found)
				}
			}
		})
	}
}

func TestAContainerMayHaveAnotherUserThanItsPod(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.user = workload.ContainerUser
			args.pods.Containers = corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"),
				SecurityContext: corev1.SecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
					RunAsUserName: pulumi.String("ContainerAdministrator"),
				}},
			}}
			got := k.pods(t, mocktest.MustRun(t, k.deploy(args)))["securityContext"]
			want := map[string]any{"windowsOptions": map[string]any{"runAsUserName": "ContainerUser"}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the security context of the pods (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPointersOfTheProgramAreNotModified(t *testing.T) {
	t.Parallel()
	spec := func() batchv1.CronJobSpecArgs {
		return batchv1.CronJobSpecArgs{JobTemplate: &batchv1.JobTemplateSpecArgs{Spec: &batchv1.JobSpecArgs{
			Template: &corev1.PodTemplateSpecArgs{Spec: &corev1.PodSpecArgs{
				Containers:      containers,
				SecurityContext: new(options(new(corev1.WindowsSecurityContextOptionsArgs{}))),
			}},
		}}}
	}
	args := &workload.CronJobArgs{Platform: platform.WindowsServer2022, User: workload.ContainerUser, Spec: spec()}
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := workload.NewCronJob(ctx, "web", args)
		return err
	})
	if len(graph.Resources()) != 2 {
		t.Fatalf("registered %v, want the component and the CronJob", graph.Resources())
	}
	if diff := cmp.Diff(spec(), args.Spec); diff != "" {
		t.Errorf("NewCronJob changed its arguments (-before +after):\n%s", diff)
	}
}

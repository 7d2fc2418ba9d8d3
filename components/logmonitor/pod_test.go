package logmonitor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const configFlag = `C:\mounts\logmonitor\LogMonitorConfig.json`

func start(command ...any) []any {
	return append([]any{`C:\LogMonitor\LogMonitor.exe`, "/CONFIG", configFlag}, command...)
}

func mounted(more ...any) []any {
	return append(more, map[string]any{"name": "logmonitor-config", "mountPath": "/mounts/logmonitor"})
}

func list(texts ...string) pulumi.StringArray { return pulumi.ToStringArray(texts) }

func TestThePods(t *testing.T) {
	t.Parallel()
	mounts := corev1.VolumeMountArray{corev1.VolumeMountArgs{
		Name:      pulumi.String("cache"),
		MountPath: pulumi.String(`C:\cache`),
	}}
	volumes := corev1.VolumeArray{corev1.VolumeArgs{
		Name:     pulumi.String("cache"),
		EmptyDir: corev1.EmptyDirVolumeSourceArgs{},
	}}
	mountOfCache := map[string]any{"name": "cache", "mountPath": `C:\cache`}
	tests := []struct {
		name       string
		pods       corev1.PodSpecArgs
		containers []string
		want       []any
		volumes    int
	}{
		{"a container of IIS", pod(), nil, []any{
			map[string]any{
				"name": "shop", "image": image, "command": start(`C:\ServiceMonitor.exe`, "w3svc"),
				"volumeMounts": mounted(),
			},
		}, 1},
		{
			"arguments with spaces, quotes and names",
			corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("a"), Command: list(`C:\Program Files\a.exe`),
				Args: list("-c", `say "x"`, "$(NODE)", "$env:A"),
			}}},
			nil,
			[]any{
				map[string]any{
					"name": "a", "command": start(`"C:\Program Files\a.exe"`),
					"args":         []any{"-c", `"say \"x\""`, `"$(NODE)"`, "$env:A"},
					"volumeMounts": mounted(),
				},
			},
			1,
		},
		{
			"one of two containers, with volumes that stay",
			corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{
					corev1.ContainerArgs{Name: pulumi.String("a"), Command: list("a.exe"), VolumeMounts: mounts},
					corev1.ContainerArgs{Name: pulumi.String("b")},
				},
				InitContainers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:    pulumi.String("init"),
					Command: list("i.exe"),
				}},
				Volumes: volumes,
			},
			[]string{"a"},
			[]any{
				map[string]any{"name": "a", "command": start("a.exe"), "volumeMounts": mounted(mountOfCache)},
				map[string]any{"name": "b"},
			},
			2,
		},
		{
			"outputs",
			corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{
					corev1.ContainerArgs{
						Name: pulumi.String("a").ToStringOutput(), Command: list("a.exe", "x y").ToStringArrayOutput(),
						Args:         pulumi.StringArray{pulumi.String("p q").ToStringOutput(), pulumi.String("r")},
						VolumeMounts: mounts.ToVolumeMountArrayOutput(),
					},
				},
				Volumes: volumes.ToVolumeArrayOutput(),
			},
			nil,
			[]any{
				map[string]any{
					"name": "a", "command": start("a.exe", `"x y"`), "args": []any{`"p q"`, "r"},
					"volumeMounts": mounted(mountOfCache),
				},
			},
			2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, deploy(iisArgs(), tt.pods, tt.containers...))
			spec := podSpec(t, graph)
			if diff := cmp.Diff(tt.want, spec["containers"]); diff != "" {
				t.Errorf("the containers (-want +got):\n%s", diff)
			}
			got := spec["volumes"].([]any)
			last := map[string]any{
				"name":      "logmonitor-config",
				"configMap": map[string]any{"name": configName(t, graph)},
			}
			if diff := cmp.Diff(last, got[len(got)-1]); diff != "" || len(got) != tt.volumes {
				t.Errorf("%d volumes, want %d, the last (-want +got):\n%s", len(got), tt.volumes, diff)
			}
		})
	}
}

// A list with room in it must not be written into, nor the arguments of a container.
func TestInputsOfTheCallerAreNotChanged(t *testing.T) {
	t.Parallel()
	pods := pod()
	pods.Volumes = append(make(corev1.VolumeArray, 0, 8),
		corev1.VolumeArgs{Name: pulumi.String("a"), EmptyDir: corev1.EmptyDirVolumeSourceArgs{}})
	container := pods.Containers.(corev1.ContainerArray)[0].(corev1.ContainerArgs)
	container.VolumeMounts = append(make(corev1.VolumeMountArray, 0, 8),
		corev1.VolumeMountArgs{Name: pulumi.String("a"), MountPath: pulumi.String(`C:\a`)})
	container.Args = list("x y")
	pods.Containers.(corev1.ContainerArray)[0] = &container
	before := input.Tree(pods)
	mocktest.MustRun(t, deploy(iisArgs(), pods))
	if diff := cmp.Diff(before, input.Tree(pods)); diff != "" {
		t.Errorf("the caller's pods (-before +after):\n%s", diff)
	}
	if v := pods.Volumes.(corev1.VolumeArray)[:2][1]; v != nil {
		t.Errorf("the caller's list of volumes has %v behind its end", v)
	}
	if v := container.VolumeMounts.(corev1.VolumeMountArray)[:2][1]; v != nil {
		t.Errorf("the caller's list of mounts has %v behind its end", v)
	}
}

func TestWrongPods(t *testing.T) {
	t.Parallel()
	const noCommand = "Required value: LogMonitor starts this command, and cannot read the entry point of the " +
		"image: write what the image starts, for IIS logmonitor.IISCommand()"
	containers := func(args ...corev1.ContainerInput) corev1.PodSpecArgs {
		return corev1.PodSpecArgs{Containers: corev1.ContainerArray(args)}
	}
	mount := func(path string) corev1.VolumeMountArray {
		return corev1.VolumeMountArray{corev1.VolumeMountArgs{Name: pulumi.String("x"), MountPath: pulumi.String(path)}}
	}
	tests := []struct {
		name       string
		pods       corev1.PodSpecArgs
		containers []string
		want       []string
	}{
		{"no containers", corev1.PodSpecArgs{}, nil, []string{
			`spec.containers: Invalid value: "not plain": write it as corev1.ContainerArray, with outputs in its ` +
				`fields, so that LogMonitor can be put into it`,
		}},
		{
			"containers without a command",
			containers(
				corev1.ContainerArgs{Name: pulumi.String("a")}, corev1.ContainerArgs{Command: pulumi.StringArray{}},
				corev1.ContainerArgs{Args: list("w3svc")},
				corev1.ContainerArgs{Command: list(`c:/tools/logmonitor.EXE`, "a.exe")},
			), nil,
			[]string{
				"spec.containers[0].command: " + noCommand, "spec.containers[1].command: " + noCommand,
				"spec.containers[2].command: " + noCommand,
				`spec.containers[3].command[0]: Invalid value: "c:/tools/logmonitor.EXE": the component adds ` +
					`LogMonitor to the command: remove it and its /CONFIG`,
			},
		},
		{
			"words that are nil",
			containers(corev1.ContainerArgs{
				Command: pulumi.StringArray{pulumi.String("a.exe"), nil},
				Args:    pulumi.StringArray{(*pulumi.String)(nil), pulumi.String("b")},
			}), nil,
			[]string{
				"spec.containers[0].args[0]: Required value: write the word, or leave it out of the list",
				"spec.containers[0].command[1]: Required value: write the word, or leave it out of the list",
			},
		},
		{
			"a container that is an output",
			containers(corev1.ContainerArgs{Name: pulumi.String("a")}.ToContainerOutput()), nil,
			[]string{
				`spec.containers[0]: Invalid value: "not plain": write it as corev1.ContainerArgs, with outputs in ` +
					`its fields, so that LogMonitor can be put into it`,
			},
		},
		{
			"names", containers(corev1.ContainerArgs{Name: pulumi.String("shop"), Command: list("a.exe")},
				corev1.ContainerArgs{Name: pulumi.String("b")}),
			[]string{"shpo", "sidecar", "shop"},
			[]string{
				`spec.containers: Invalid value: "shpo": no container has this name: did you mean "shop"?`,
				`spec.containers: Invalid value: "sidecar": no container has this name: name one of shop, b`,
			},
		},
		{
			"pods of Linux, with existing fields",
			corev1.PodSpecArgs{
				Os:      corev1.PodOSArgs{Name: pulumi.String("linux")},
				Volumes: corev1.VolumeArray{corev1.VolumeArgs{Name: pulumi.String("logmonitor-config")}},
				Containers: corev1.ContainerArray{
					corev1.ContainerArgs{Command: list("a.exe"), VolumeMounts: mount(`c:\Mounts\LogMonitor\`)},
					corev1.ContainerArgs{Command: list("a.exe"), VolumeMounts: mount("/LogMonitor")},
				},
			},
			nil,
			[]string{
				`spec.containers[0].volumeMounts[0].mountPath: Invalid value: "c:\\Mounts\\LogMonitor\\": is where ` +
					`the configuration of LogMonitor is mounted: use another path, and complete pods once only`,
				`spec.containers[1].volumeMounts[0].mountPath: Invalid value: "/LogMonitor": hides LogMonitor.exe in ` +
					`the image: mount it elsewhere`,
				`spec.os.name: Invalid value: "linux": LogMonitor is a program of Windows: leave it out of these pods`,
				`spec.volumes[0].name: Invalid value: "logmonitor-config": is the volume that is added for ` +
					`LogMonitor: use another name, and complete pods once only`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := mocktest.Run(deploy(iisArgs(), tt.pods, tt.containers...), mocktest.Preview())
			want := `mixedkube:logmonitor:Config "shop": ` + tt.want[0]
			if len(tt.want) > 1 {
				want = strings.Join(append([]string{`mixedkube:logmonitor:Config "shop":`}, tt.want...), "\n  ")
			}
			golden.Error(t, err, want)
		})
	}
}

func TestATemplateThatIsNotPlain(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(func(ctx *pulumi.Context) error {
		logs, err := logmonitor.NewConfig(ctx, "shop", iisArgs())
		if err != nil {
			return err
		}
		_, err = logs.PodTemplate(corev1.PodTemplateSpecArgs{})
		return err
	})
	golden.Error(
		t, err, `mixedkube:logmonitor:Config "shop": spec: Invalid value: "not plain": write it as `+
			`corev1.PodSpecArgs, with outputs in its fields, so that LogMonitor can be put into it`,
	)
}

// If a command becomes known late, the Deployment fails.
func TestAnOutputWithoutACommand(t *testing.T) {
	t.Parallel()
	pods := corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{corev1.ContainerArgs{Command: pulumi.StringArray{}.ToStringArrayOutput()}},
	}
	_, err := mocktest.Run(deploy(iisArgs(), pods))
	if err == nil || !strings.Contains(err.Error(),
		"spec.containers[0].command: Required value: LogMonitor starts this command: write what the image starts") {
		t.Errorf("the error is %v", err)
	}
}

func TestPreflightFindsNothing(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, deploy(iisArgs(), pod()))
	deployment := graph.MustGet(t, deploymentType, "shop-deployment").Plain()
	for _, f := range preflight.Check(deployment, preflight.Options{}) {
		if f.Rule != "MK514" { // the pod itself has no memory limit
			t.Error(fmt.Sprint(f))
		}
	}
}

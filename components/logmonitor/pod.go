package logmonitor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

const (
	// program is where the image must have LogMonitor, as its documentation says.
	program    = `C:\LogMonitor\LogMonitor.exe`
	volumeName = "logmonitor-config"
	// mountPath is a directory of its own: what is mounted at C:\LogMonitor would hide the
	// program.
	mountPath  = "/mounts/logmonitor"
	configPath = `C:\mounts\logmonitor\` + configFile
)

// PodTemplate completes a template as [Config.PodSpec] completes its spec, which must be
// plain arguments.
func (c *Config) PodTemplate(
	template corev1.PodTemplateSpecArgs, containers ...string,
) (corev1.PodTemplateSpecArgs, error) {
	path := field.NewPath("spec")
	spec, ok := input.Plain[corev1.PodSpecArgs](template.Spec)
	if !ok {
		return template, fielderrors.Join(c.subject, field.ErrorList{notPlain(path, "corev1.PodSpecArgs")})
	}
	completed, err := c.PodSpec(spec, containers...)
	if err != nil {
		return template, err
	}
	template.Spec = completed
	return template, nil
}

// PodSpec returns the pods with LogMonitor in front of what their containers start: of
// those that are named, or of all. Init containers stay as they are. The caller's own
// inputs are not changed, and what they hold is kept.
//
// The image must have C:\LogMonitor\LogMonitor.exe, of a release that the package's
// documentation names. The configuration is mounted in another directory, because a volume
// at C:\LogMonitor would hide the program, and LogMonitor gets its absolute path, so that
// the container keeps its working directory.
//
// A container must set its command, because it no longer starts the image's entry point, which
// is unknown here: [IISCommand] is the entry point of Microsoft's images of IIS. LogMonitor
// joins its arguments without quoting them; so those of command and args with spaces or quotes
// in them are quoted here, and the container's program gets them as they are written.
// LogMonitor ends when the program ends, with its exit code, in 1.2 and newer.
//
// Names and arguments may be outputs, the list of containers may not. The error lists
// everything that is wrong, with paths in the pods' spec.
func (c *Config) PodSpec(pods corev1.PodSpecArgs, containers ...string) (corev1.PodSpecArgs, error) {
	path := field.NewPath("spec")
	errs := checkOS(pods.Os, path.Child("os", "name"))
	wrapped, wrapErrs := wrapAll(pods.Containers, containers, path.Child("containers"))
	errs = append(errs, wrapErrs...)
	errs = append(errs, checkVolumes(pods.Volumes, path.Child("volumes"))...)
	if err := fielderrors.Join(c.subject, errs); err != nil {
		return pods, err
	}
	pods.Containers = wrapped
	pods.Volumes = c.withVolume(pods.Volumes)
	return pods, nil
}

func notPlain(path *field.Path, want string) *field.Error {
	return field.TypeInvalid(path, "not plain",
		"write it as "+want+", with outputs in its fields, so that LogMonitor can be put into it")
}

func checkOS(in corev1.PodOSPtrInput, path *field.Path) field.ErrorList {
	os, _ := input.Plain[corev1.PodOSArgs](in)
	if name, ok := input.Plain[string](os.Name); ok && name == string(platform.LinuxOS) {
		return field.ErrorList{field.Invalid(path, name,
			"LogMonitor is a program of Windows: leave it out of these pods")}
	}
	return nil
}

// wrapAll wraps the containers with these names, or all if there are none.
func wrapAll(in corev1.ContainerArrayInput, names []string, path *field.Path) (corev1.ContainerArray, field.ErrorList) {
	list, ok := input.Plain[corev1.ContainerArray](in)
	if !ok {
		return nil, field.ErrorList{notPlain(path, "corev1.ContainerArray")}
	}
	var errs field.ErrorList
	var known []string
	wrapped := make(corev1.ContainerArray, len(list))
	for i, element := range list {
		wrapped[i] = element
		container, plain := input.Plain[corev1.ContainerArgs](element)
		name, named := input.Plain[string](container.Name)
		if named {
			known = append(known, name)
		}
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		if !plain {
			errs = append(errs, notPlain(path.Index(i), "corev1.ContainerArgs"))
			continue
		}
		var wrapErrs field.ErrorList
		wrapped[i], wrapErrs = wrap(container, path.Index(i))
		errs = append(errs, wrapErrs...)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			hint := "name one of " + strings.Join(known, ", ")
			if near, ok := fielderrors.Nearest(name, known); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			errs = append(errs, field.Invalid(path, name, "no container has this name: "+hint))
		}
	}
	return wrapped, errs
}

// wrap lets a container start LogMonitor, which starts what it started.
func wrap(container corev1.ContainerArgs, path *field.Path) (corev1.ContainerArgs, field.ErrorList) {
	errs := checkMounts(container.VolumeMounts, path.Child("volumeMounts"))
	at := path.Child("command")
	if command, ok := input.Plain[pulumi.StringArray](container.Command); ok && len(command) > 0 {
		if name, ok := input.Plain[string](command[0]); ok && isLogMonitor(name) {
			errs = append(errs, field.Invalid(at.Index(0), name,
				"the component adds LogMonitor to the command: remove it and its /CONFIG"))
		}
	} else if _, output := container.Command.(pulumi.Output); !output {
		errs = append(errs, field.Required(at,
			"LogMonitor starts this command, and cannot read the entry point of the image: write what the image "+
				"starts, for IIS logmonitor.IISCommand()"))
	}
	errs = append(errs, checkWords(container.Command, at)...)
	errs = append(errs, checkWords(container.Args, path.Child("args"))...)
	if len(errs) > 0 {
		return container, errs
	}
	container.Command = quoted(container.Command, []string{program, "/CONFIG", configPath},
		func(command []string) error {
			if len(command) == 0 {
				return errors.New(at.String() + ": Required value: LogMonitor starts this command: write what the " +
					"image starts")
			}
			return nil
		})
	if !input.Missing(container.Args) {
		container.Args = quoted(container.Args, nil, func([]string) error { return nil })
	}
	container.VolumeMounts = withMount(container.VolumeMounts)
	return container, nil
}

// checkWords finds what is left out of a list.
func checkWords(in pulumi.StringArrayInput, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	words, _ := input.Plain[pulumi.StringArray](in)
	for i, word := range words {
		if input.Missing(word) {
			errs = append(errs, field.Required(path.Index(i), "write the word, or leave it out of the list"))
		}
	}
	return errs
}

func isLogMonitor(name string) bool {
	name = name[strings.LastIndexAny(name, `\/`)+1:]
	return strings.EqualFold(name, "LogMonitor.exe") || strings.EqualFold(name, "LogMonitor")
}

// quoted returns a list with each text quoted, after others that need no quotes.
func quoted(in pulumi.StringArrayInput, before []string, check func([]string) error) pulumi.StringArrayInput {
	list, ok := input.Plain[pulumi.StringArray](in)
	if !ok {
		return in.ToStringArrayOutput().ApplyT(func(list []string) ([]string, error) {
			out := slices.Clone(before)
			for _, text := range list {
				out = append(out, quote(text))
			}
			return out, check(list)
		}).(pulumi.StringArrayOutput)
	}
	out := pulumi.ToStringArray(before)
	for _, element := range list {
		if text, ok := input.Plain[string](element); ok {
			out = append(out, pulumi.String(quote(text)))
			continue
		}
		out = append(out, element.ToStringOutput().ApplyT(quote).(pulumi.StringOutput))
	}
	return out
}

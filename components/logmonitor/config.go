package logmonitor

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

const (
	configToken = "mixedkube:logmonitor:Config"
	configFile  = "LogMonitorConfig.json"
	// hashLength is in hexadecimal digits.
	hashLength = 10
)

// ConfigArgs are the arguments of [NewConfig].
type ConfigArgs struct {
	// Name begins the name of the ConfigMap in Kubernetes, which ends with a hyphen and a
	// hash of the content. The default is the name of the component.
	Name string `pulumi:"name,optional"`

	// Namespace is the namespace of the ConfigMap, and must be the namespace of the pods. The
	// default is the provider's. The name of a Namespace of the same program, its
	// Metadata.Name(), can be given: the ConfigMap then waits for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// LogFormat is the format of the lines: [FormatJSON] by default.
	LogFormat Format `pulumi:"logFormat,optional"`

	// Sources are what LogMonitor reads. At least one: [IIS], [ASPNET], or sources of
	// one's own, in any combination.
	Sources []Source `pulumi:"sources"`
}

// Config is a configuration of LogMonitor in a cluster: a ConfigMap with the file LogMonitorConfig.json.
//
// Pods have the ConfigMap as a volume at /mounts/logmonitor, and begin the command of a container with
// C:\LogMonitor\LogMonitor.exe, /CONFIG and C:\mounts\logmonitor\LogMonitorConfig.json. LogMonitor joins
// the arguments that follow without quoting them. A volume at C:\LogMonitor would hide the program.
//
// In Go, [Config.PodTemplate] does that.
type Config struct {
	pulumi.ResourceState

	// ConfigMap holds LogMonitorConfig.json.
	ConfigMap *corev1.ConfigMap
	// Name is the name of the ConfigMap in Kubernetes.
	Name pulumi.StringOutput `pulumi:"name"`

	// subject is what errors are about.
	subject string
}

// NewConfig creates a ConfigMap with a LogMonitorConfig.json. [Config.PodTemplate] and
// [Config.PodSpec] put it into pods.
//
// The ConfigMap is immutable, and its name ends with a hash of its content. So another
// configuration is another ConfigMap: pods that name it are rolled out, and the old one is
// deleted when none of the program's resources needs it. (`kubectl rollout undo` returns to
// pods whose ConfigMap does not exist: roll back with Pulumi.)
//
// The error lists everything that is wrong with the sources, with field paths, because
// LogMonitor itself would silently skip a bad source. Then nothing is registered.
func NewConfig(ctx *pulumi.Context, name string, args *ConfigArgs, opts ...pulumi.ResourceOption) (*Config, error) {
	if args == nil {
		args = &ConfigArgs{}
	}
	config := &Config{subject: fmt.Sprintf("%s %q", configToken, name)}
	content := LogConfig{args.LogFormat, args.Sources}
	begin := cmp.Or(args.Name, name)
	split, wrong := childoptions.Component{
		Token: configToken, Name: name,
		Main: childoptions.Child{Type: "kubernetes:core/v1:ConfigMap", Name: name + "-config"},
	}.Split(opts)
	namespace, errs := input.Namespace(config.subject, args.Namespace, "")
	errs = slices.Concat(wrong, errs, content.Validate(nil), checkConfigName(begin, field.NewPath("name")))
	if err := fielderrors.Join(config.subject, errs); err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(configToken, name, config, split.Component...); err != nil {
		return nil, err
	}
	text := content.JSON()
	configMap, err := corev1.NewConfigMap(ctx, name+"-config", &corev1.ConfigMapArgs{
		Metadata:  metav1.ObjectMetaArgs{Name: pulumi.String(begin + "-" + hash(text)), Namespace: namespace},
		Immutable: pulumi.Bool(true),
		Data:      pulumi.StringMap{configFile: pulumi.String(text)},
	}, split.Main(pulumi.Parent(config))...)
	if err != nil {
		return nil, err
	}
	config.ConfigMap = configMap
	config.Name = configMap.Metadata.Name().Elem()
	return config, ctx.RegisterResourceOutputs(config, pulumi.Map{"name": config.Name})
}

func checkConfigName(name string, path *field.Path) field.ErrorList {
	if longest := validation.DNS1123SubdomainMaxLength - 1 - hashLength; len(name) > longest {
		return field.ErrorList{field.Invalid(path, name,
			fmt.Sprintf("has more than %d characters, and a hash follows: use a shorter one", longest))}
	}
	if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
		return field.ErrorList{field.Invalid(path, name, strings.Join(problems, "; ")+": use such a name")}
	}
	return nil
}

// hash tells contents apart.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:hashLength]
}

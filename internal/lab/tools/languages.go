package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// LanguageHost is the tool that runs the programs of one of Pulumi's runtimes, go for example.
func LanguageHost(runtime string) string { return "pulumi-language-" + runtime }

// languageOfSDK is a language host that is part of Pulumi's SDK.
func languageOfSDK(runtime, pkg string) tool {
	const sdk = "github.com/pulumi/pulumi/sdk/v3"
	return tool{
		name: LanguageHost(runtime), folder: "pulumi-languages", raised: true,
		pkg: sdk + "/" + pkg, pin: sdk, stamp: pulumiStamp,
		find: besidePulumi, fits: atLeast, install: "put a Pulumi CLI that fits on PATH",
	}
}

// pythonLanguage finds the script that starts a program beside itself.
func pythonLanguage() tool {
	t := otherLanguage(languageOfSDK("python", "python/cmd/pulumi-language-python"))
	t.beside = embed{module: t.pin, folder: "python/cmd", files: []string{"pulumi-language-python-exec"}}
	return t
}

// yamlLanguage has a module of its own, which is made for Pulumi's packages of the CLI.
func yamlLanguage() tool {
	const module = "github.com/pulumi/pulumi-yaml"
	return tool{
		name: LanguageHost("yaml"), folder: "pulumi-language-yaml", raised: true,
		pkg: module + "/cmd/pulumi-language-yaml", pin: module,
		stamp: func(version string) []string { return []string{module + "/pkg/version.Version=" + version} },
		find:  besidePulumi, fits: atLeast, install: "put a Pulumi CLI that fits on PATH",
	}
}

// otherLanguage is a host of programs in another language than Go.
func otherLanguage(t tool) tool {
	t.language = true
	return t
}

// Go is the language of the library, and of the programs of the stacks if nothing else is said.
const Go = "go"

// runtimes are Pulumi's names of the languages that a stack's program can be in.
var runtimes = map[string]string{Go: "go", "python": "python", "typescript": "nodejs", "yaml": "yaml"}

// Runtime is Pulumi's name of a language.
func Runtime(language string) (string, error) {
	runtime, ok := runtimes[language]
	if !ok {
		return "", fmt.Errorf("PROGRAM: Unsupported value: %q: the stacks have programs in %s", language,
			strings.Join(slices.Sorted(maps.Keys(runtimes)), ", "))
	}
	return runtime, nil
}

// PluginModule is the folder of the module of the plugin with the components.
const PluginModule = "internal/provider"

// Plugin is the plugin with the components for programs in other languages than Go.
func Plugin() Program {
	return Program{
		Name: "the plugin", Dir: PluginModule, Packages: []string{"./cmd/pulumi-resource-mixedkube"},
	}
}

// pluginFor is the plugin, with what writes the SDK for programs of a runtime.
func pluginFor(runtime string) Program {
	p := Plugin()
	if runtime != "yaml" {
		p.Packages = append(p.Packages, "./cmd/generate-sdks")
	}
	return p
}

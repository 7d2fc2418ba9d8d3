package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// LanguageHost returns the tool that runs the programs of one of Pulumi's runtimes, go for example.
func LanguageHost(runtime string) string { return "pulumi-language-" + runtime }

// languageOfSDK returns a language host that is part of Pulumi's SDK.
func languageOfSDK(runtime, pkg string) tool {
	const sdk = "github.com/pulumi/pulumi/sdk/v3"
	return tool{
		name: LanguageHost(runtime), dir: "pulumi-languages", raised: true,
		pkg: sdk + "/" + pkg, pin: sdk, stamp: pulumiStamp,
		find: nextToPulumi, fits: atLeast, install: "put a Pulumi CLI that fits on PATH",
	}
}

// pythonLanguage returns Python's language host, which needs the script that starts a program next to it.
func pythonLanguage() tool {
	t := otherLanguage(languageOfSDK("python", "python/cmd/pulumi-language-python"))
	t.siblings = embed{module: t.pin, dir: "python/cmd", files: []string{"pulumi-language-python-exec"}}
	return t
}

// yamlLanguage returns YAML's language host. It has its own module, which is compatible with the CLI's packages.
func yamlLanguage() tool {
	const module = "github.com/pulumi/pulumi-yaml"
	return tool{
		name: LanguageHost("yaml"), dir: "pulumi-language-yaml", raised: true,
		pkg: module + "/cmd/pulumi-language-yaml", pin: module,
		stamp: func(version string) []string { return []string{module + "/pkg/version.Version=" + version} },
		find:  nextToPulumi, fits: atLeast, install: "put a Pulumi CLI that fits on PATH",
	}
}

// otherLanguage marks a host of programs in a language other than Go.
func otherLanguage(t tool) tool {
	t.language = true
	return t
}

// Go is the language of the library, and the default language of the stacks' programs.
const Go = "go"

// runtimes maps the languages of the stacks' programs to Pulumi's names for them.
var runtimes = map[string]string{Go: "go", "python": "python", "typescript": "nodejs", "yaml": "yaml"}

// Runtime returns Pulumi's name for a language.
func Runtime(language string) (string, error) {
	runtime, ok := runtimes[language]
	if !ok {
		return "", fmt.Errorf("PROGRAM: Unsupported value: %q: the stacks have programs in %s", language,
			strings.Join(slices.Sorted(maps.Keys(runtimes)), ", "))
	}
	return runtime, nil
}

// PluginModule is the directory of the module of the plugin with the components.
const PluginModule = "internal/provider"

// Plugin returns the plugin with the components for programs in languages other than Go.
func Plugin() Program {
	return Program{
		Name: "the plugin", Dir: PluginModule, Packages: []string{"./cmd/pulumi-resource-mixedkube"},
	}
}

// pluginFor returns the plugin, with the generator of the SDK for programs of a runtime.
func pluginFor(runtime string) Program {
	p := Plugin()
	if runtime != "yaml" {
		p.Packages = append(p.Packages, "./cmd/generate-sdks")
	}
	return p
}

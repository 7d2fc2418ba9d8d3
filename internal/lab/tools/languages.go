package tools

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

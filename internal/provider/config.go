package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/blang/semver"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// versionKey and downloadKey are the keys of a provider that the engine uses: the version of the SDK, which chooses the
// plugin, and the URL from which the plugin is downloaded.
const (
	versionKey  = "version"
	downloadKey = "pluginDownloadURL"
)

// CheckConfig checks the inputs of a provider before it is used.
func (s *server) CheckConfig(ctx context.Context, req *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	response := &pulumirpc.CheckResponse{Inputs: req.GetNews(), Failures: unknownKeys(req)}
	message, wrong := versions(req.GetNews().GetFields()[versionKey].GetStringValue(), s.version)
	switch {
	case wrong:
		response.Failures = append(response.Failures, &pulumirpc.CheckFailure{Property: versionKey, Reason: message})
	case message != "":
		_, err := pulumirpc.NewEngineClient(s.engine).Log(ctx, &pulumirpc.LogRequest{
			Severity: pulumirpc.LogSeverity_WARNING, Message: message, Urn: req.GetUrn(),
		})
		if err != nil {
			return nil, err
		}
	}
	return response, nil
}

// unknownKeys returns a failure for each input that a program sets on a provider. A default provider gets the stack's
// configuration, which belongs to the program if the project has the name of this package.
func unknownKeys(req *pulumirpc.CheckRequest) []*pulumirpc.CheckFailure {
	if name := req.GetName(); name == "default" || strings.HasPrefix(name, "default_") {
		return nil
	}
	var failures []*pulumirpc.CheckFailure
	for _, key := range slices.Sorted(maps.Keys(req.GetNews().GetFields())) {
		if key != versionKey && key != downloadKey && !strings.HasPrefix(key, "__") {
			failures = append(failures, &pulumirpc.CheckFailure{
				Property: key,
				Reason: "unknown key: the provider takes no configuration, as components use the providers of their " +
					"resources: remove it, and give the component that provider",
			})
		}
	}
	return failures
}

// versions compares the version of a program's SDK with that of the plugin. The message is empty if they agree. It is
// wrong to continue with versions that are not compatible.
func versions(sdk, plugin string) (message string, wrong bool) {
	of, err := semver.ParseTolerant(sdk)
	if err != nil {
		return "", false // no SDK, as in YAML
	}
	is, err := semver.ParseTolerant(plugin)
	if err != nil || of.EQ(is) || isDevelopment(of) && isDevelopment(is) {
		return "", false
	}
	wrong = !isDevelopment(of) && !isDevelopment(is) && promise(of) != promise(is)
	what := "what only one of them has does not work"
	if wrong {
		what = "these do not work together"
	}
	return fmt.Sprintf("the program's SDK of mixedkube has version %s, and the plugin that the engine has found has "+
		"version %s: %s: install the plugin %s with \"pulumi plugin install resource mixedkube %s --file FILE\" (a "+
		"pulumi-resource-mixedkube on PATH is taken first, whatever its version is), or the SDK %s",
		of, is, what, of, of, is), wrong
}

// isDevelopment reports whether a version is not a release: languages write [DevelopmentVersion] differently.
func isDevelopment(v semver.Version) bool { return v.Major == 0 && v.Minor == 0 && v.Patch == 0 }

// promise returns the part of a version within which nothing breaks: the major version, and before
// 1.0.0 the minor one.
func promise(v semver.Version) string {
	if v.Major > 0 {
		return strconv.FormatUint(v.Major, 10)
	}
	return fmt.Sprintf("0.%d", v.Minor)
}

// Package sdks generates the plugin's SDKs for languages other than Go from its schema.
package sdks

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// tool is the name of the generator in generated files.
const tool = "make sdks"

// manifestFile lists the packages that an SDK for npm needs.
const manifestFile = "package.json"

// dependency matches a package that the schema refers to. The generator writes an exact version: a program with a newer
// version would install the package twice.
var dependency = regexp.MustCompile(`("@pulumi/[\w-]+": ")(\d)`)

// Languages are the generators of the SDKs by language.
var Languages = map[string]func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error){
	"nodejs": func(p *schema.Package, l schema.ReferenceLoader) (map[string][]byte, error) {
		files, err := nodejs.GeneratePackage(tool, p, nil, nil, false, l)
		if err == nil {
			files[manifestFile] = dependency.ReplaceAll(files[manifestFile], []byte("${1}^${2}"))
		}
		return files, err
	},
	"python": func(p *schema.Package, l schema.ReferenceLoader) (map[string][]byte, error) {
		return python.GeneratePackage(tool, p, nil, l)
	},
}

// Generate creates the files of the SDK of a language, by their paths in it. plugin and kubernetes are the schemas of
// the plugin and of the kubernetes provider.
func Generate(language string, plugin, kubernetes, license []byte) (map[string][]byte, error) {
	generate, ok := Languages[language]
	if !ok {
		return nil, unknown(language)
	}
	bound, loader, err := bind(plugin, kubernetes)
	if err != nil {
		return nil, err
	}
	files, err := generate(bound, loader)
	if err != nil {
		return nil, fmt.Errorf("generating the SDK for %s: %w", language, err)
	}
	files["README.md"] = readme(language, bound.Description, bound.Repository, bound.Version.String())
	files[licenseFile] = license
	lock := packers[language].lockFile
	if files[lock], err = locks.ReadFile(path.Join("locks", language, lock)); err != nil {
		return nil, err
	}
	return files, nil
}

func unknown(language string) error {
	return fmt.Errorf("%q is not a language of the SDKs", language)
}

// Write writes files below a directory, and removes all other files there.
func Write(dir string, files map[string][]byte) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Loader loads the schemas of the plugin and of the kubernetes provider, and no others.
func Loader(plugin, kubernetes []byte) schema.ReferenceLoader {
	return schema.NewCachedLoader(only{"mixedkube": plugin, "kubernetes": kubernetes})
}

// bind checks the plugin's schema against Pulumi's rules for schemas, and resolves its references. A warning counts as
// an error.
func bind(plugin, kubernetes []byte) (*schema.Package, schema.ReferenceLoader, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(plugin, &spec); err != nil {
		return nil, nil, fmt.Errorf("reading the plugin's schema: %w", err)
	}
	loader := Loader(plugin, kubernetes)
	bound, found, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("binding the plugin's schema: %w", err)
	}
	if len(found) > 0 {
		return nil, nil, fmt.Errorf("the plugin's schema is wrong:\n%s", list(found))
	}
	return bound, loader, nil
}

func list(found hcl.Diagnostics) string {
	lines := make([]string, len(found))
	for i, d := range found {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// only loads the packages whose schemas it holds, by their names.
type only map[string][]byte

func (o only) LoadPackageReferenceV2(
	_ context.Context, want *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	content, ok := o[want.Name]
	if !ok {
		return nil, fmt.Errorf("there is no schema of the package %s", want.Name)
	}
	var spec schema.PartialPackageSpec
	if err := json.Unmarshal(content, &spec); err != nil {
		return nil, fmt.Errorf("reading the schema of the package %s: %w", want.Name, err)
	}
	if spec.Version == "" && want.Version != nil {
		// A provider stamps its schema when it starts.
		spec.Version = want.Version.String()
	}
	languages := map[string]schema.Language{"nodejs": nodejs.Importer, "python": python.Importer}
	p, err := schema.ImportPartialSpec(spec, languages, o)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of the package %s: %w", want.Name, err)
	}
	return p, nil
}

func (o only) LoadPackageV2(ctx context.Context, want *schema.PackageDescriptor) (*schema.Package, error) {
	reference, err := o.LoadPackageReferenceV2(ctx, want)
	if err != nil {
		return nil, err
	}
	return reference.Definition()
}

func (o only) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return o.LoadPackageReferenceV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

func (o only) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	return o.LoadPackageV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

// KubernetesSchema returns the schema of the kubernetes provider that the lab builds in the directory of a module. The
// schema is part of the provider's module. If the module is not on this machine, it is downloaded if download is set;
// otherwise KubernetesSchema returns nil.
func KubernetesSchema(ctx context.Context, dir string, download bool) ([]byte, error) {
	const module = "github.com/pulumi/pulumi-kubernetes/provider/v4"
	args := []string{"list", "-m", "-json", module}
	if download {
		args = []string{"mod", "download", "-json", module}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("looking for the module %s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("looking for the module %s: %w", module, err)
	}
	if found.Dir == "" {
		return nil, nil
	}
	return os.ReadFile(filepath.Join(found.Dir, "cmd", "pulumi-resource-kubernetes", "schema.json"))
}

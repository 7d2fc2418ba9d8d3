package sdks

import "fmt"

// licenseFile is the name of the license in each SDK.
const licenseFile = "LICENSE"

// firsts are examples of a program, by its language.
var firsts = map[string]string{
	"nodejs": "```typescript\nimport * as mixedkube from \"@mixedkube/mixedkube\";\n\n" +
		"new mixedkube.runtimeclass.Set(\"windows\", {\n" +
		"    topology: { pools: [\n        { name: \"sys\", platform: \"linux\" },\n" +
		"        { name: \"win22\", platform: \"windows-2022\" },\n    ] },\n});\n```\n",
	"python": "```python\nimport mixedkube\n\n" +
		"mixedkube.runtimeclass.Set(\"windows\", topology={\n" +
		"    \"pools\": [\n        {\"name\": \"sys\", \"platform\": \"linux\"},\n" +
		"        {\"name\": \"win22\", \"platform\": \"windows-2022\"},\n    ],\n})\n```\n",
}

// readme returns the README of an SDK.
func readme(language, description, repository, version string) []byte {
	return fmt.Appendf(nil, "# mixedkube\n\n%s\n\n%s\n"+
		"The plugin `mixedkube` creates the components: install it in the version of this package, %s.\n"+
		"%s/blob/main/docs/languages.md says how, and what differs from Go.\n",
		description, firsts[language], version, repository)
}

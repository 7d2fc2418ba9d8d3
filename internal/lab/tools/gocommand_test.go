package tools

import "testing"

func TestTheEnvironmentOfABuildIsTheToolsOwn(t *testing.T) {
	t.Parallel()
	own := ownFlags()
	const quiet = "-buildvcs=false"
	for _, test := range []struct{ goflags, want string }{
		{"", quiet},
		{"-mod=mod", quiet},
		{"-mod=vendor -trimpath", "-trimpath " + quiet},
		{"-trimpath --mod=readonly", "-trimpath " + quiet},
		{"-x '-mod=mod' -v", "-x -v " + quiet},
		{"-modfile=other.mod -x", "-x " + quiet},
		{own + " -x", "-x " + quiet},
		{"-modcacherw", "-modcacherw " + quiet},
		{"'-gcflags=all=-N -l'", "'-gcflags=all=-N -l' " + quiet},
	} {
		environ := []string{"GOFLAGS=-mod=mod", "GOOS=plan9", "GOARCH=arm", "CGO_ENABLED=1", "GOWORK=/w", "HOME=/h"}
		built := buildEnviron(environ, test.goflags, "GOWORK=off", platform{"linux", "arm64"})
		for name, want := range map[string]string{
			"GOFLAGS": own + " " + test.want, "GOWORK": "off", "CGO_ENABLED": "0",
			"GOOS": "linux", "GOARCH": "arm64", "HOME": "/h", "GOGC": "400",
		} {
			equal(t, "GOFLAGS "+test.goflags+": "+name, getenv(built, name), want)
		}
		equal(t, "given", getenv(environ, "GOOS"), "plan9")
		built = buildEnviron(append(environ, "GOGC=50"), test.goflags, "GOWORK=off", platform{"linux", "arm64"})
		equal(t, "GOGC of the user", getenv(built, "GOGC"), "50")
	}
}

func TestACommandIsShownWithoutTheFlagsOfTheBuild(t *testing.T) {
	t.Parallel()
	equal(t, "build", shown([]string{
		"build", "-ldflags", "-s -w -X a=b", "-o", "/x", "example.com/m",
		"example.com/n",
	}), "go build example.com/m example.com/n")
	equal(t, "download", shown([]string{"mod", "download", "example.com/m"}), "go mod download example.com/m")
}

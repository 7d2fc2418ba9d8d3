package platform_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
)

func Example() {
	host, err := platform.Parse("Windows Server 2022")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host, host.OS(), host.Build())
	for _, ref := range []string{
		"mcr.microsoft.com/windows/servercore:ltsc2022",
		"python:3.11-windowsservercore-1809",
		"nginx:1.27-alpine",
		"nginx:1.27",
	} {
		fmt.Println(ref, platform.CanRun(host, platform.FromImage(ref), platform.Strict))
	}
	// Output:
	// windows-2022 windows 10.0.20348
	// mcr.microsoft.com/windows/servercore:ltsc2022 yes
	// python:3.11-windowsservercore-1809 no
	// nginx:1.27-alpine no
	// nginx:1.27 unknown
}

func ExampleParse() {
	_, err := platform.Parse("windows-2021")
	fmt.Println(err)
	// Output:
	// unknown platform "windows-2021": did you mean "windows-2022"? valid platforms are linux, windows-2016, windows-1709, windows-1803, windows-2019, windows-1903, windows-1909, windows-2004, windows-20h2, windows-2022, windows-23h2, windows-2025
}

func ExampleFromImage() {
	image := platform.FromImage("golang:1.26-windowsservercore-ltsc2025")
	fmt.Println(image.OS, image.Release)
	// Output: windows windows-2025
}

func ExampleCanRun() {
	image := platform.FromImage("mcr.microsoft.com/windows/nanoserver:ltsc2022")
	fmt.Println(platform.CanRun(platform.WindowsServer2025, image, platform.Strict))
	fmt.Println(platform.CanRun(platform.WindowsServer2025, image, platform.Relaxed))
	// Output:
	// no
	// yes
}

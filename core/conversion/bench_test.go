package conversion_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
)

func BenchmarkConvert(b *testing.B) {
	options := conversion.Options{Topology: cluster(true, platform.WindowsServer2022)}
	for _, name := range []string{"linux", "json"} {
		text, err := os.ReadFile("testdata/" + name + ".input.yaml")
		if err != nil {
			b.Fatal(err)
		}
		file := conversion.File{Name: "a.yaml", Text: []byte(strings.Repeat("---\n"+string(text)+"\n", 20))}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file.Text)))
			b.ReportAllocs()
			for b.Loop() {
				result, errs := conversion.Convert([]conversion.File{file}, options)
				if len(errs) > 0 || !result.Files[0].Changed() {
					b.Fatal(errs)
				}
			}
		})
	}
}

package proctime

import "testing"

// BenchmarkReading measures a reading of all processes, as each second.
func BenchmarkReading(b *testing.B) {
	for b.Loop() {
		if len(running()) == 0 {
			b.Fatal("there are no processes")
		}
	}
}

package clustermap

import ("os";"testing")

func TestDump(t *testing.T) {
	for name, s := range map[string]Source{"small": small(t), "large": large(t, 100, 300)} {
		f, _ := os.Create("/tmp/w/map-scratch/" + name + ".html")
		if err := New(s).HTML(f); err != nil { t.Fatal(err) }
		f.Close()
	}
}

package cli

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

// A check reports old facts once, in each format, and passes.
//
//nolint:paralleltest // it changes the day
func TestACheckReportsOldFactsOnce(t *testing.T) {
	dir := dirWith(t, map[string]string{
		"cluster.yaml": ofAKS("1.37", "windows-2025"), "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: " +
			"{name: a}\n",
		"pods.yaml": linuxPod + "---\n" + strings.Replace(linuxPod, "name: p", "name: q", 1),
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, tt := range map[string]struct {
		days, want int
		fact       string
		args       []string
	}{
		"old AKS":         {181, 1, "AKSOldest", []string{"--topology", at("cluster.yaml"), at("pods.yaml")}},
		"AKS in time":     {179, 0, "AKSOldest", []string{"--topology", at("cluster.yaml"), at("map.yaml")}},
		"old images":      {181, 1, "PublishedTags", []string{at("pods.yaml")}},
		"images in time":  {179, 0, "PublishedTags", []string{at("pods.yaml")}},
		"nothing is used": {181, 0, "AKSOldest", []string{at("map.yaml")}},
	} {
		for _, l := range lives.All() {
			if l.Names[0] != tt.fact {
				continue
			}
			seen, _ := time.Parse(time.DateOnly, l.Seen)
			t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(seen.AddDate(0, 0, tt.days).Unix(), 10))
		}
		for _, format := range []string{"text", "json", "sarif", "junit", "gitlab"} {
			code, out, _ := runCheck(t, "", append([]string{"--format", format}, tt.args...)...)
			old, named := strings.Count(out, "looked up more than 180 days ago"), strings.Contains(out, tt.fact)
			if format == "text" && strings.HasPrefix(out, ":") {
				t.Errorf("%s: no file: %s", name, out)
			}
			aboutFacts := strings.Contains(out, "Facts") && !strings.Contains(out, "Topology")
			if format == "text" && aboutFacts != (tt.want > 0) {
				t.Errorf("%s: the finding is not about Facts: %s", name, out)
			}
			if code != 0 || old != tt.want || tt.want > 0 && !named {
				t.Errorf("%s as %s: %d, %v:\n%s", name, format, old, code, out)
			}
		}
	}
}

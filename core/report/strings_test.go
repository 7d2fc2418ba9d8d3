package report_test

import (
	"fmt"
	"testing"

	"github.com/mixedkube/mixedkube/core/report"
)

func TestACheckedObjectIsPrintedWithItsFile(t *testing.T) {
	t.Parallel()
	object := report.Object{Kind: "Deployment", Name: "web"}
	for want, in := range map[string]report.Checked{
		"shop.yaml: Deployment/web": {Object: object, File: "shop.yaml"},
		"Deployment/web":            {Object: object},
	} {
		if got := fmt.Sprint(in); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestALandingIsPrintedWithItsPools(t *testing.T) {
	t.Parallel()
	landing := report.Landing{
		Object: report.Object{Kind: "Pod"}, Workload: "shop/web", Pools: []string{"win22"}, Text: "win22 (2 nodes)",
	}
	const want = "[shop/web → win22 (2 nodes)]"
	if got := fmt.Sprint([]report.Landing{landing}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

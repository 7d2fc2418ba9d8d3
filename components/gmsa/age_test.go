package gmsa_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// The webhook reports the default chart if it is old, and no other.
func TestAnOldDefaultChartIsReported(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10))
	for _, tt := range []struct {
		args *gmsa.WebhookArgs
		want string
	}{
		{nil, `"GMSAWebhookChart, GMSAWebhookChartCommit": looked up`},
		{&gmsa.WebhookArgs{Chart: gmsa.ProjectChart}, `"GMSAWebhookChart": looked up`},
		{&gmsa.WebhookArgs{Chart: "oci://mirror.example.com/gmsa", Version: "0.1.0"}, ""},
	} {
		graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
			_, err := gmsa.NewWebhook(ctx, "gmsa", tt.args)
			return err
		}, mocktest.Preview())
		if err != nil {
			t.Errorf("%v: %v", tt.args, err)
			continue
		}
		var found []string
		for _, l := range graph.Logs() {
			if strings.Contains(l.Message, "looked up") {
				found = append(found, l.Message)
			}
		}
		got := strings.Join(found, "; ")
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%v: %s, want %s", tt.args, got, tt.want)
		}
	}
}

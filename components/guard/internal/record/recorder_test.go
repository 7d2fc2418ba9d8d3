package record_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/report"
)

// The program fails at its end as long as it has one.
func TestAVerdictDependsOnThePhase(t *testing.T) {
	t.Parallel()
	const passes, stops = "stops false, fails with <nil>", "stops true, fails with <nil>"
	const fails = "stops true, fails with stopped with 1 errors and 1 findings"
	for name, tt := range map[string]struct {
		options record.Options
		ended   bool
		want    []string
	}{
		"running":  {record.Options{}, false, []string{passes, stops, stops}},
		"ended":    {record.Options{}, true, []string{passes, fails, fails}},
		"endless":  {record.Options{Endless: errors.New("not wrapped")}, false, []string{passes, fails, fails}},
		"advisory": {record.Options{Advisory: true}, true, []string{passes, passes, passes}},
	} {
		for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
			var got []string
			_, _, err := recorded(t, tt.options, func(r *record.Recorder) error {
				var err error
				if tt.ended {
					err = r.Finish(record.End{})
				}
				for _, text := range []string{pod("right", right), pod("wrong", wrong), pod("other", wrong)} {
					v := r.Check(shown("", text))
					got = append(got, fmt.Sprintf("stops %t, fails with %v", v.Stops, v.Failure))
				}
				return err
			}, options...)
			diff(t, name, tt.want, got)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestOnlyObjectsWithoutFindingsPass(t *testing.T) {
	t.Parallel()
	logs, found, err := recorded(t, record.Options{}, func(r *record.Recorder) error {
		passes := func(name, spec string) bool {
			o, properties := shown("", pod(name, spec))
			return r.Pass(o, properties())
		}
		if !passes("right", right) || passes("wrong", wrong) {
			t.Error("the right Pod does not pass, or the wrong one does")
		}
		// The engine shows both again.
		r.Check(shown("", pod("right", wrong)))
		r.Check(shown("", pod("wrong", wrong)))
		err := r.Finish(record.End{})
		if passes("late", right) {
			t.Error("an object passes that is late: nothing would report it")
		}
		return err
	}, mocktest.Preview())
	diff(t, "the log", []string{"error wrong: " + hostPID}, logs)
	if err == nil || err.Error() != "stopped with 1 errors and 1 findings" || found.Objects != 2 {
		t.Errorf("%v, with %d objects", err, found.Objects)
	}
}

func TestTheReportNamesWhatIsNotSeenAtItsTime(t *testing.T) {
	t.Parallel()
	partly, unwrapped := errors.New("a part is not seen"), errors.New("not wrapped")
	for name, tt := range map[string]struct {
		endless  error
		arrived  bool
		want     []string
		problems []error
	}{
		"nothing follows":        {nil, false, []string{"chart", "early", "remote"}, []error{partly}},
		"its objects follow":     {nil, true, []string{"early", "remote"}, []error{partly}},
		"more can always follow": {unwrapped, false, []string{"remote"}, []error{unwrapped, partly}},
	} {
		_, found, err := recorded(t, record.Options{Endless: tt.endless}, func(r *record.Recorder) error {
			r.Missed(record.Unseen{At: "chart", Problem: partly, Until: "chart"})
			r.Missed(record.Unseen{At: "remote", Problem: partly})
			r.Check(shown("", pod("seen", right)))
			if tt.arrived {
				r.Arrived("chart")
			}
			if tt.endless != nil {
				return r.Check(shown("", pod("wrong", wrong))).Failure // it has the report
			}
			seen, _ := shown("", pod("seen", right))
			return r.Finish(record.End{Early: []urn.URN{"early", seen.URN}})
		})
		if (err != nil) != (tt.endless != nil) {
			t.Errorf("%s: %v", name, err)
		}
		diff(t, name, tt.want, notChecked(found))
		if diff := cmp.Diff(tt.problems, found.Problems, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("%s: the problems (-want +got):\n%s", name, diff)
		}
	}
}

func notChecked(r report.Report) (names []string) {
	for _, n := range r.NotChecked {
		names = append(names, last(n.Resource))
	}
	return names
}

// The report also names an object that is missed after the end.
func TestTheEndIsReported(t *testing.T) {
	t.Parallel()
	unseen, failed, late := errors.New("no transforms"), errors.New("the program has failed"), errors.New("late")
	refused := errors.New("no image")
	// An ignore is not unused if not everything is seen.
	o := record.Options{Ignore: []report.Ignore{{Rules: []string{"MK118"}}}}
	logs, found, err := recorded(t, o, func(r *record.Recorder) error {
		r.Refuse(&record.Located{At: "urn:pulumi:stack::project::shop:index:Web::web"}, refused)
		err := r.Finish(record.End{Problem: failed, Unseen: unseen})
		r.Missed(record.Unseen{At: "late", Problem: late})
		return err
	}, mocktest.Preview())
	diff(t, "the log", []string{"error web: no image"}, logs)
	diff(t, "not checked", []string{"late"}, notChecked(found))
	if diff := cmp.Diff([]error{failed, refused, late}, found.Problems, cmpopts.EquateErrors()); diff != "" {
		t.Errorf("the problems (-want +got):\n%s", diff)
	}
	if !errors.Is(err, unseen) || err.Error() != "no transforms\nstopped with 1 errors and 0 findings" {
		t.Errorf("the error is %v", err)
	}
}

func TestPatchesListsAndReleasesAreNotChecked(t *testing.T) {
	t.Parallel()
	_, found, err := recorded(t, record.Options{}, func(r *record.Recorder) error {
		for _, text := range []string{
			"{apiVersion: v1, kind: PodPatch, metadata: {name: patch}, spec: {hostPID: true}}",
			"{apiVersion: helm.sh/v3, kind: Release, metadata: {name: release}}", pod("pod", right),
			"{apiVersion: v1, kind: PodList, metadata: {name: list}, items: []}",
			"{apiVersion: shop.example/v1, kind: PriceList, metadata: {name: prices}, spec: {items: []}}",
		} {
			r.Check(shown("", text))
		}
		return r.Finish(record.End{})
	})
	diff(t, "not checked", []string{"list", "patch", "release"}, notChecked(found))
	if err != nil || found.Objects != 3 {
		t.Errorf("%d objects, %v", found.Objects, err)
	}
}

// A class may come after a Pod, whose contradiction the end of a program finds. An update finds the contradiction to an
// earlier class at once, because it must not create the Pod. A class of one cluster does not exist in another.
func TestObjectsAreComparedWithThoseOfTheirCluster(t *testing.T) {
	t.Parallel()
	const class = "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: fast}, handler: runc, " +
		"scheduling: {nodeSelector: {disk: ssd}}}"
	web := pod("web", "runtimeClassName: fast, "+strings.Replace(right, "windows}, c", "windows, disk: hdd}, c", 1))
	clusters := []record.Cluster{{}, {Provider: "dev"}}
	const contradicts, warns = "error (MK402)", "warning (MK401)"
	unwrapped := errors.New("not wrapped")
	for name, tt := range map[string]struct {
		of      string // the provider of the Pod
		before  bool   // the class comes before the Pod
		endless error
		update  bool
		atOnce  bool
		want    string
	}{
		"a preview":                     {before: true, want: contradicts},
		"a preview, the class is later": {want: contradicts},
		"an update":                     {before: true, update: true, atOnce: true, want: contradicts},
		"an update, the class is later": {update: true, want: contradicts},
		"endless":                       {before: true, endless: unwrapped, atOnce: true, want: contradicts},
		"endless, the class is later":   {endless: unwrapped, want: warns},
		"a preview, in another cluster": {before: true, of: "dev", want: warns},
		"an update, in another cluster": {before: true, of: "dev", update: true, want: warns},
	} {
		var options []mocktest.Option
		if !tt.update {
			options = []mocktest.Option{mocktest.Preview()}
		}
		o := record.Options{Clusters: clusters, Endless: tt.endless}
		logs, _, _ := recorded(t, o, func(r *record.Recorder) error {
			if tt.before {
				r.Check(shown("", class))
			}
			if v := r.Check(shown(tt.of, web)); v.Stops != tt.atOnce {
				t.Errorf("%s: the Pod stops: %t", name, v.Stops)
			}
			if !tt.before {
				r.Check(shown("", class))
			}
			if tt.endless == nil {
				return r.Finish(record.End{})
			}
			return nil
		}, options...)
		var got []string
		for _, line := range logs {
			if severity, _, is := strings.Cut(line, " web: "); is {
				got = append(got, severity+line[strings.LastIndex(line, " "):])
			}
		}
		diff(t, name, []string{tt.want}, got)
	}
}

package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// odd returns findings whose texts have the characters that readers of reports interpret.
func odd() report.Report {
	finding := func(file, name, path string) report.Finding {
		return report.Finding{
			Finding: rule.Finding{
				Rule: "MK118", Severity: rule.Error, Path: path, Value: "##vso[task.complete]x",
				Detail: "see [here](https://example.com) {0}", Fix: "::stop-commands::x",
			},
			Object: report.Object{Kind: "Pod", Namespace: "##[group]", Name: name},
			File:   file, Line: 3,
		}
	}
	inProgram := finding("", "", "spec")
	inProgram.Resource = "urn:pulumi:dev::shop::kubernetes:core/v1:Pod::[web](https://example.com)##[error]"
	return report.Report{
		Program: "/src/Pulumi.yaml",
		Findings: []report.Finding{
			finding("::warning::.yaml", "##vso[task.setvariable variable=PATH]/tmp", `metadata.labels["[a](b)"]`),
			finding("a/##[b].yaml", "[click](https://example.com)", "spec.containers[0].image"),
			finding("a/##[b].yaml", "[click](https://example.com)", "spec.containers[0].image"),
			finding("a.yaml", "#\u034f#\u200bvso[task.complete]\u202e\r\n::x", ""),
			inProgram,
		},
		Problems: []error{&manifests.Error{
			File: "##[c].yaml", Line: 2, Detail: "##vso[task.complete] [click](https://example.com)",
		}},
	}
}

// GitLab and GitHub recognize a finding by its fingerprint: another one would show it as new. These were written by the
// version before texts were escaped.
func TestFingerprintsAreOfTheTextItself(t *testing.T) {
	t.Parallel()
	found := odd()
	var sarif, quality bytes.Buffer
	if err := errors.Join(found.WriteSARIF(&sarif, nil, "/src"), found.WriteCodeQuality(&quality, "/src")); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct{ PartialFingerprints map[string]string }
		}
	}
	var issues []struct{ Fingerprint string }
	if err := errors.Join(json.Unmarshal(sarif.Bytes(), &log), json.Unmarshal(quality.Bytes(), &issues)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		got = append(got, r.PartialFingerprints["primaryLocationLineHash"])
	}
	for _, i := range issues {
		got = append(got, i.Fingerprint)
	}
	want := []string{
		"de9bad66fd40564e:1", "b5babbb035606c3a:1", "b5babbb035606c3a:2", "0234dbabec2139de:1", "9ada470af5b15213:1",
		"3c422a9455b849ac7b9c74b06d7bf397", "09974dc845800fd927c010bf1e0cf4db", "f3491a0135abc590fe74b479f19abde6",
		"63c6f9a7f757426ebd01f83adb6867e0", "700597478afd744cb672fb9b9967b2eb", "d6e1978b4e72acfa276eaf560968f0bb",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

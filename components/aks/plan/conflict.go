package plan

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Patience is how long to wait for Azure while it is busy with another operation of the
// cluster: see [Patience.After].
type Patience struct {
	// Pause is the first pause, 2 seconds by default. Each one is twice as long as the one
	// before, up to a minute, and a little shorter by chance, so that not all that waits asks
	// again at once.
	Pause time.Duration
	// Limit is how long the pauses before the repetitions of one operation are in all, an hour
	// by default. Pulumi repeats an operation 99 times at most.
	Limit time.Duration
}

// Validate says what is wrong with it.
func (p Patience) Validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Pause < 0 {
		errs = append(errs, field.Invalid(path.Child("pause"), p.Pause.String(), "must not be negative"))
	}
	if p.Limit < 0 {
		errs = append(errs, field.Invalid(path.Child("limit"), p.Limit.String(), "must not be negative"))
	}
	return errs
}

// The bounds of all repetitions.
const (
	defaultPause = 2 * time.Second
	defaultLimit = time.Hour
	longestPause = time.Minute
	// maxRepetitions is one less than what would make Pulumi's engine put an error of its own
	// in the place of Azure's answer (pkg/resource/deploy/retries.go).
	maxRepetitions = 98
)

// Failure is a failed operation, as Pulumi tells an error hook of it.
type Failure struct {
	// Resource is the URN of the resource.
	Resource string
	// Operation is create, update or delete.
	Operation string
	// Errors are those of all attempts, the newest first.
	Errors []string
}

// Repetition is what to do about a failure that passes.
type Repetition struct {
	// Number counts from 1.
	Number int
	// Pause is how long to wait before.
	Pause time.Duration
	// Answer is Azure's, without the text around it.
	Answer string
}

// After says whether to repeat a failed operation, and after which pause. It is for the
// answers that mean that Azure is busy, which azure-native does not repeat, and for no
// others:
//
//   - OperationNotAllowed, where it says that an operation is in progress
//     (https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/operationnotallowed-error);
//     it is also the code of a quota that is exceeded
//   - EtagMismatch (https://github.com/Azure/terraform-azurerm-aks/issues/604)
//   - VirtualNetworkNotInSucceededState, also as the reason of SetVNetOwnershipFailed
//     (https://github.com/Azure/AKS/issues/4522)
//
// A creation that began and failed is not repeated: azure-native would find the resource
// and refuse to create it, and Pulumi would lose it. Pulumi remembers such a resource as it
// is, and the next `pulumi up` updates it.
func (p Patience) After(f Failure) (Repetition, bool) {
	if len(f.Errors) == 0 || len(f.Errors) > maxRepetitions ||
		f.Operation == "create" && begun.MatchString(f.Errors[0]) {
		return Repetition{}, false
	}
	answer := busy(f.Errors[0])
	if answer == "" {
		return Repetition{}, false
	}
	var waited time.Duration
	for number := 1; ; number++ {
		pause := p.pause(f.Resource, number)
		if waited += pause; waited > p.limit() {
			return Repetition{}, false
		}
		if number == len(f.Errors) {
			return Repetition{Number: number, Pause: pause, Answer: answer}, true
		}
	}
}

func (p Patience) limit() time.Duration {
	if p.Limit == 0 {
		return defaultLimit
	}
	return p.Limit
}

// pause is that before a repetition: chance takes away up to half of it, the same for the
// same resource and number.
func (p Patience) pause(resource string, number int) time.Duration {
	pause := p.Pause
	if pause == 0 {
		pause = defaultPause
	}
	for ; number > 1 && pause < longestPause; number-- {
		pause *= 2
	}
	pause = min(pause, longestPause)
	chance := fnv.New32a()
	_, _ = fmt.Fprint(chance, resource, number) // never fails
	return pause - pause/2*time.Duration(chance.Sum32()%1000)/1000
}

// begun is how Pulumi writes the reasons of a resource that is there and failed.
var begun = regexp.MustCompile(`^\d+ errors? occurred:`)

// passing are the answers of [Patience.After], the most telling first. Azure's client, az
// and the inner errors of an answer write the code in different ways.
var passing = []struct {
	code string
	// because is what the message says besides.
	because *regexp.Regexp
}{
	{"VirtualNetworkNotInSucceededState", regexp.MustCompile(`is in \w+ state`)},
	{"EtagMismatch", regexp.MustCompile(`[Aa]nother operation is in progress|[Ee]tag mismatched`)},
	{"OperationNotAllowed", regexp.MustCompile(`[Aa]nother (?:\w+ )?operation (?:\([^()]*\) )?is in progress`)},
}

// busy is the answer in an error that means that Azure is busy, and empty for another error.
func busy(text string) string {
	for _, p := range passing {
		if !strings.Contains(text, p.code) {
			continue
		}
		if because := p.because.FindString(text); because != "" {
			return p.code + ": " + because
		}
	}
	return ""
}

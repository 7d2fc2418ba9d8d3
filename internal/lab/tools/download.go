package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// timeouts limits the waits of a download.
type timeouts struct {
	// answer limits the wait for the first byte of the archive, redirects included;
	// silence limits the wait for each following byte.
	answer, silence time.Duration
	// beat is the time between two signs of life.
	beat time.Duration
}

// unusableError is the reason why an archive is not used.
type unusableError struct{ error }

func (e unusableError) Unwrap() error { return e.error }

func unusable(format string, args ...any) error {
	return unusableError{fmt.Errorf(format, args...)}
}

// download is the download of an archive.
type download struct {
	timeouts
	address *url.URL
	sum     string
	size    int64
	// progress is called at each beat with the number of bytes that have arrived.
	progress func(received int64)
}

// to writes the archive to out. It fails with an unusableError, with the
// context's cause, or with the error of out.
func (d download) to(ctx context.Context, out io.Writer) error {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := errors.New("silent")
	watch := time.AfterFunc(d.answer, func() { cancel(silent) })
	defer watch.Stop()
	received, err := d.receive(within, watch, out)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil && errors.Is(context.Cause(within), silent) && received == 0:
		return unusable("%s does not answer within %s", d.address.Host, d.answer)
	case err != nil && errors.Is(context.Cause(within), silent):
		return unusable("after %d of %d bytes nothing came for %s", received, d.size, d.silence)
	}
	return err
}

// receive does what to does, except for the timeouts: these belong to watch, which receive resets at
// each step.
func (d download) receive(ctx context.Context, watch *time.Timer, out io.Writer) (received int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address.String(), nil)
	if err != nil {
		return 0, unusable("%w", err)
	}
	client := http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableCompression: true,
			DisableKeepAlives: true,
		},
		CheckRedirect: checkRedirect,
	}
	response, err := client.Do(request)
	if err != nil {
		// The address has been printed already.
		if inURL, ok := errors.AsType[*url.Error](err); ok {
			err = inURL.Err
		}
		return 0, unusable("%w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return 0, unusable("%s answers %s", response.Request.URL.Host, response.Status)
	}
	hash, beat := sha256.New(), time.Now()
	body := func(p []byte) (int, error) {
		n, err := response.Body.Read(p)
		received += int64(n)
		if n > 0 {
			watch.Reset(d.silence)
		}
		if now := time.Now(); now.Sub(beat) >= d.beat {
			beat = now
			d.progress(received)
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return n, unusable("it was cut off after %d of %d bytes", received, d.size)
		case err != nil && !errors.Is(err, io.EOF):
			return n, unusable("%w, after %d of %d bytes", err, received, d.size)
		}
		return n, err
	}
	_, err = io.Copy(io.MultiWriter(out, hash), io.LimitReader(reader(body), d.size+1))
	if err != nil {
		return received, err
	}
	if received > d.size {
		return received, unusable("it has more than the %d bytes that are recorded", d.size)
	}
	if received < d.size {
		return received, unusable("it has %d bytes, %d are recorded", received, d.size)
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != d.sum {
		return received, unusable("its SHA-256 is %s, %s is recorded", sum, d.sum)
	}
	return received, nil
}

// checkRedirect allows a few redirects: GitHub stores the files of a release
// on another host. A redirect must not give up encryption.
func checkRedirect(next *http.Request, past []*http.Request) error {
	if len(past) > 5 {
		return errors.New("it redirects more than five times")
	}
	if past[len(past)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return fmt.Errorf("it redirects to %s, which is not an https address", next.URL.Redacted())
	}
	return nil
}

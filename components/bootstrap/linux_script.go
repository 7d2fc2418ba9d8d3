package bootstrap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"slices"
	"strings"
)

// LinuxScript is one bash script that brings files onto a Linux machine which has the
// others by [CloudConfig], the [SecretFiles] of one that has the [PublicFiles]. It is for
// machines to which one script can be passed, such as Azure's by the extension
// Microsoft.Azure.Extensions/CustomScript, which takes at most 256 KB of it in base64
// (https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-linux).
//
// It must run as root. It writes the files, into folders that are private where they are
// not there yet, the configuration of kubeadm last, waits until
// the machine is a node, at most 30 minutes, and fails if it is not: then its error
// stream has the end of the bootstrap's log. Running it again is no harm: on a machine
// that is a node already it writes nothing.
//
// The files are in a literal of base64: nothing in them becomes code. But they can be
// read from it: the script is a secret if one of the files is. The extension keeps it
// where only root may read, below /var/lib/waagent: let the token be one that expires
// soon.
func LinuxScript(files []File) string {
	return strings.Replace(linuxText("deliver.sh"), payloadMark, linuxPayload(files), 1)
}

// linuxPayload is a line for each file, gzipped, in base64; the same files give the same
// text.
func linuxPayload(files []File) string {
	files = slices.Clone(files)
	// Whoever sees the configuration may begin.
	slices.SortStableFunc(files, func(a, b File) int { return isLast(a) - isLast(b) })
	var lines strings.Builder
	for _, file := range files {
		lines.WriteString(permissions(file) + " " + inBase64(file.Path) + " " + inBase64(file.Content) + "\n")
	}
	return inBase64(gzipped(lines.String()))
}

// isLast is 1 for the file for which the bootstrap waits.
func isLast(file File) int {
	if file.Path == linuxKubeadm {
		return 1
	}
	return 0
}

func inBase64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// gzipped compresses a text as well as gzip can.
func gzipped(s string) string {
	var b bytes.Buffer
	// A bytes.Buffer takes everything.
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write([]byte(s))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}

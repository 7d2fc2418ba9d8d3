package bootstrap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"slices"
	"strings"
)

// LinuxScript is one bash script that brings files onto a Linux machine which has the others
// from [CloudConfig]: the [SecretFiles] onto a machine that has the [PublicFiles]. It is for
// machines to which one script can be passed, such as Azure's by the extension
// Microsoft.Azure.Extensions/CustomScript, which takes at most 256 KB of it in base64
// (https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-linux).
//
// It must run as root. It writes the files, the configuration of kubeadm last, and creates
// missing directories with access for root only. Then it waits up to 30 minutes until the machine
// is a node, and fails if it is not: its error stream then has the end of the bootstrap's log. It
// can be run again: on a machine that is already a node it writes nothing.
//
// The files are encrypted with a key that the machine gets from CloudConfig, as the file of
// [PayloadKey.File]. The script waits for it. Content that was encrypted with another key, or
// changed, is an error, and nothing is written. The machine needs openssl 1.1.1 or newer, which
// Azure's agent needs as well. When the machine is a node the script removes itself if it is
// the extension's copy, below /var/lib/waagent/custom-script.
func LinuxScript(files []File, key PayloadKey) string {
	return strings.Replace(selfContained("deliver.sh"), payloadMark, key.encrypt(linuxPayload(files)), 1)
}

// selfContained returns a script with payload.sh, but what it says of itself, in place of the line
// that sources it.
func selfContained(script string) string {
	_, common, _ := strings.Cut(linuxText("payload.sh"), "\n\n")
	return strings.Replace(linuxText(script), "source payload.sh\n", common, 1)
}

// linuxPayload returns a line for each file, gzipped; the same files give the same bytes.
func linuxPayload(files []File) string {
	files = slices.Clone(files)
	// The bootstrap begins when the configuration exists.
	slices.SortStableFunc(files, func(a, b File) int { return isLast(a) - isLast(b) })
	var lines strings.Builder
	for _, file := range files {
		lines.WriteString(permissions(file) + " " + inBase64(file.Path) + " " + inBase64(file.Content) + "\n")
	}
	return gzipped(lines.String())
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

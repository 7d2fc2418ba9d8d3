// Package machine is what a virtual machine does when it boots: it reads what Azure
// runs on it, customData that cloud-init takes on Linux and the commands of extensions,
// and finds out whether kubeadm is run, with which configuration.
//
// Nothing is executed. Texts are decoded as far as base64 and gzip go, and followed from
// what is run to the files that it names: a file that nothing runs or reads is as if it
// was not there.
//
// # What is run
//
// On Linux, customData that is a #cloud-config document (bootcmd and runcmd; write_files
// are on the disk) or a script with #!, both gzipped or not, and commandToExecute or
// script of the extension Microsoft.Azure.Extensions/CustomScript. On Windows, only the
// commandToExecute of Microsoft.Compute/CustomScriptExtension: its -EncodedCommand is
// run as well, and customData where a text that is run names CustomData.bin, if that has
// its SHA-256 or none: with another one the machine stops. What cloud-init knows besides, MIME documents and #include
// for example, and the fileUris of
// extensions are not looked at.
//
// # What a text carries
//
// Each run of 24 and more characters of base64 on one line of a program that is run is
// decoded, and unpacked if it is gzip. Where that is JSON, each object in it with a path
// and a content is a file that the program writes, and so is each line where all lines
// have a mode and, in base64, a path and a content. Any other text is reached itself, and
// is a program unless it is a configuration. What a shell or PowerShell puts together in
// other ways, a here document for example, is not seen.
//
// # What is reached
//
// A file is reached where a reached text, without the lines that are comments, has its
// name as a word: a service also without its suffix on a line with systemctl. A path that
// begins with / or with a drive has to be the end of the file's own. Reached are programs,
// which are scripts, units of systemd and whatever begins with #!, and data alike.
//
// kubeadm is run if a reached program has the word kubeadm and then, before the command
// or the line ends, the word init or join, and not one phase of it. Its configuration is
// the reached text of the API kubeadm.k8s.io. Where it is missing and a program that runs
// kubeadm reads one (--config), the machine waits for it, which is no error.
//
// Keys are on the disk below /etc/kubernetes/pki, where kubeadm looks itself, or below
// another folder of that name that a reached program names.
package machine

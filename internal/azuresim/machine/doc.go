// Package machine is what a virtual machine does when it boots: it reads what Azure runs
// on it, and finds out with which configuration kubeadm is run.
//
// Nothing is executed. What is read are the four formats that components/bootstrap writes,
// and no others: whatever differs from them is refused, with the place and with what is
// understood. [CheckCustomData] and [Extension.Check] do that for a single request.
//
//	              Linux                      Windows
//	customData    CloudConfig                WindowsScript
//	extension     script: LinuxScript        commandToExecute: WindowsCommand
//
// A #cloud-config document is compared with what bootstrap.CloudConfig writes of the files
// in it, and a script line by line with that of components/bootstrap. So only the files
// differ, which all four carry:
//
//   - write_files of the #cloud-config document, plain or in base64;
//   - the payload of LinuxScript: gzip, a line for each file, which has its mode and, in
//     base64, its path and its content;
//   - the payloads of WindowsScript and WindowsCommand: gzip, JSON, that of WindowsScript in
//     base64.
//
// The payloads of the extensions are encrypted with a key that customData brings, as one of
// its files: [Extension.Check] sees their form only, and [Boot] decrypts them.
//
// A run command has one script, bootstrap.KeysScript, and a payload as a protected parameter,
// which has the form of LinuxScript's: [RunCommand.Check] looks at the script, and
// [Machine.Run] decrypts the payload and says which keys the machine has then.
//
// # What is run
//
// On Linux, cloud-init starts mixedkube-bootstrap.service, whose program waits for the
// configuration of kubeadm and does with it what the role of the machine says. The
// extension waits for that. On Windows nothing runs customData but the extension's
// command, and that only if it is the script that the command is for.
//
// The configuration of kubeadm, and the kubelet's in it and in its patch, may have the
// fields that components/bootstrap writes, and no others. That the programs do what they
// should is tested with components/bootstrap, and not seen here.
package machine

// Package machine simulates the boot of a virtual machine: it reads what Azure runs on the machine, and finds the
// configuration that kubeadm runs with.
//
// Nothing is executed. The package reads only the four formats that machines/bootstrap writes. It refuses any
// difference, and the error names the place and what is understood there. [CheckCustomData] and [Extension.Check] do
// that for a single request.
//
//	              Linux                      Windows
//	customData    CloudConfig                WindowsScript
//	extension     script: LinuxScript        commandToExecute: WindowsCommand
//
// A #cloud-config document is compared with the document that bootstrap.CloudConfig writes for the same files, and a
// script line by line with the script of machines/bootstrap. So only the files differ. All four formats carry them:
//
//   - write_files of the #cloud-config document, plain or in base64;
//   - the payload of LinuxScript: gzip, a line for each file, which has its mode and, in
//     base64, its path and its content;
//   - the payloads of WindowsScript and WindowsCommand: JSON in gzip, and that of
//     WindowsScript in base64.
//
// The payloads of the extensions are encrypted with a key that is one of the files in customData: [Extension.Check]
// sees only their form, and [Boot] decrypts them.
//
// A run command has one script, bootstrap.KeysScript, and a payload as a protected parameter, in the format of
// LinuxScript's payload: [RunCommand.Check] checks the script, and [Machine.Run] decrypts the payload and returns the
// keys that the machine then has.
//
// # What is run
//
// On Linux, cloud-init starts mixedkube-bootstrap.service. Its program waits for the configuration of kubeadm and runs
// kubeadm according to the role of the machine. The extension waits for that program. On Windows, only the extension's
// command runs customData, and only if the command was written for that script.
//
// The configuration of kubeadm, and the kubelet's in it and in its patch, may have only the fields that
// machines/bootstrap writes. Whether the programs work is tested with machines/bootstrap, not here.
package machine

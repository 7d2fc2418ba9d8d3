package wine

// registry makes the machine a Windows Server 2022
// (https://learn.microsoft.com/en-us/windows-server/get-started/windows-server-release-info);
// by default Wine is a Windows 7. The kubelet also reads the machine's UUID and boot count,
// which Wine does not have (pkg/kubelet/winstats of Kubernetes).
const registry = `REGEDIT4

[HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion]
"CurrentMajorVersionNumber"=dword:0000000a
"CurrentMinorVersionNumber"=dword:00000000
"CurrentVersion"="6.3"
"CurrentBuild"="20348"
"CurrentBuildNumber"="20348"
"UBR"=dword:00000001
"ProductName"="Windows Server 2022 Datacenter"
"CSDVersion"=-

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\ProductOptions]
"ProductType"="ServerNT"

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Windows]
"CSDVersion"=dword:00000000

[HKEY_LOCAL_MACHINE\SYSTEM\HardwareConfig]
"LastConfig"="{00000000-0000-0000-0000-000000000001}"

[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management\PrefetchParameters]
"BootId"=dword:00000001
`

# Collects the logs and the state of a Windows node in one archive below C:\var\log, from
# where the kubelet serves it. If something cannot be read, problems.txt in the archive names
# it, and the script continues. The archive has no tokens, keys or kubeconfigs.

. (Join-Path $PSScriptRoot 'node.ps1')

# The archive has only the end of a longer file.
$MaxBytes = 32 * 1024 * 1024
$MaxMilliseconds = 60000
$EventsOfDays = 2
$Directory = 'C:\mixedkube\node-logs'
$Problems = Join-Path $Directory 'problems.txt'

# Files by their directory in the archive: the files of this project's bootstrap, and
# those of AKS nodes.
$Files = [ordered]@{
    'kubelet'    = @('C:\var\log\kubelet\*', 'C:\k\kubelet*.log')
    'containerd' = @('C:\var\log\containerd\*', 'C:\k\containerd*.log', 'C:\ProgramData\containerd\root\panic.log')
    'kube-proxy' = @('C:\k\kubeproxy*.log')
    'cni'        = @(
        'C:\etc\cni\net.d\*.conf', 'C:\etc\cni\net.d\*.conflist', 'C:\k\azurecni\netconf\*.conflist',
        'C:\k\azure-vnet*.log'
    )
    'bootstrap'  = @(
        'C:\mixedkube\log\*', 'C:\AzureData\CustomDataSetupScript.log', 'C:\WindowsAzure\Logs\Plugins\*\*\*.log'
    )
    'csi-proxy'  = @('C:\k\csi-proxy*.log')
    'windows'    = @('C:\Windows\Logs\CBS\CBS.log')
}

# The parts of a node that run as pods: kube-proxy, Antrea and others in kube-system, flannel
# and Calico in Namespaces of their own.
$NodePods = @('kube-system_*', 'kube-flannel_*', 'calico-system_*')

# Commands by the file with their output.
$Commands = [ordered]@{
    'system.txt'          = 'systeminfo'
    'services.txt'        = 'sc.exe queryex type= service state= all'
    'tasks.txt'           = 'schtasks.exe /query /fo list'
    'processes.txt'       = 'tasklist.exe'
    'addresses.txt'       = 'ipconfig.exe /all'
    'routes.txt'          = 'route.exe print'
    'connections.txt'     = 'netstat.exe -ano'
    'firewall.txt'        = 'netsh.exe advfirewall firewall show rule name=all'
    'ports-excluded.txt'  = 'netsh.exe interface ipv4 show excludedportrange protocol=tcp'
    'hns.txt'             = 'hnsdiag.exe list all'
    'compute-systems.txt' = 'hcsdiag.exe list'
    'switch-ports.txt'    = 'vfpctrl.exe /list-vmswitch-port'
    'containers.txt'      = '"C:\Program Files\containerd\ctr.exe" -n k8s.io containers list'
    'images.txt'          = '"C:\Program Files\containerd\ctr.exe" -n k8s.io images list'
}

# Add-Problem records what is missing in the archive.
function Add-Problem {
    param([string]$Message)
    Write-Log $Message
    [IO.File]::AppendAllText($Problems, $Message + "`r`n")
}

# Copy-End copies the end of a file that other processes may be writing.
function Copy-End {
    param([string]$From, [string]$To)
    $share = [IO.FileShare]::ReadWrite -bor [IO.FileShare]::Delete
    $source = New-Object IO.FileStream($From, [IO.FileMode]::Open, [IO.FileAccess]::Read, $share)
    try {
        if ($source.Length -gt $MaxBytes) {
            $null = $source.Seek(-$MaxBytes, [IO.SeekOrigin]::End)
        }
        $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $To)
        $target = [IO.File]::Create($To)
        try {
            $source.CopyTo($target)
        } finally {
            $target.Dispose()
        }
    } finally {
        $source.Dispose()
    }
}

# Save-File copies the files of a path with wildcards. A path without files is not a problem: it
# belongs to another kind of nodes.
function Save-File {
    param([string]$Name, [string]$Path)
    foreach ($item in @(Get-ChildItem -Path $Path -File -Force -ErrorAction SilentlyContinue)) {
        try {
            Copy-End $item.FullName (Join-Path (Join-Path $Directory $Name) $item.Name)
        } catch {
            Add-Problem "$($item.FullName) was not read: $_"
        }
    }
}

# Save-PodLog copies the logs of the containers of pods, with the directory of each below
# C:\var\log\pods.
function Save-PodLog {
    param([string]$Pods)
    $path = Join-Path 'C:\var\log\pods' $Pods
    foreach ($item in @(Get-ChildItem -Path $path -File -Recurse -Force -ErrorAction SilentlyContinue)) {
        try {
            Copy-End $item.FullName (Join-Path $Directory $item.FullName.Substring('C:\var\log\'.Length))
        } catch {
            Add-Problem "$($item.FullName) was not read: $_"
        }
    }
}

# Save-Output saves the output of a command, including its errors.
function Save-Output {
    param([string]$Name, [string]$Command)
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = Join-Path $env:SystemRoot 'System32\cmd.exe'
    # The shell removes the outermost quotes, and leaves the quotes of the command.
    $start.Arguments = "/d /s /c `"$Command >> $(Join-Path $Directory $Name) 2>&1`""
    $start.UseShellExecute = $false
    try {
        $process = [Diagnostics.Process]::Start($start)
        if (-not $process.WaitForExit($MaxMilliseconds)) {
            $process.Kill()
            Add-Problem "$Command did not end"
        } elseif ($process.ExitCode -ne 0) {
            Add-Problem "$Command ended with status $($process.ExitCode)"
        }
    } catch {
        Add-Problem "$Command did not start: $_"
    }
}

# Save-Hns saves the objects of the host networking service itself.
function Save-Hns {
    foreach ($kind in @('networks', 'endpoints', 'policylists')) {
        try {
            Save-Text (Join-Path $Directory "hns-$kind.json") ([MixedkubeHns]::Get("/$kind/"))
        } catch {
            Add-Problem "the host networking service does not list its ${kind}: $_"
        }
    }
}

# Save-Event exports the last days of the event logs of Windows and of its containers.
function Save-Event {
    $query = "*[System[TimeCreated[timediff(@SystemTime) <= $($EventsOfDays * 86400000)]]]"
    $wanted = '^(System|Application|Microsoft-Windows-(Hyper-V-Compute|Host-Network)[^/]*(-|/)(Admin|Operational))$'
    $logs = @(& (Join-Path $env:SystemRoot 'System32\wevtutil.exe') 'el') -match $wanted
    foreach ($log in $logs) {
        $file = Join-Path $Directory (($log -replace '[/ ]', '-') + '.evtx')
        Save-Output 'events.txt' "wevtutil.exe epl `"$log`" `"$file`" /q:`"$query`" /ow:true"
    }
}

# Protect-Directory gives access only to the system and the administrators: the archive has files
# of directories that other users must not open.
function Protect-Directory {
    param([string]$Path)
    $null = New-Item -ItemType Directory -Force -Path $Path
    $acl = New-Object Security.AccessControl.DirectorySecurity
    $acl.SetAccessRuleProtection($true, $false)
    foreach ($sid in @('S-1-5-18', 'S-1-5-32-544')) {
        $who = New-Object Security.Principal.SecurityIdentifier($sid)
        $rule = New-Object Security.AccessControl.FileSystemAccessRule(
            $who, 'FullControl', 'ContainerInherit, ObjectInherit', 'None', 'Allow')
        $acl.AddAccessRule($rule)
    }
    [IO.Directory]::SetAccessControl($Path, $acl)
}

$settings = Read-Json (Join-Path $PSScriptRoot 'settings.json')
if (Test-Path -LiteralPath $Directory) {
    Remove-Item -LiteralPath $Directory -Recurse -Force
}
Protect-Directory $Directory
Protect-Directory (Split-Path -Parent $settings.archive)
Save-Text $Problems ''

foreach ($name in $Files.Keys) {
    foreach ($path in $Files[$name]) {
        Save-File $name $path
    }
}
# kube-proxy and the network agents log as containers in these namespaces.
foreach ($pods in $(if ($settings.podLogs) { @('*') } else { $NodePods })) {
    Save-PodLog $pods
}
foreach ($name in $Commands.Keys) {
    Save-Output $name $Commands[$name]
}
Save-Hns
Save-Event

# The archive appears when it is complete.
Add-Type -AssemblyName 'System.IO.Compression.FileSystem'
$part = $settings.archive + '.part'
if (Test-Path -LiteralPath $part) {
    Remove-Item -LiteralPath $part -Force
}
$count = @(Get-ChildItem -LiteralPath $Directory -File -Recurse -Force).Count
[IO.Compression.ZipFile]::CreateFromDirectory($Directory, $part)
Move-Item -LiteralPath $part -Destination $settings.archive -Force
Remove-Item -LiteralPath $Directory -Recurse -Force
$bytes = (New-Object IO.FileInfo($settings.archive)).Length
Write-Log "$($settings.archive): $count files, $bytes bytes"

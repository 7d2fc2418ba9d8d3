# Turns a machine into a node: does the steps below in their order, each of which looks
# first whether it is done. It may be run as often as one likes.
#
# With -Register it only creates the task that runs it at every start of the machine, and
# starts that; the task continues after restarts, and is disabled when all is done.

param([switch]$Register)

. (Join-Path $PSScriptRoot 'common.ps1')
$LogFile = Join-Path $Root 'log\bootstrap.log'
$BootstrapTask = 'mixedkube-bootstrap'
$NetworkTask = 'mixedkube-network'
$DoneFile = Join-Path $Root 'done'

# A feature that is still missing after so many restarts will never be installed.
$MaxRestarts = 5

# All users, those of containers too.
$Users = 'S-1-5-32-545'

$VersionKey = 'HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Windows NT\CurrentVersion'

# What programs of the node and pods connect from. The default, 49152 to 65535, runs out
# with many Services; ports of Services on nodes end at 32767, and some of Windows' own are
# below 34000 (https://github.com/kubernetes-sigs/image-builder/pull/947).
$DynamicPorts = @('start=34000', 'num=31536')

# Lets pods resolve names of Active Directory for SMB, see
# https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/.
$NetworkingKey = 'HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\hns\State'
$CompartmentNamespace = 'EnableCompartmentNamespace'

# ---- directories -------------------------------------------------------------------------

%OWNER%

# Test-Access checks that only the owners can open a directory, or that the users can read it if
# they should. Its owner could change that at any time.
function Test-Access {
    param([string]$Path, [bool]$Readable)
    if (Test-Link $Path) {
        return $false
    }
    $acl = [IO.Directory]::GetAccessControl($Path)
    $owner = $acl.GetOwner([Security.Principal.SecurityIdentifier]).Value
    if ((-not $acl.AreAccessRulesProtected) -or ($Owners -notcontains $owner)) {
        return $false
    }
    $reads = [Security.AccessControl.FileSystemRights]'ReadAndExecute, Synchronize'
    $read = $false
    foreach ($rule in $acl.GetAccessRules($true, $true, [Security.Principal.SecurityIdentifier])) {
        $who = $rule.IdentityReference.Value
        if ($Owners -contains $who) {
            continue
        }
        if (($who -ne $Users) -or ($rule.FileSystemRights -ne $reads)) {
            return $false
        }
        $read = $true
    }
    return ($read -eq $Readable)
}

# Get-DirectoryAcl has everything for the owners, and nothing for anyone else; the users may
# read if the directory is readable.
function Get-DirectoryAcl {
    param([bool]$Readable)
    $acl = New-Object Security.AccessControl.DirectorySecurity
    Add-Owner $acl 'ContainerInherit, ObjectInherit'
    if ($Readable) {
        $account = New-Object Security.Principal.SecurityIdentifier($Users)
        $rule = New-Object Security.AccessControl.FileSystemAccessRule(
            $account, 'ReadAndExecute', 'ContainerInherit, ObjectInherit', 'None', 'Allow')
        $acl.AddAccessRule($rule)
    }
    return $acl
}

# Protect-Directory creates a directory that belongs to the owners immediately, or removes the access of
# all others to an existing one. It refuses a directory that another user has created, also above it, and
# files that other users have put into an open one.
function Protect-Directory {
    param([string]$Path, [bool]$Readable)
    $acl = Get-DirectoryAcl $Readable
    New-OwnedDirectory $Path $acl
    $wasPrivate = [IO.Directory]::GetAccessControl($Path).AreAccessRulesProtected
    [IO.Directory]::SetAccessControl($Path, $acl)
    if (-not $wasPrivate) {
        Confirm-Content $Path
    }
}

function Test-Directory {
    foreach ($directory in $Settings.directories) {
        if (-not (Test-Path -LiteralPath $directory.path -PathType Container)) {
            return $false
        }
        # It exists, so this creates nothing, and fails if another user has created it, or one above it.
        New-OwnedDirectory $directory.path $null
        $readable = $directory.access -eq 'readable'
        if (($directory.access -ne 'inherited') -and (-not (Test-Access $directory.path $readable))) {
            return $false
        }
    }
    foreach ($link in $Settings.links) {
        if (-not (Test-Path -LiteralPath $link.path)) {
            return $false
        }
    }
    return $true
}

function Set-Directory {
    foreach ($directory in $Settings.directories) {
        if ($directory.access -eq 'inherited') {
            New-OwnedDirectory $directory.path $null
        } else {
            Protect-Directory $directory.path ($directory.access -eq 'readable')
        }
    }
    foreach ($link in $Settings.links) {
        if (-not (Test-Path -LiteralPath $link.path)) {
            $null = New-Item -ItemType SymbolicLink -Path $link.path -Target $link.target
        }
    }
}

# ---- Windows itself -------------------------------------------------------------------

# Get-Revision is the last part of Windows' version: each update makes it greater.
function Get-Revision {
    return [Microsoft.Win32.Registry]::GetValue($VersionKey, 'UBR', 0)
}

# Test-Update reports whether Windows has the update that the network needs. On a machine of
# another release its revision says nothing.
function Test-Update {
    $least = $Settings.leastBuild
    return ([Environment]::OSVersion.Version.Build -ne $least.build) -or ((Get-Revision) -ge $least.revision)
}

function Wait-Update {
    $least = $Settings.leastBuild
    throw "the network of this cluster needs $($least.update) or a newer update, build " +
        "$($least.build).$($least.revision), and this is revision $(Get-Revision): install the updates of Windows"
}

function Test-System {
    $namespace = [Microsoft.Win32.Registry]::GetValue($NetworkingKey, $CompartmentNamespace, 0)
    return ($namespace -eq 1) -and ((Get-State 'dynamic-ports') -eq ($DynamicPorts -join ' '))
}

function Set-System {
    [Microsoft.Win32.Registry]::SetValue($NetworkingKey, $CompartmentNamespace, 1, 'DWord')
    Invoke-Native (Join-Path $System32 'netsh.exe') (@('int', 'ipv4', 'set', 'dynamicport', 'tcp') + $DynamicPorts)
    Save-State 'dynamic-ports' ($DynamicPorts -join ' ')
}

# Defender does not scan the files that these programs open: layers of images that it
# holds fail, and containers start late. Without Defender, or where a policy forbids it,
# the node works as well.
function Test-Defender {
    return (Get-State 'defender') -eq ($Settings.unscanned -join ';')
}

function Set-Defender {
    try {
        Add-MpPreference -ExclusionProcess $Settings.unscanned
    } catch {
        Write-Log "Defender takes no exclusions: $_"
    }
    Save-State 'defender' ($Settings.unscanned -join ';')
}

# ---- features of Windows --------------------------------------------------------------

function Test-Feature {
    foreach ($feature in $Settings.features) {
        if ((Get-WindowsFeature -Name $feature).InstallState -ne 'Installed') {
            return $false
        }
    }
    return $true
}

function Install-Feature {
    $result = Install-WindowsFeature -Name $Settings.features
    if (-not $result.Success) {
        throw "the features $($Settings.features -join ', ') could not be installed"
    }
    if ($result.RestartNeeded -ne 'No') {
        $script:RestartNeeded = $true
        return
    }
    # A feature that waits for a restart from before is not reported again.
    if (-not (Test-Feature)) {
        $script:RestartNeeded = $true
    }
}

# Restart-Node restarts the machine in a minute, so that what has started the task, an
# extension of a cloud for example, can report before. 1190: a restart is already scheduled.
function Restart-Node {
    $count = [int]('0' + (Get-State 'restarts')) + 1
    if ($count -gt $MaxRestarts) {
        throw "step features: not installed after $MaxRestarts restarts: see the log of Windows' setup, " +
            "C:\Windows\Logs\CBS\CBS.log; to try again, remove $(Join-Path $StateDirectory 'restarts')"
    }
    Save-State 'restarts' "$count"
    Write-Log 'the machine is restarted in a minute'
    $arguments = @('/r', '/t', '60', '/c', 'mixedkube: features of Windows were installed', '/d', 'p:2:4')
    Invoke-Native (Join-Path $System32 'shutdown.exe') $arguments -Success @(0, 1190)
}

# The service that routes, and speaks BGP, for networks without an overlay.
function Test-Routing {
    if (-not $Settings.routing) {
        return $true
    }
    return ((Get-State 'routing') -eq 'RoutingOnly') -and ((Get-ServiceState 'RemoteAccess') -eq 'Running')
}

function Install-Routing {
    if ((Get-State 'routing') -ne 'RoutingOnly') {
        $null = Install-RemoteAccess -VpnType RoutingOnly
        Save-State 'routing' 'RoutingOnly'
    }
    Set-Service -Name 'RemoteAccess' -StartupType Automatic
    Start-Service -Name 'RemoteAccess'
}

# ---- downloads ------------------------------------------------------------------------

# Enable-Tls lets downloads use TLS 1.2, which is not on by default in Windows PowerShell
# of 2019, and 1.3 where Windows has it (build 20348 and newer), and nothing older.
function Enable-Tls {
    $protocols = [Net.SecurityProtocolType]::Tls12
    if ([Environment]::OSVersion.Version.Build -ge 20348) {
        $protocols = $protocols -bor [Net.SecurityProtocolType]12288
    }
    [Net.ServicePointManager]::SecurityProtocol = $protocols
}

# Save-Download downloads a file to its destination only if it has its hash.
function Save-Download {
    param($Download, [string]$Path)
    $partial = "$Path.partial"
    Write-Log "$($Download.name) $($Download.version) is downloaded from $($Download.url)"
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $Path)
    Invoke-WithRetry $Download.name 5 10 {
        try {
            Invoke-WebRequest -UseBasicParsing -Uri $Download.url -OutFile $partial -TimeoutSec 600
            $hash = Get-Sha256 $partial
            if ($hash -ne $Download.sha256) {
                throw "the SHA-256 of what was downloaded is $hash, and should be $($Download.sha256)"
            }
        } catch {
            Remove-Item -LiteralPath $partial -Force -ErrorAction SilentlyContinue
            throw
        }
    }
    Move-Item -LiteralPath $partial -Destination $Path -Force
}

# Install-File moves a file into its place. A program that runs, in a container for example, can
# be neither replaced nor removed, but it can be renamed: the next start runs the new one.
function Install-File {
    param([string]$New, [string]$Path)
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $Path)
    $old = "$Path.$([DateTime]::UtcNow.Ticks).old"
    if (Test-Path -LiteralPath $Path) {
        Move-Item -LiteralPath $Path -Destination $old
    }
    Move-Item -LiteralPath $New -Destination $Path -Force
    Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
}

# Remove-OldFile removes what Install-File has renamed, unless it still runs.
function Remove-OldFile {
    $directories = @($Settings.archives | ForEach-Object { $_.into })
    $directories += @($Settings.programs | ForEach-Object { Split-Path -Parent $_.path })
    foreach ($path in $directories) {
        if (Test-Path -LiteralPath $path) {
            Get-ChildItem -LiteralPath $path -Recurse -Force -File -ErrorAction SilentlyContinue |
                Where-Object { $_.Name -match '\.\d{18,}\.old$' } |
                Remove-Item -Force -ErrorAction SilentlyContinue
        }
    }
}

function Test-Program {
    foreach ($program in $Settings.programs) {
        if ((Get-Sha256 $program.path) -ne $program.sha256) {
            return $false
        }
    }
    return $true
}

function Install-Program {
    foreach ($program in $Settings.programs) {
        if ((Get-Sha256 $program.path) -eq $program.sha256) {
            continue
        }
        $new = "$($program.path).new"
        if ((Get-Sha256 $new) -ne $program.sha256) {
            Save-Download $program $new
        }
        if ($program.service -ne '') {
            Stop-NodeService $program.service
        }
        Install-File $new $program.path
    }
}

# Test-Unpacked reports whether an archive was unpacked and its files still exist.
function Test-Unpacked {
    param($Archive)
    return ((Get-State $Archive.name) -eq $Archive.sha256) -and (Test-Path -LiteralPath $Archive.proof)
}

function Test-Archive {
    foreach ($archive in $Settings.archives) {
        if (-not (Test-Unpacked $archive)) {
            return $false
        }
    }
    return $true
}

# Expand-NodeArchive unpacks an archive into a directory in its own, so that the files are as
# private as that, and moves them from there: pods may run the old ones.
function Expand-NodeArchive {
    param($Archive)
    $unpacked = Join-Path $Archive.into 'mixedkube.new'
    if (Test-Path -LiteralPath $unpacked) {
        Remove-Item -LiteralPath $unpacked -Recurse -Force
    }
    $made = New-Item -ItemType Directory -Force -Path $unpacked
    $prefix = $made.FullName.Length + 1
    $arguments = @('-x', '-f', $Archive.path, '-C', $unpacked, "--strip-components=$($Archive.strip)")
    Invoke-Native (Join-Path $System32 'tar.exe') $arguments
    if ($Archive.service -ne '') {
        Stop-NodeService $Archive.service
    }
    foreach ($file in @(Get-ChildItem -LiteralPath $unpacked -Recurse -Force -File)) {
        Install-File $file.FullName (Join-Path $Archive.into $file.FullName.Substring($prefix))
    }
    Remove-Item -LiteralPath $unpacked -Recurse -Force
}

function Install-Archive {
    foreach ($archive in $Settings.archives) {
        if (Test-Unpacked $archive) {
            continue
        }
        if ((Get-Sha256 $archive.path) -ne $archive.sha256) {
            Save-Download $archive $archive.path
        }
        Expand-NodeArchive $archive
        if (-not (Test-Path -LiteralPath $archive.proof)) {
            throw "$($archive.name) has no $($archive.proof)"
        }
        Save-State $archive.name $archive.sha256
        Remove-Item -LiteralPath $archive.path -Force
    }
}

# Kubeadm looks for the kubelet in the path.
function Test-SearchPath {
    $machine = [Environment]::GetEnvironmentVariable('Path', 'Machine') -split ';'
    $process = $env:Path -split ';'
    foreach ($directory in $Settings.searchPath) {
        if (($machine -notcontains $directory) -or ($process -notcontains $directory)) {
            return $false
        }
    }
    return $true
}

function Add-SearchPath {
    foreach ($directory in $Settings.searchPath) {
        $machine = [Environment]::GetEnvironmentVariable('Path', 'Machine')
        if (($machine -split ';') -notcontains $directory) {
            [Environment]::SetEnvironmentVariable('Path', "$machine;$directory", 'Machine')
        }
        if (($env:Path -split ';') -notcontains $directory) {
            $env:Path = "$env:Path;$directory"
        }
    }
}

# ---- containerd -----------------------------------------------------------------------

# Test-Pipe reports whether a process listens at a named pipe.
function Test-Pipe {
    param([string]$Pipe)
    $client = New-Object IO.Pipes.NamedPipeClientStream('.', $Pipe)
    try {
        $client.Connect(1000)
        return $true
    } catch {
        return $false
    } finally {
        $client.Dispose()
    }
}

# Get-ContainerdState changes with everything that containerd reads at its start.
function Get-ContainerdState {
    return (Get-State 'containerd') + ' ' + (Get-Sha256 $Settings.containerd.config)
}

function Test-Containerd {
    $running = (Get-ServiceState 'containerd') -eq 'Running'
    $current = (Get-State 'containerd-service') -eq (Get-ContainerdState)
    return $running -and $current -and (Test-Pipe $Settings.containerd.pipe)
}

function Start-Containerd {
    $containerd = $Settings.containerd
    if ((Get-ServiceState 'containerd') -eq '') {
        Invoke-Native $containerd.program (@('--register-service') + @($containerd.arguments))
    }
    Set-ServiceRecovery 'containerd'
    Set-Service -Name 'containerd' -StartupType Automatic
    Stop-NodeService 'containerd'
    Start-Service -Name 'containerd'
    $listens = Wait-Condition 120 { Test-Pipe $containerd.pipe }
    if (-not $listens) {
        throw "containerd does not listen at $($containerd.pipe): see $($containerd.log)"
    }
    Save-State 'containerd-service' (Get-ContainerdState)
}

# Set-ServiceRecovery lets Windows start a service again, whether it has crashed or ended.
function Set-ServiceRecovery {
    param([string]$Name)
    $sc = Join-Path $System32 'sc.exe'
    Invoke-Native $sc @('failure', $Name, 'reset=', '3600', 'actions=', 'restart/10000/restart/10000/restart/60000')
    Invoke-Native $sc @('failureflag', $Name, '1')
}

# ---- firewall -------------------------------------------------------------------------

# Test-FirewallRule reports whether a rule opens a port.
function Test-FirewallRule {
    param($Wanted)
    $rule = Get-NetFirewallRule -Name $Wanted.name -ErrorAction SilentlyContinue
    if ($null -eq $rule) {
        return $false
    }
    $filter = $rule | Get-NetFirewallPortFilter
    $enabled = ($rule.Enabled -eq 'True') -and ($rule.Action -eq 'Allow') -and ($rule.Direction -eq 'Inbound')
    $port = ([string]$filter.LocalPort) -eq ([string]$Wanted.port)
    return $enabled -and $port -and ($filter.Protocol -eq $Wanted.protocol)
}

function Test-Firewall {
    foreach ($wanted in $Settings.firewall) {
        if (-not (Test-FirewallRule $wanted)) {
            return $false
        }
    }
    return $true
}

function Set-Firewall {
    foreach ($wanted in $Settings.firewall) {
        if (Test-FirewallRule $wanted) {
            continue
        }
        Remove-NetFirewallRule -Name $wanted.name -ErrorAction SilentlyContinue
        $null = New-NetFirewallRule -Name $wanted.name -DisplayName "mixedkube: $($wanted.why)" `
            -Direction Inbound -Action Allow -Protocol $wanted.protocol -LocalPort $wanted.port
    }
}

# ---- network --------------------------------------------------------------------------

# The network is checked in each run: a restart removes it. Where the
# network's own agents create it, the task only starts the kubelet: Windows itself tries that
# once, and gives up after 30 seconds, which may be too few for a machine that starts.
function Test-Network {
    $task = Get-ScheduledTask -TaskName $NetworkTask -ErrorAction SilentlyContinue
    return ($null -ne $task) -and (($null -eq $Settings.hns) -or $script:NetworkDone)
}

function Set-Network {
    if ($null -ne $Settings.hns) {
        & (Join-Path $Root 'network.ps1')
    }
    Register-NodeTask -Name $NetworkTask -Arguments (Join-Path $Root 'network.ps1 -StartKubelet')
    $script:NetworkDone = $true
}

# ---- kubelet --------------------------------------------------------------------------

# Get-KubeletCommand is what the service runs.
function Get-KubeletCommand {
    return "$PowerShell -NoProfile -NonInteractive -ExecutionPolicy Bypass -File " + (Join-Path $Root 'kubelet.ps1')
}

function Test-KubeletService {
    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name = 'kubelet'"
    if ($null -eq $service) {
        return $false
    }
    # WMI's Auto is called Automatic in other places.
    $mode = $service.StartMode -replace '^Auto$', 'Automatic'
    return ($service.PathName -eq (Get-KubeletCommand)) -and ($mode -eq $Settings.kubelet.startup)
}

function Register-KubeletService {
    $service = Get-CimInstance -ClassName Win32_Service -Filter "Name = 'kubelet'"
    if ($null -eq $service) {
        $null = New-Service -Name 'kubelet' -DisplayName 'kubelet' -BinaryPathName (Get-KubeletCommand) `
            -DependsOn 'containerd' -StartupType $Settings.kubelet.startup
    } else {
        $change = @{ PathName = (Get-KubeletCommand) }
        $result = Invoke-CimMethod -InputObject $service -MethodName Change -Arguments $change
        if ($result.ReturnValue -ne 0) {
            throw "the service kubelet cannot be changed: status $($result.ReturnValue)"
        }
        Set-Service -Name 'kubelet' -StartupType $Settings.kubelet.startup
    }
    Set-ServiceRecovery 'kubelet'
}

# Get-KubeletState changes with everything that the kubelet reads at its start.
function Get-KubeletState {
    $starter = Get-Sha256 (Join-Path $Root 'kubelet.ps1')
    $text = (Get-Sha256 $Settings.kubelet.program) + ' ' + ($Settings.kubelet.arguments -join ' ') + ' ' + $starter
    return Get-TextHash $text
}

function Test-Kubelet {
    return ((Get-ServiceState 'kubelet') -eq 'Running') -and ((Get-State 'kubelet-service') -eq (Get-KubeletState))
}

function Start-Kubelet {
    Stop-NodeService 'kubelet'
    Start-Service -Name 'kubelet'
    Save-State 'kubelet-service' (Get-KubeletState)
}

# ---- join -----------------------------------------------------------------------------

function Test-Join {
    return Test-Path -LiteralPath $Settings.join.kubeconfig
}

# Clear-Join removes what a join that failed has left: kubeadm refuses to begin otherwise.
function Clear-Join {
    Stop-NodeService 'kubelet'
    foreach ($path in $Settings.join.leftovers) {
        Remove-Item -LiteralPath $path -Force -ErrorAction SilentlyContinue
    }
}

# Join-Cluster lets kubeadm do it, which starts the service kubelet; that then gets its
# own certificate with the token. The token is in the file only.
function Join-Cluster {
    $join = $Settings.join
    if (-not (Test-Path -LiteralPath $join.config)) {
        throw "$($join.config) is gone, and the node has not joined: deliver its files again, with a new token"
    }
    Invoke-WithRetry 'kubeadm join' 3 30 {
        Clear-Join
        Invoke-Native $join.program @('join', '--config', $join.config)
    }
    if ((Get-ServiceState 'kubelet') -ne 'Running') {
        Start-Service -Name 'kubelet'
    }
    $joined = Wait-Condition 300 { Test-Join }
    if (-not $joined) {
        throw "the kubelet has got no certificate: see $($Settings.kubelet.log.path)"
    }
    Save-State 'kubelet-service' (Get-KubeletState)
}

# The secrets of the join are of no use after it.
function Test-Secret {
    foreach ($path in $Settings.join.secrets) {
        if (Test-Path -LiteralPath $path) {
            return $false
        }
    }
    return $true
}

function Remove-Secret {
    foreach ($path in $Settings.join.secrets) {
        Remove-Item -LiteralPath $path -Force -ErrorAction SilentlyContinue
    }
}

# ---- all of it ------------------------------------------------------------------------

# Get-Step lists the steps in their order.
function Get-Step {
    @{ Name = 'directories'; Test = { Test-Directory }; Set = { Set-Directory } }
    @{ Name = 'update'; Test = { Test-Update }; Set = { Wait-Update } }
    @{ Name = 'features'; Test = { Test-Feature }; Set = { Install-Feature } }
    @{ Name = 'system'; Test = { Test-System }; Set = { Set-System } }
    @{ Name = 'defender'; Test = { Test-Defender }; Set = { Set-Defender } }
    @{ Name = 'routing'; Test = { Test-Routing }; Set = { Install-Routing } }
    @{ Name = 'archives'; Test = { Test-Archive }; Set = { Install-Archive } }
    @{ Name = 'programs'; Test = { Test-Program }; Set = { Install-Program } }
    @{ Name = 'search path'; Test = { Test-SearchPath }; Set = { Add-SearchPath } }
    @{ Name = 'firewall'; Test = { Test-Firewall }; Set = { Set-Firewall } }
    @{ Name = 'containerd'; Test = { Test-Containerd }; Set = { Start-Containerd } }
    @{ Name = 'network'; Test = { Test-Network }; Set = { Set-Network } }
    @{ Name = 'kubelet service'; Test = { Test-KubeletService }; Set = { Register-KubeletService } }
    @{ Name = 'join'; Test = { Test-Join }; Set = { Join-Cluster } }
    @{ Name = 'kubelet'; Test = { Test-Kubelet }; Set = { Start-Kubelet } }
    @{ Name = 'secrets'; Test = { Test-Secret }; Set = { Remove-Secret } }
}

# Invoke-Step does a step unless it is done, and then checks the result.
function Invoke-Step {
    param($Step)
    try {
        if (& $Step.Test) {
            Write-Log "$($Step.Name): nothing to do"
            return
        }
        Write-Log "$($Step.Name): begins"
        & $Step.Set
        if ($script:RestartNeeded) {
            return
        }
        if (-not (& $Step.Test)) {
            throw 'it was done, but has had no effect'
        }
        Write-Log "$($Step.Name): done"
    } catch {
        throw "step $($Step.Name): $_"
    }
}

# Get-Done is the hash of everything that the steps read.
function Get-Done {
    $lines = @($SettingsFile) + @($Settings.files) | ForEach-Object { "$(Get-Sha256 $_)  $_" }
    return Get-TextHash ($lines -join "`n")
}

function Test-Done {
    return (Test-Path -LiteralPath $DoneFile) -and ([IO.File]::ReadAllText($DoneFile).Trim() -eq (Get-Done))
}

# Complete-Bootstrap remembers that all is done, and that the task need not run again. If
# other files have come meanwhile, it does: what was done is what there was at the beginning.
function Complete-Bootstrap {
    param([string]$Done)
    [IO.File]::WriteAllText($DoneFile, $Done + "`r`n")
    Save-State 'restarts' '0'
    if (Test-Done) {
        Disable-BootstrapTask
        Write-Log "the node $($Settings.node.name) is complete"
    } else {
        Write-Log 'there are other files than at the beginning: they are looked at in a quarter of an hour'
    }
}

# Enable-BootstrapTask creates the task, even if the script is run by hand, so that it continues
# after a restart.
function Enable-BootstrapTask {
    $task = Get-ScheduledTask -TaskName $BootstrapTask -ErrorAction SilentlyContinue
    if (($null -eq $task) -or ($task.State -eq 'Disabled')) {
        Register-NodeTask -Name $BootstrapTask -Arguments (Join-Path $Root 'bootstrap.ps1')
    }
}

function Disable-BootstrapTask {
    if ($null -ne (Get-ScheduledTask -TaskName $BootstrapTask -ErrorAction SilentlyContinue)) {
        $null = Disable-ScheduledTask -TaskName $BootstrapTask
    }
}

# Invoke-Bootstrap does the remaining steps.
function Invoke-Bootstrap {
    Remove-OldFile
    if (Test-Done) {
        Write-Log "the node $($Settings.node.name) is complete already"
        # The same files with a new token may have been delivered.
        if (Test-Join) {
            Remove-Secret
        }
        Disable-BootstrapTask
        return
    }
    Write-Log "the node $($Settings.node.name) is set up, with Kubernetes $($Settings.node.kubernetes)"
    if ($env:COMPUTERNAME -ne $Settings.node.name) {
        Write-Log "the machine itself is called ${env:COMPUTERNAME}: Kubernetes will not use that name"
    }
    Enable-BootstrapTask
    Enable-Tls
    $done = Get-Done
    foreach ($step in Get-Step) {
        Invoke-Step $step
        if ($script:RestartNeeded) {
            Restart-Node
            return
        }
    }
    Complete-Bootstrap $done
}

$script:RestartNeeded = $false
$script:NetworkDone = $false
try {
    if ($Register) {
        Enable-BootstrapTask
        Start-ScheduledTask -TaskName $BootstrapTask
        exit 0
    }
    Invoke-Exclusive {
        $Settings = Read-Settings
        Invoke-Bootstrap
    }
} catch {
    Write-Log "failed, and is tried again in a quarter of an hour or at the next start: $_"
    exit 1
}

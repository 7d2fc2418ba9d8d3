# What the scripts of a node share. All of them are the same text on every node; what
# differs is data, in node.json and in the files of configuration.

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$Root = 'C:\mixedkube'
$SettingsFile = Join-Path $Root 'node.json'
$StateDirectory = Join-Path $Root 'state'
$LockFile = Join-Path $Root 'lock'
$System32 = Join-Path $env:SystemRoot 'System32'
# Where programs are run: kubeadm writes to /var/lib/kubelet of the current drive.
$DriveRoot = "$env:SystemDrive\"
$PowerShell = Join-Path $System32 'WindowsPowerShell\v1.0\powershell.exe'

# A bootstrap token, as https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/ has it.
$TokenFormat = '[a-z0-9]{6}\.[a-z0-9]{16}'

# Write-Log appends a line to the log of the running script, without any token.
function Write-Log {
    param([string]$Message)
    $time = [DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ')
    $line = $time + ' ' + ($Message -creplace $TokenFormat, '<token>')
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $LogFile)
    [IO.File]::AppendAllText($LogFile, $line + "`r`n")
}

# Read-Settings reads the data of this node.
function Read-Settings {
    return ConvertFrom-Json ([IO.File]::ReadAllText($SettingsFile, [Text.Encoding]::UTF8))
}

# Get-Property is the value of a property that an object may lack, which is an error in
# strict mode.
function Get-Property {
    param($Object, [string]$Name)
    if ($null -eq $Object) {
        return $null
    }
    $property = $Object.PSObject.Properties[$Name]
    if ($null -eq $property) {
        return $null
    }
    return $property.Value
}

# Get-TextHash is the SHA-256 of a text, in hex.
function Get-TextHash {
    param([string]$Text)
    $algorithm = [Security.Cryptography.SHA256]::Create()
    try {
        $hash = $algorithm.ComputeHash([Text.Encoding]::UTF8.GetBytes($Text))
    } finally {
        $algorithm.Dispose()
    }
    return [BitConverter]::ToString($hash).Replace('-', '').ToLowerInvariant()
}

# Get-Sha256 is the SHA-256 of a file, in hex; empty if there is none.
function Get-Sha256 {
    param([string]$Path)
    if (-not (Test-Path -LiteralPath $Path -PathType Leaf)) {
        return ''
    }
    return (Get-FileHash -LiteralPath $Path -Algorithm SHA256).Hash.ToLowerInvariant()
}

# Get-State is what Save-State has written under a name.
function Get-State {
    param([string]$Name)
    $path = Join-Path $StateDirectory $Name
    if (-not (Test-Path -LiteralPath $path)) {
        return ''
    }
    return [IO.File]::ReadAllText($path)
}

# Save-State remembers what was applied, to see later whether it has changed.
function Save-State {
    param([string]$Name, [string]$Value)
    $null = New-Item -ItemType Directory -Force -Path $StateDirectory
    [IO.File]::WriteAllText((Join-Path $StateDirectory $Name), $Value)
}

# ConvertTo-NativeArgument quotes an argument as programs read it
# (https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments).
function ConvertTo-NativeArgument {
    param([string]$Value)
    if (($Value -ne '') -and ($Value -notmatch '[\s"]')) {
        return $Value
    }
    $escaped = [regex]::Replace($Value, '(\\*)"', '$1$1\"')
    $escaped = [regex]::Replace($escaped, '(\\+)$', '$1$1')
    return '"' + $escaped + '"'
}

# Join-NativeArgument is the command line of several arguments.
function Join-NativeArgument {
    param([string[]]$Values)
    $quoted = @($Values | ForEach-Object { ConvertTo-NativeArgument $_ })
    return $quoted -join ' '
}

# Invoke-Native runs a program, logs what it says, and fails if it fails. PowerShell's
# own call operator would make each line of the error stream an error.
function Invoke-Native {
    param([string]$Program, [string[]]$Arguments, [int]$TimeoutSeconds = 900, [int[]]$Success = @(0))
    $name = Split-Path -Leaf $Program
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = $Program
    $start.Arguments = Join-NativeArgument $Arguments
    $start.WorkingDirectory = $DriveRoot
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $process = [Diagnostics.Process]::Start($start)
    $output = $process.StandardOutput.ReadToEndAsync()
    $errors = $process.StandardError.ReadToEndAsync()
    if (-not $process.WaitForExit($TimeoutSeconds * 1000)) {
        $process.Kill()
        throw "$name has not ended after $TimeoutSeconds seconds"
    }
    foreach ($line in ($output.Result + $errors.Result) -split "`r?`n") {
        if ($line.Trim() -ne '') {
            Write-Log "  ${name}: $line"
        }
    }
    if ($Success -notcontains $process.ExitCode) {
        throw "$name has ended with status $($process.ExitCode)"
    }
}

# Invoke-WithRetry runs an action until it succeeds, with longer and longer waits.
function Invoke-WithRetry {
    param([string]$Name, [int]$Attempts, [int]$WaitSeconds, [scriptblock]$Action)
    for ($attempt = 1; $attempt -le $Attempts; $attempt++) {
        try {
            & $Action
            return
        } catch {
            Write-Log "${Name}: attempt $attempt of $Attempts has failed: $_"
            if ($attempt -eq $Attempts) {
                throw
            }
        }
        Start-Sleep -Seconds $WaitSeconds
        $WaitSeconds = $WaitSeconds * 2
    }
}

# Wait-Condition waits until a condition holds, and reports whether it does.
function Wait-Condition {
    param([int]$TimeoutSeconds, [scriptblock]$Condition)
    $end = [DateTime]::UtcNow.AddSeconds($TimeoutSeconds)
    while (-not (& $Condition)) {
        if ([DateTime]::UtcNow -gt $end) {
            return $false
        }
        Start-Sleep -Seconds 2
    }
    return $true
}

# Open-Lock opens a file that only one script can have open, and waits for that. Windows
# closes it when the script ends. It is in the node's own directory: every user could hold a
# mutex with a name.
function Open-Lock {
    while ($true) {
        try {
            return [IO.File]::Open(
                $LockFile, [IO.FileMode]::OpenOrCreate, [IO.FileAccess]::ReadWrite, [IO.FileShare]::None)
        } catch [IO.IOException] {
            Start-Sleep -Seconds 1
        }
    }
}

# Invoke-Exclusive runs an action while no other script of the node does.
function Invoke-Exclusive {
    param([scriptblock]$Action)
    $lock = Open-Lock
    try {
        & $Action
    } finally {
        $lock.Dispose()
    }
}

# Get-ServiceState is the state of a service, empty if there is no such service.
function Get-ServiceState {
    param([string]$Name)
    $service = Get-Service -Name $Name -ErrorAction SilentlyContinue
    if ($null -eq $service) {
        return ''
    }
    return [string]$service.Status
}

# Stop-NodeService stops a service and those that depend on it, if it exists.
function Stop-NodeService {
    param([string]$Name)
    $state = Get-ServiceState $Name
    if (($state -ne '') -and ($state -ne 'Stopped')) {
        Write-Log "the service $Name is stopped"
        Stop-Service -Name $Name -Force
    }
}

# Register-NodeTask makes a script run as the system at every start of the machine, and
# every 15 minutes, because it may fail.
function Register-NodeTask {
    param([string]$Name, [string]$Arguments)
    $line = "-NoProfile -NonInteractive -ExecutionPolicy Bypass -File $Arguments"
    $action = New-ScheduledTaskAction -Execute $PowerShell -Argument $line
    $again = New-ScheduledTaskTrigger -Once -At (Get-Date).AddMinutes(15) -RepetitionInterval (New-TimeSpan -Minutes 15)
    $triggers = @((New-ScheduledTaskTrigger -AtStartup), $again)
    $principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
    $limits = New-ScheduledTaskSettingsSet -MultipleInstances IgnoreNew -ExecutionTimeLimit (New-TimeSpan -Hours 4) `
        -StartWhenAvailable -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
    $null = Register-ScheduledTask -TaskName $Name -Action $action -Trigger $triggers -Principal $principal `
        -Settings $limits -Force
}

# Runs the kubelet, as the program of the Windows service "kubelet".
#
# The kubelet speaks with the service control manager itself (--windows-service), which
# accepts that from a child of the process that it has started: Kubernetes' own nodes on
# Google's cloud run kube-log-runner.exe in this place (cluster/gce/windows in the
# repository of Kubernetes). Like that, this script keeps the log, which the kubelet
# writes to its error stream only, and a service would lose. It also reads the arguments
# from kubeadm at each start, as the kubelet's systemd unit does on Linux.

. (Join-Path $PSScriptRoot 'common.ps1')
$LogFile = Join-Path $Root 'log\kubelet-service.log'

# Read-KubeadmArgument reads KUBELET_KUBEADM_ARGS="...", which kubeadm writes quoted as Go
# does; it may be empty. No flag of it has blanks in its value.
function Read-KubeadmArgument {
    param([string]$Path)
    if (-not (Test-Path -LiteralPath $Path)) {
        return
    }
    foreach ($line in [IO.File]::ReadAllLines($Path)) {
        if ($line -match '^KUBELET_KUBEADM_ARGS="(.*)"\s*$') {
            $text = [regex]::Replace($Matches[1], '\\(.)', '$1')
            $text -split '\s+' | Where-Object { $_ -ne '' }
        }
    }
}

# Move-Log makes room for a new log, keeps the last ones, and reports whether it could. The log
# itself is first: if it stays, the older ones stay too.
function Move-Log {
    param([string]$Path, [int]$Keep)
    try {
        Move-Item -LiteralPath $Path -Destination "$Path.0" -Force
        for ($i = $Keep - 1; $i -ge 0; $i--) {
            if (Test-Path -LiteralPath "$Path.$i") {
                Move-Item -LiteralPath "$Path.$i" -Destination "$Path.$($i + 1)" -Force
            }
        }
        return $true
    } catch {
        return $false
    }
}

# Open-Log opens the log so that others can read it meanwhile.
function Open-Log {
    param([string]$Path)
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $Path)
    $stream = New-Object IO.FileStream($Path, [IO.FileMode]::Append, [IO.FileAccess]::Write, [IO.FileShare]::ReadWrite)
    $writer = New-Object IO.StreamWriter($stream, (New-Object Text.UTF8Encoding($false)))
    $writer.AutoFlush = $true
    return $writer
}

# Close-Log closes it. A full disk can fail that, and then there is no log to report it.
function Close-Log {
    param($Writer)
    try {
        if ($null -ne $Writer) {
            $Writer.Dispose()
        }
    } catch {
        $null = $_
    }
}

# Save-Output writes what a program says into its log until it ends. Whatever happens to the
# log, it continues to read: otherwise the program would wait forever. A log that cannot be
# moved, because a process holds it open, grows by its size again before the next attempt.
function Save-Output {
    param([IO.StreamReader]$Reader, $Log)
    $writer = $null
    $limit = $Log.maxBytes
    while ($null -ne ($line = $Reader.ReadLine())) {
        try {
            if ($null -eq $writer) {
                $writer = Open-Log $Log.path
            }
            $length = $writer.BaseStream.Length
            if ($length -gt $limit) {
                Close-Log $writer
                $writer = $null
                $limit = $length + $Log.maxBytes
                if (Move-Log $Log.path $Log.keep) {
                    $limit = $Log.maxBytes
                }
                $writer = Open-Log $Log.path
            }
            $writer.WriteLine($line)
        } catch {
            Close-Log $writer
            $writer = $null
        }
    }
    Close-Log $writer
}

# Start-Kubelet runs the kubelet until it ends, and gives its exit status.
function Start-Kubelet {
    param($Kubelet)
    $arguments = @($Kubelet.arguments) + @(Read-KubeadmArgument $Kubelet.kubeadmFlags)
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = $Kubelet.program
    $start.Arguments = Join-NativeArgument $arguments
    $start.WorkingDirectory = $DriveRoot
    $start.UseShellExecute = $false
    $start.RedirectStandardError = $true
    $start.StandardErrorEncoding = [Text.Encoding]::UTF8
    $process = [Diagnostics.Process]::Start($start)
    Save-Output $process.StandardError $Kubelet.log
    $process.WaitForExit()
    return $process.ExitCode
}

try {
    $settings = Read-Settings
    $status = Start-Kubelet $settings.kubelet
} catch {
    Write-Log "the kubelet could not be run: $_"
    $status = 1
}
exit $status

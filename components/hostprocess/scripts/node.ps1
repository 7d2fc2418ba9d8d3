# What the scripts of host-process containers share. They run in Windows PowerShell 5.1,
# which all releases of Windows Server have, and are the same text in every cluster: what
# differs is data, in the JSON files beside them.

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# The host networking service's own interface. The PowerShell modules for it differ
# between releases of Windows; this function is in all of them.
$HnsSource = @'
using System;
using System.Runtime.InteropServices;

public static class MixedkubeHns
{
    [DllImport("vmcompute.dll", EntryPoint = "HNSCall", CharSet = CharSet.Unicode, ExactSpelling = true)]
    private static extern int HNSCall(string method, string path, string request, out IntPtr response);

    public static string Get(string path)
    {
        IntPtr response;
        int status = HNSCall("GET", path, "", out response);
        if (status < 0)
        {
            Marshal.ThrowExceptionForHR(status);
        }
        if (response == IntPtr.Zero)
        {
            return "";
        }
        try
        {
            return Marshal.PtrToStringUni(response);
        }
        finally
        {
            Marshal.FreeCoTaskMem(response);
        }
    }
}
'@
Add-Type -TypeDefinition $HnsSource

# Write-Log writes a line to the log of the container.
function Write-Log {
    param([string]$Message)
    [Console]::Out.WriteLine([DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ') + ' ' + $Message)
}

# Read-Json reads a file of JSON.
function Read-Json {
    param([string]$Path)
    return ConvertFrom-Json ([IO.File]::ReadAllText($Path, [Text.Encoding]::UTF8))
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

# Find-HnsObject finds a network or an endpoint by its name.
function Find-HnsObject {
    param([string]$Path, [string]$Name)
    $text = [MixedkubeHns]::Get($Path)
    if ($text -eq '') {
        return
    }
    $response = ConvertFrom-Json $text
    if (-not (Get-Property $response 'Success')) {
        throw "the host networking service does not answer ${Path}: $(Get-Property $response 'Error')"
    }
    foreach ($item in @(Get-Property $response 'Output')) {
        if ((Get-Property $item 'Name') -ceq $Name) {
            return $item
        }
    }
}

# Wait-HnsObject waits for a network or an endpoint. After ten minutes it fails, so that
# the restarts of the container show that something is missing. It fails at once if the
# process that creates it has ended.
function Wait-HnsObject {
    param([string]$Path, [string]$Name, $Maker)
    $end = [DateTime]::UtcNow.AddMinutes(10)
    $found = Find-HnsObject $Path $Name
    if ($null -eq $found) {
        Write-Log "waiting for $Name in $Path of the host networking service"
    }
    while ($null -eq $found) {
        if ([DateTime]::UtcNow -gt $end) {
            throw "the host networking service has no $Name in ${Path}: is the agent of the pod network " +
                'running on this node?'
        }
        if (($null -ne $Maker) -and $Maker.HasExited) {
            throw "the process that creates $Name has ended with status $($Maker.ExitCode)"
        }
        Start-Sleep -Seconds 2
        $found = Find-HnsObject $Path $Name
    }
    return $found
}

# Find-Program is the path of a program of the node, which must exist.
function Find-Program {
    param([string]$Program)
    if (-not (Test-Path -LiteralPath $Program -PathType Leaf)) {
        throw "this node has no $Program, which its bootstrap should have downloaded"
    }
    return $Program
}

# Get-ProgramVersion is the minor version of a program of Kubernetes, 1.36 of one that says
# "Kubernetes v1.36.3".
function Get-ProgramVersion {
    param([string]$Program)
    $text = [string](& (Find-Program $Program) '--version')
    if ($text -notmatch '^Kubernetes v(\d+\.\d+)\.') {
        throw "$Program does not say its version: $text"
    }
    return [Version]$Matches[1]
}

# Start-Program starts a program of the node, whose output is that of the container. The
# arguments must have no spaces.
function Start-Program {
    param([string]$Program, [string[]]$Arguments)
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = Find-Program $Program
    $start.Arguments = $Arguments -join ' '
    $start.UseShellExecute = $false
    Write-Log "$Program $($start.Arguments)"
    return [Diagnostics.Process]::Start($start)
}

# Save-Text writes a file, and its directory. Directories below C:\mixedkube are for the system
# and the administrators only.
function Save-Text {
    param([string]$Path, [string]$Text)
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $Path)
    [IO.File]::WriteAllText($Path, $Text)
}

# Writes the files of a node and starts the task that makes the node of them. It neither
# waits nor restarts, so that an extension of a cloud can run it; it may be run again,
# with the same files or with new ones.

# More files, in the form of those below: what must not be where this script is.
param([string]$More = '')

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

# The files, in JSON, compressed, in base64: the only part of this script that differs.
$Payload = '%PAYLOAD%'

$Root = 'C:\mixedkube'
$Owners = @('S-1-5-18', 'S-1-5-32-544')
$PowerShell = Join-Path $env:SystemRoot 'System32\WindowsPowerShell\v1.0\powershell.exe'

# Expand-Payload gives the files.
function Expand-Payload {
    param([string]$Text)
    $memory = New-Object IO.MemoryStream(, [Convert]::FromBase64String($Text))
    $gzip = New-Object IO.Compression.GZipStream($memory, [IO.Compression.CompressionMode]::Decompress)
    $reader = New-Object IO.StreamReader($gzip, (New-Object Text.UTF8Encoding($false)))
    try {
        return (ConvertFrom-Json $reader.ReadToEnd()).files
    } finally {
        $reader.Dispose()
    }
}

# Add-Owner gives everything about a file or folder to the system and the administrators,
# and nothing to anybody else.
function Add-Owner {
    param($Acl, [string]$Inheritance)
    $Acl.SetAccessRuleProtection($true, $false)
    $Acl.SetOwner((New-Object Security.Principal.SecurityIdentifier('S-1-5-32-544')))
    foreach ($owner in $Owners) {
        $account = New-Object Security.Principal.SecurityIdentifier($owner)
        $Acl.AddAccessRule((New-Object Security.AccessControl.FileSystemAccessRule(
            $account, 'FullControl', $Inheritance, 'None', 'Allow')))
    }
}

# New-PrivateFolder makes the folder, and takes it from whoever has made it before: every
# user may make folders at the top of the disk.
function New-PrivateFolder {
    param([string]$Path)
    $folder = New-Item -ItemType Directory -Force -Path $Path
    if ($folder.Attributes -band [IO.FileAttributes]::ReparsePoint) {
        throw "$Path leads elsewhere"
    }
    $acl = New-Object Security.AccessControl.DirectorySecurity
    Add-Owner $acl 'ContainerInherit, ObjectInherit'
    [IO.Directory]::SetAccessControl($Path, $acl)
}

# Save-NodeFile writes a file beside its place first, so that it is there as a whole or
# not at all, and protects a secret before it is in it.
function Save-NodeFile {
    param($File)
    $temporary = "$($File.path).new"
    $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $File.path)
    [IO.File]::WriteAllText($temporary, '')
    if ($File.secret) {
        $acl = New-Object Security.AccessControl.FileSecurity
        Add-Owner $acl 'None'
        [IO.File]::SetAccessControl($temporary, $acl)
    }
    [IO.File]::WriteAllText($temporary, $File.content, (New-Object Text.UTF8Encoding($false)))
    Move-Item -LiteralPath $temporary -Destination $File.path -Force
}

New-PrivateFolder $Root
foreach ($text in @($Payload, $More)) {
    if ($text -ne '') {
        foreach ($file in Expand-Payload $text) {
            Save-NodeFile $file
        }
    }
}
& $PowerShell -NoProfile -NonInteractive -ExecutionPolicy Bypass -File (Join-Path $Root 'bootstrap.ps1') -Register
exit $LASTEXITCODE

# Writes the files of a node and starts the task that sets up the node from them. It neither
# waits nor restarts, so that an extension of a cloud can run it; it may be run again,
# with the same files or with new ones.

# More files, encrypted with a key that is among those below: what must not be where this
# script is. Between dots are a version, the ciphertext in base64, and the HMAC-SHA256 of
# both in hex. The plaintext has the form of those below.
param([string]$More = '')

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'

# The files, in JSON, compressed, in base64: the only part of this script that differs.
$Payload = '%PAYLOAD%'

$Root = 'C:\mixedkube'
$PowerShell = Join-Path $env:SystemRoot 'System32\WindowsPowerShell\v1.0\powershell.exe'

# The file with the key. It is not written: what runs this script with more files has it.
$KeyFile = 'C:/mixedkube/payload.key'

# Where Windows keeps this script in Azure.
$CustomData = 'C:\AzureData\CustomData.bin'

# Expand-Payload gives the files.
function Expand-Payload {
    param([byte[]]$Bytes)
    $memory = New-Object IO.MemoryStream(, $Bytes)
    $gzip = New-Object IO.Compression.GZipStream($memory, [IO.Compression.CompressionMode]::Decompress)
    $reader = New-Object IO.StreamReader($gzip, (New-Object Text.UTF8Encoding($false)))
    try {
        return (ConvertFrom-Json $reader.ReadToEnd()).files
    } finally {
        $reader.Dispose()
    }
}

# Get-PayloadKey is the content of the file with the key, which is among those of the script.
function Get-PayloadKey {
    param($Files)
    foreach ($file in $Files) {
        if ($file.path -eq $KeyFile) {
            return $file.content
        }
    }
    throw "this script has no $KeyFile, which more files could be decrypted with"
}

# Unprotect-Payload decrypts what was encrypted with the key: a line has the passphrase of
# the cipher, the next that of the HMAC. .NET Framework 4.7.2, which Windows Server 2019
# has, is the first to derive keys with SHA-256 (Rfc2898DeriveBytes). The salt is the second
# half of the first block, as openssl writes it.
function Unprotect-Payload {
    param([string]$Text, [string]$Key)
    $keys = $Key.Split("`n")
    $parts = $Text.Split('.')
    if (($parts.Length -ne 3) -or ($parts[0] -cne 'v1')) {
        throw 'the payload of the command is not of version v1'
    }
    $hmac = New-Object Security.Cryptography.HMACSHA256(, [Text.Encoding]::ASCII.GetBytes($keys[1]))
    $digest = $hmac.ComputeHash([Text.Encoding]::ASCII.GetBytes($parts[0] + '.' + $parts[1]))
    if ([BitConverter]::ToString($digest).Replace('-', '').ToLowerInvariant() -cne $parts[2]) {
        throw ("the payload of the command was not encrypted with this machine's key, or it was changed: nothing " +
            'is written; a machine keeps the customData that it was created with, so create it again')
    }
    $data = [Convert]::FromBase64String($parts[1])
    $salt = [byte[]]$data[8..15]
    $maker = New-Object Security.Cryptography.Rfc2898DeriveBytes(
        $keys[0], $salt, 10000, [Security.Cryptography.HashAlgorithmName]::SHA256)
    $derived = $maker.GetBytes(48)
    # CBC, with the padding of PKCS #7.
    $aes = [Security.Cryptography.Aes]::Create()
    $aes.Key = [byte[]]$derived[0..31]
    $aes.IV = [byte[]]$derived[32..47]
    $plain = $aes.CreateDecryptor().TransformFinalBlock($data, 16, $data.Length - 16)
    return , $plain
}

%OWNER%

# New-PrivateDirectory creates a directory, and those above it, for the system and the administrators
# alone.
function New-PrivateDirectory {
    param([string]$Path)
    $acl = New-Object Security.AccessControl.DirectorySecurity
    Add-Owner $acl 'ContainerInherit, ObjectInherit'
    New-OwnedDirectory $Path $acl
}

# Protect-Root takes the directory of the node away from everyone else, where it was created with
# the rights of the disk: what others may have put into it is refused.
function Protect-Root {
    New-PrivateDirectory $Root
    $acl = [IO.Directory]::GetAccessControl($Root)
    if (-not $acl.AreAccessRulesProtected) {
        $acl = New-Object Security.AccessControl.DirectorySecurity
        Add-Owner $acl 'ContainerInherit, ObjectInherit'
        [IO.Directory]::SetAccessControl($Root, $acl)
        Confirm-Content $Root
    }
}

# Save-NodeFile first writes a file next to its place, so that it is complete or missing. The
# file is a new one, which no process has open, and a secret is protected immediately.
function Save-NodeFile {
    param($File)
    $temporary = "$($File.path).new"
    New-PrivateDirectory (Split-Path -Parent $File.path)
    $acl = $null
    if ($File.secret) {
        $acl = New-Object Security.AccessControl.FileSecurity
        Add-Owner $acl 'None'
    }
    # A file that an interrupted attempt has left.
    [IO.File]::Delete($temporary)
    $stream = New-Object IO.FileStream($temporary, [IO.FileMode]::CreateNew,
        [Security.AccessControl.FileSystemRights]::Write, [IO.FileShare]::None, 4096, [IO.FileOptions]::None, $acl)
    try {
        $bytes = (New-Object Text.UTF8Encoding($false)).GetBytes($File.content)
        $stream.Write($bytes, 0, $bytes.Length)
    } finally {
        $stream.Dispose()
    }
    Move-Item -LiteralPath $temporary -Destination $File.path -Force
}

# Protect-CustomData takes this script, with its key, away from the users of the machine.
function Protect-CustomData {
    if ([IO.File]::Exists($CustomData)) {
        $acl = New-Object Security.AccessControl.FileSecurity
        Add-Owner $acl 'None'
        [IO.File]::SetAccessControl($CustomData, $acl)
    }
}

$files = @(Expand-Payload ([Convert]::FromBase64String($Payload)))
if ($More -ne '') {
    Protect-CustomData
    $files += @(Expand-Payload (Unprotect-Payload $More (Get-PayloadKey $files)))
}
Protect-Root
foreach ($file in $files) {
    if ($file.path -ne $KeyFile) {
        Save-NodeFile $file
    }
}
& $PowerShell -NoProfile -NonInteractive -ExecutionPolicy Bypass -File (Join-Path $Root 'bootstrap.ps1') -Register
exit $LASTEXITCODE

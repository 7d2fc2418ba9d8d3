# Runs the script that Windows has saved as the machine's custom data, if it is the right
# one, with more files than it has. Lines of comment are left out where it is sent, as a
# command has no room for them.

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$bytes = [IO.File]::ReadAllBytes('C:\AzureData\CustomData.bin')
$hash = (Get-FileHash -Algorithm SHA256 -InputStream (New-Object IO.MemoryStream(, $bytes))).Hash
if ($hash -ne '%SHA256%') {
    throw "C:\AzureData\CustomData.bin is not the script that this command is for: its SHA-256 is $hash"
}
# The script ends the process itself.
& ([ScriptBlock]::Create([Text.Encoding]::UTF8.GetString($bytes))) -More '%PAYLOAD%'

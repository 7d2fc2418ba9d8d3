# The system and the administrators, by their well-known identifiers: their names are
# translated.
$Owners = @('S-1-5-18', 'S-1-5-32-544')

# Test-Link reports whether a file or directory leads to another place, as a symbolic link or a
# junction.
function Test-Link {
    param([string]$Path)
    return [bool]([IO.File]::GetAttributes($Path) -band [IO.FileAttributes]::ReparsePoint)
}

# Add-Owner gives everything about a file or directory to the system and the administrators,
# and nothing to anyone else.
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

# Confirm-Owner fails if a file or directory leads elsewhere, or if another user has created it:
# whom it belongs to may change what is in it at any time.
function Confirm-Owner {
    param([string]$Path)
    if (Test-Link $Path) {
        throw "$Path leads elsewhere: remove it"
    }
    $kind = [IO.File]
    if ([IO.Directory]::Exists($Path)) {
        $kind = [IO.Directory]
    }
    $acl = $kind::GetAccessControl($Path, [Security.AccessControl.AccessControlSections]::Owner)
    $owner = $acl.GetOwner([Security.Principal.SecurityIdentifier]).Value
    if ($Owners -notcontains $owner) {
        throw "$Path belongs to $owner, neither to the system nor to the administrators: remove it"
    }
}

# Confirm-Content does that for all that is in a directory.
function Confirm-Content {
    param([string]$Path)
    foreach ($entry in [IO.Directory]::GetFileSystemEntries($Path)) {
        Confirm-Owner $entry
        if ([IO.Directory]::Exists($entry)) {
            Confirm-Content $entry
        }
    }
}

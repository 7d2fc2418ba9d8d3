# Answers every request on port 80 with the text ANSWER.

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$page = [Text.Encoding]::UTF8.GetBytes($env:ANSWER)
$listener = New-Object Net.HttpListener
$listener.Prefixes.Add('http://*:80/')
$listener.Start()
while ($true) {
    $context = $listener.GetContext()
    try {
        $context.Response.ContentType = 'text/plain'
        $context.Response.ContentLength64 = $page.Length
        if ($context.Request.HttpMethod -ne 'HEAD') {
            $context.Response.OutputStream.Write($page, 0, $page.Length)
        }
        $context.Response.Close()
    } catch {
        # The client has disconnected.
        $context.Response.Abort()
    }
}

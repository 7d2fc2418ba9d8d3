$listener = New-Object System.Net.HttpListener
$listener.Prefixes.Add('http://*:80/')
$listener.Start()
Write-Host 'Listening at http://*:80/'
$callers = @{}
while ($listener.IsListening) {
  $context = $listener.GetContext()
  $caller = $context.Request.RemoteEndPoint.Address.ToString()
  $callers[$caller] = 1 + $callers[$caller]
  Write-Host "$caller asks for $($context.Request.Url)"
  $page = '<html><body><h1>Windows Container Web Server</h1>'
  foreach ($ip in $callers.Keys) { $page += "<p>$ip has called $($callers[$ip]) times</p>" }
  $page += '</body></html>'
  $bytes = [System.Text.Encoding]::UTF8.GetBytes($page)
  $context.Response.ContentLength64 = $bytes.Length
  $context.Response.OutputStream.Write($bytes, 0, $bytes.Length)
  $context.Response.Close()
}

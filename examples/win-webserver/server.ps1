$listener = New-Object System.Net.HttpListener
$listener.Prefixes.Add('http://*:80/')
$listener.Start()
while ($listener.IsListening) {
  $context = $listener.GetContext()
  $page = [System.Text.Encoding]::UTF8.GetBytes("<h1>Hello from $env:COMPUTERNAME</h1>")
  $context.Response.OutputStream.Write($page, 0, $page.Length)
  $context.Response.Close()
}

# Answers every request for / on port 80 with the text ANSWER.
folder=$(mktemp -d)
printf '%s' "$ANSWER" > "$folder/index.html"
exec httpd -f -p 80 -h "$folder"

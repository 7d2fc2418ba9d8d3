// Package tasks repeats what newcomers do. Each directory of testdata is a task: start has the files at the beginning,
// task.sh what someone did who had only the documents, and output.txt what that shows.
package tasks

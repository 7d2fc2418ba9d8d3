// Package loopback tells the connections of a server on 127.0.0.1 apart. Every user of the machine can connect to such
// a server, and so can every container that shares the network of the machine. [Credentials] refuses the connections of
// other users where the system tells whose they are, and [Of] returns the connection that a call came on.
package loopback

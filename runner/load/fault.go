package load

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// fault is a failed statement or connect, with its class for results.
type fault struct {
	class    string // "1213 ER_LOCK_DEADLOCK", or a network class such as "timeout"
	code     int    // the server's error code, 0 when the server did not answer
	fatal    bool   // the connection is of no more use
	error           // what happened, for people
	answered bool   // the server answered the statement with this error
	sql      string // of the statement, "" for a connect
}

func (f *fault) Unwrap() error { return f.error }

// Server errors that are acted upon. After the first three a transaction is restarted.
const (
	deadlock     = 1213 // ER_LOCK_DEADLOCK
	lockWait     = 1205 // ER_LOCK_WAIT_TIMEOUT
	checkRead    = 1020 // ER_CHECKREAD: the record has changed since the last read
	killed       = 1927 // ER_CONNECTION_KILLED of MariaDB
	shutdown     = 1053 // ER_SERVER_SHUTDOWN
	noSuchThread = 1094 // ER_NO_SUCH_THREAD: what KILL names is gone
	unsupported  = 1295 // ER_UNSUPPORTED_PS: the statement cannot be prepared
)

// newFault classifies what the driver returned; cause is the first fault of the network that the
// connection saw.
func newFault(err, cause error) *fault {
	var server *mysql.MySQLError
	if errors.As(login.CutError(err), &server) {
		code := int(server.Number)
		gone := code == killed || code == shutdown
		return &fault{class: className(code), code: code, fatal: gone || cause != nil, error: err, answered: true}
	}
	if cause == nil {
		cause = err
	} else {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return &fault{class: networkClass(cause), fatal: true, error: err}
}

// className is a server error's code and name.
func className(code int) string {
	if name, ok := errorNames[code]; ok {
		return strconv.Itoa(code) + " " + name
	}
	return strconv.Itoa(code)
}

// networkClasses names what can befall a connection, the first match counts.
var networkClasses = []struct {
	cause error
	class string
}{
	{errAborted, "aborted"},
	{login.ErrGarbage, "garbage"},
	{login.ErrServerKey, "server-key"},
	{os.ErrDeadlineExceeded, "timeout"},
	{syscall.ETIMEDOUT, "timeout"},
	{syscall.ECONNRESET, "reset"},
	{syscall.EPIPE, "closed"},
	{io.EOF, "closed"},
	{io.ErrUnexpectedEOF, "closed"},
	{syscall.ECONNREFUSED, "refused"},
	{syscall.EADDRNOTAVAIL, "ephemeral-ports"},
	{syscall.EAGAIN, "listen-queue"},
	{syscall.EMFILE, "descriptors"},
	{syscall.ENFILE, "descriptors"},
	{syscall.ENOENT, "no-socket"},
	{syscall.EACCES, "no-permission"},
	{syscall.EHOSTUNREACH, "unreachable"},
	{syscall.ENETUNREACH, "unreachable"},
	{mysql.ErrNoTLS, "tls"},
	{mysql.ErrMalformPkt, "garbage"},
	{mysql.ErrPktSync, "garbage"},
	{mysql.ErrPktSyncMul, "garbage"},
	{mysql.ErrInvalidConn, "garbage"}, // with no fault of the network beside it
	{mysql.ErrPktTooLarge, "packet-too-large"},
}

func networkClass(cause error) string {
	for _, known := range networkClasses {
		if errors.Is(cause, known.cause) {
			return known.class
		}
	}
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	if errors.As(cause, &record) || errors.As(cause, &certificate) || errors.As(cause, &alert) {
		return "tls"
	}
	return "driver"
}

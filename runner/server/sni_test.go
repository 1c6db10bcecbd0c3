package server

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strconv"
	"testing"
)

// greeting is a protocol 10 handshake of a server with TLS and mysql_native_password.
// Format: "Protocol::HandshakeV10" in the documentation of the MySQL server's source code.
func greeting() []byte {
	body := append([]byte{10}, "8.0.36\x00"...)
	body = append(body, 1, 0, 0, 0)        // connection
	body = append(body, "12345678\x00"...) // first part of the challenge
	body = append(body, 0x00, 0x8a)        // capabilities: protocol 4.1, SSL, secure connection
	body = append(body, 45, 2, 0)          // character set, status
	body = append(body, 0x08, 0x00, 21)    // plugin authentication, length of the challenge
	body = append(body, make([]byte, 10)...)
	body = append(body, "123456789012\x00mysql_native_password\x00"...)
	return append([]byte{byte(len(body)), byte(len(body) >> 8), byte(len(body) >> 16), 0}, body...)
}

// With every mode that encrypts, the server is told the name by which it was asked for.
func TestServerName(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	names := make(chan string, 1)
	asked := errors.New("the name is all that was wanted")
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Write(greeting())
			io.ReadFull(conn, make([]byte, 36)) // the request for TLS
			tls.Server(conn, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
				names <- hello.ServerName
				return nil, asked
			}}).Handshake()
			conn.Close()
		}
	}()
	_, text, _ := net.SplitHostPort(listener.Addr().String())
	port, _ := strconv.Atoi(text)
	for _, mode := range []TLSMode{TLSPreferred, TLSRequired, TLSVerifyCA, TLSVerifyIdentity} {
		if _, err := Open(testContext(t), Endpoint{Host: "localhost", Port: port, User: "a", TLS: TLS{Mode: mode}}); err == nil {
			t.Errorf("%s: logged in to a server that ends the handshake", mode)
		}
		if name := <-names; name != "localhost" {
			t.Errorf("%s: the server was told %q, want localhost", mode, name)
		}
	}
}

package command

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeRelay is an SMTP server that takes one mail after the other, in a way of its own.
type fakeRelay struct {
	mode        string
	certificate *tls.Certificate // for STARTTLS
	address     string

	mu   sync.Mutex
	said []string // what clients have sent, up to the message
	mail string
}

func startRelay(t *testing.T, mode string) *fakeRelay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	r := &fakeRelay{mode: mode, address: listener.Addr().String()}
	if strings.HasPrefix(mode, "starttls") {
		r.certificate = selfSigned(t)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go r.serve(t.Context(), conn)
		}
	}()
	return r
}

func selfSigned(t *testing.T) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"other.example"}}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

func (r *fakeRelay) serve(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	say := func(line string) { conn.Write([]byte(line + "\r\n")) }
	switch r.mode {
	case "silent":
		<-ctx.Done()
		return
	case "drip":
		for _, c := range "220 slow.example ESMTP\r\n" {
			conn.Write([]byte(string(c)))
			time.Sleep(100 * time.Millisecond)
		}
	default:
		say("220 fake.example ESMTP")
	}
	lines := bufio.NewReader(conn)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		r.mu.Lock()
		r.said = append(r.said, line)
		r.mu.Unlock()
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		switch {
		case verb == "EHLO" && r.mode == "helo" && strings.Contains(strings.ToUpper(line), "LOCALHOST"):
			say("504 5.5.2 Helo command rejected: need fully-qualified hostname")
		case verb == "EHLO":
			say("250-fake.example")
			_, secured := conn.(*tls.Conn)
			if r.certificate != nil && !secured {
				say("250-STARTTLS")
			}
			if r.mode == "size" {
				say("250-SIZE 1000")
			}
			if r.mode == "auth" || r.mode == "starttls-auth" {
				say("250-AUTH LOGIN PLAIN")
			}
			say("250 8BITMIME")
		case verb == "STARTTLS" && r.mode == "starttls-broken":
			say("220 go on")
			conn.Write([]byte("this is no TLS\r\n"))
			return
		case verb == "STARTTLS":
			say("220 go on")
			secured := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*r.certificate}})
			conn, lines = secured, bufio.NewReader(secured)
		case verb == "AUTH":
			say("235 2.7.0 welcome")
		case verb == "MAIL" && r.mode == "auth" && !slices.ContainsFunc(r.said, func(s string) bool { return strings.HasPrefix(s, "AUTH") }):
			say("530 5.7.0 Authentication required")
		case verb == "RCPT" && r.mode == "unknown":
			say("550 5.1.1 no such user here")
		case verb == "DATA":
			say("354 go on")
			if r.mode == "stall" {
				<-ctx.Done()
				return
			}
			var text strings.Builder
			for {
				line, err := lines.ReadString('\n')
				if err != nil || line == ".\r\n" {
					break
				}
				text.WriteString(line)
			}
			r.mu.Lock()
			r.mail = text.String()
			r.mu.Unlock()
			say("250 2.0.0 queued")
			if r.mode == "no goodbye" {
				<-ctx.Done()
				return
			}
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 2.1.0 ok")
		}
	}
}

func (r *fakeRelay) heard(prefix string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.said, func(s string) bool { return strings.HasPrefix(s, prefix) })
}

// Whatever a relay does, the delivery ends in time, and says what is wrong and what to do.
func TestRelays(t *testing.T) {
	message := []byte("Subject: x\r\n\r\n" + strings.Repeat("a line\r\n", 20000) + ".\r\n")
	for _, c := range []struct {
		mode, policy, user string
		want               string // of the error; "" = delivered
	}{
		{"plain", tlsOpportunistic, "", ""},
		{"helo", tlsOpportunistic, "", ""},
		{"no goodbye", tlsOpportunistic, "", ""},
		{"starttls", tlsOpportunistic, "", ""}, // with a certificate that nobody knows
		{"starttls", tlsUnverified, "", ""},
		{"starttls", tlsNever, "", ""},
		{"starttls", tlsRequired, "", "--smtp-tls unverified"},
		{"starttls-broken", tlsOpportunistic, "", ""}, // goes without, as relays do
		{"starttls-broken", tlsUnverified, "", "STARTTLS"},
		{"plain", tlsRequired, "", "offers no TLS"},
		{"starttls-auth", tlsUnverified, "bench", ""},
		{"auth", tlsNever, "bench", ""},
		{"auth", tlsOpportunistic, "", "--smtp-user"},
		{"plain", tlsNever, "bench", "no common login method"},
		{"size", tlsOpportunistic, "", "--max-size"},
		{"unknown", tlsOpportunistic, "", "no such user"},
		{"silent", tlsOpportunistic, "", "no complete answer within"},
		{"drip", tlsOpportunistic, "", "no complete answer within"},
		{"stall", tlsOpportunistic, "", "no complete answer within"},
	} {
		t.Run(c.mode+" "+c.policy, func(t *testing.T) {
			t.Parallel()
			fake := startRelay(t, c.mode)
			r := relay{address: fake.address, tls: c.policy, user: c.user, password: "SeCrEt", stage: 1500 * time.Millisecond}
			began := time.Now()
			err := r.deliver(t.Context(), "mysweep@db3", []string{"dba@example.org", "ops@example.org"}, message)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %s", took)
			}
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "SeCrEt") {
					t.Errorf("%v; want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !fake.heard("MAIL FROM:<mysweep@db3>") || !fake.heard("RCPT TO:<dba@example.org>") || !fake.heard("RCPT TO:<ops@example.org>") || fake.heard("EHLO localhost") {
				t.Errorf("the relay heard %q", fake.said)
			}
			if want := strings.Replace(string(message), "\r\n.\r\n", "\r\n..\r\n", 1); fake.mail != want {
				t.Errorf("a message of %d bytes arrived as %d", len(want), len(fake.mail))
			}
			if secured := c.mode != "plain" && fake.certificate != nil && c.policy != tlsNever && c.mode != "starttls-broken"; secured != fake.heard("STARTTLS") && c.mode != "starttls-broken" {
				t.Errorf("STARTTLS: %v, want %v", fake.heard("STARTTLS"), secured)
			}
		})
	}
}

// A signal ends a delivery at once, whatever the relay does.
func TestRelayInterrupted(t *testing.T) {
	interrupted := errors.New("interrupted")
	for _, mode := range []string{"silent", "stall"} {
		fake := startRelay(t, mode)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(300*time.Millisecond, func() { cancel(interrupted) })
		r := relay{address: fake.address, tls: tlsOpportunistic, stage: time.Minute}
		began := time.Now()
		if err := r.deliver(ctx, "a@b", []string{"c@d"}, []byte("x\r\n")); !errors.Is(err, interrupted) || time.Since(began) > 20*time.Second {
			t.Errorf("%s: %v after %s", mode, err, time.Since(began))
		}
	}
}

// A child that keeps sendmail's output open holds nobody; what sendmail says when it fails is told.
func TestSendmail(t *testing.T) {
	dir := t.TempDir()
	program := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got := filepath.Join(dir, "got")
	began := time.Now()
	if err := runSendmail(t.Context(), program("holds", "cat >"+got+"; echo \"$@\" >>"+got+"; sleep 60 &\n"), []string{"dba", "ops@example.org"}, []byte("text\n")); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
	if text, err := os.ReadFile(got); err != nil || string(text) != "text\n-i -- dba ops@example.org\n" {
		t.Errorf("sendmail got %q (%v)", text, err)
	}
	if err := runSendmail(t.Context(), program("fails", "echo no such user; exit 67\n"), []string{"x"}, nil); err == nil || !strings.Contains(err.Error(), "no such user") {
		t.Errorf("%v", err)
	}
}

func TestRecipients(t *testing.T) {
	for text, want := range map[string]string{
		"dba@example.org":                     "[dba@example.org]",
		"dba":                                 "[dba]",
		"dba, ops@example.org,root":           "[dba ops@example.org root]",
		`"Doe, J" <j@example.org>, ops@x.org`: `["Doe, J" <j@example.org> <ops@x.org>]`,
		"Ops <ops@example.org>":               "[Ops <ops@example.org>]",
		"Jürgen Öl <j@example.org>":           "[Jürgen Öl <j@example.org>]",
		"":                                    "", "a b": "", "@": "", "x@y>\r\nBcc: z@z": "",
	} {
		to, err := recipients("to", []string{text})
		if got := fmt.Sprint(to); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: %s %v, want %s", text, got, err, want)
		}
	}
}

func TestMailFlags(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("SeCrEt\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--smtp", "h"}, {"--smtp", "h:25", "--sendmail", "s"}, {"--smtp-user", "u"}, {"--smtp", "h:25", "--smtp-user", "u"},
		{"--smtp", "h:25", "--smtp-password-file", secret}, {"--smtp", "h:25", "--smtp-tls", "maybe"}, {"--max-size", "x"}, {"--max-size", "0"},
		{"--smtp", "h:25", "--smtp-tls", "opportunistic", "--smtp-user", "u", "--smtp-password-file", secret}, {"--smtp", "h:25", "--to", "dba"},
	} {
		if status, _, stderr := called(t, append(append([]string{"mail", "--to", "a@b.org"}, args...), "DIR")...); status != exitUsage {
			t.Errorf("%v: exit %d: %s", args, status, stderr)
		}
	}
	for text, want := range map[string]int{"8MB": 8e6, "500 kB": 5e5, "16MiB": 16 << 20, "1000": 1000} {
		if n, err := parseSize(text); err != nil || n != want {
			t.Errorf("%s: %d %v, want %d", text, n, err, want)
		}
	}
}

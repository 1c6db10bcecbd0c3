package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// Limits of the delivery of a mail: of each stage (greeting, a command and its answer, a part of
// the message), and of all of it.
const (
	mailStage = 30 * time.Second
	mailTime  = 2 * time.Minute
)

// tlsPolicies are what --smtp-tls may ask for.
const (
	// TLS where the server offers it, with any certificate, as relays do (RFC 7435).
	tlsOpportunistic = "opportunistic"
	tlsRequired      = "required"   // TLS with a certificate that is valid for the server's name
	tlsUnverified    = "unverified" // TLS with any certificate
	tlsNever         = "never"
)

// smtpsPort is where TLS begins before SMTP (RFC 8314).
const smtpsPort = "465"

// relay is an SMTP server that takes mail.
type relay struct {
	address        string // host:port
	helo           string // our host's name; "" = found out
	tls            string
	user, password string
	stage          time.Duration // limit of a stage
}

// session is a connection to a relay, whose deadline is renewed for each stage.
type session struct {
	relay
	host, port string
	ctx        context.Context
	conn       net.Conn
	client     *smtp.Client
}

// deliver hands a message over. Addresses are bare.
func (r relay) deliver(ctx context.Context, from string, to []string, text []byte) error {
	ctx, cancel := context.WithTimeoutCause(ctx, mailTime, fmt.Errorf("not delivered within %s", mailTime))
	defer cancel()
	s := &session{relay: r, ctx: ctx}
	err := s.deliver(from, to, text)
	var handshake *handshakeError
	if errors.As(err, &handshake) && r.tls == tlsOpportunistic && ctx.Err() == nil {
		s.tls = tlsNever // as relays do
		err = s.deliver(from, to, text)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("smtp server %s: %w", r.address, err)
	}
	return nil
}

func (s *session) deliver(from string, to []string, text []byte) error {
	if err := s.connect(); err != nil {
		return err
	}
	defer s.conn.Close()
	stop := context.AfterFunc(s.ctx, func() { s.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"greeting", s.greet},
		{"EHLO", func() error { return s.client.Hello(s.ownName()) }},
		{"STARTTLS", s.secure},
		{"login", s.login},
		{"size", func() error { return s.fits(len(text)) }},
		{"sender " + from, func() error { return loginHint(s.client.Mail("<" + from + ">")) }},
		{"recipients", func() error { return s.recipients(to) }},
		{"message", func() error { return s.data(text) }},
	} {
		if err := s.within(step.do); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	s.within(s.client.Quit) // the message is taken: what is said now changes nothing
	return nil
}

// within runs one stage under its own deadline.
func (s *session) within(do func() error) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	deadline := time.Now().Add(s.stage)
	if all, ok := s.ctx.Deadline(); ok && all.Before(deadline) {
		deadline = all
	}
	if err := s.conn.SetDeadline(deadline); err != nil {
		return err
	}
	if s.ctx.Err() != nil { // it ended meanwhile, and its deadline was replaced
		return context.Cause(s.ctx)
	}
	err := do()
	var timeout net.Error
	// A line that the deadline has cut off is returned as if it were whole, so an answer that is
	// too late is none.
	if errors.As(err, &timeout) && timeout.Timeout() || !time.Now().Before(deadline) {
		return fmt.Errorf("no complete answer within %s", s.stage)
	}
	return err
}

func (s *session) connect() (err error) {
	if s.host, s.port, err = net.SplitHostPort(s.address); err != nil {
		return err
	}
	dialer := net.Dialer{Timeout: s.stage}
	s.conn, err = dialer.DialContext(s.ctx, "tcp", s.address)
	return err
}

func (s *session) greet() (err error) {
	conn := s.conn
	if s.port == smtpsPort && s.tls != tlsNever {
		secured := tls.Client(conn, s.tlsConfig())
		if err := secured.HandshakeContext(s.ctx); err != nil {
			return fmt.Errorf("TLS: %w%s", err, certificateHint(err))
		}
		conn = secured
	}
	s.client, err = smtp.NewClient(conn, s.host)
	return err
}

// ownName is this host's name as EHLO wants it: with its domain if there is one, else the address
// of this end.
func (s *session) ownName() string {
	name := s.helo
	if name == "" {
		name, _ = os.Hostname()
	}
	if !strings.Contains(name, ".") && name != "" {
		ctx, cancel := context.WithTimeout(s.ctx, 2*time.Second)
		defer cancel()
		if full, err := net.DefaultResolver.LookupCNAME(ctx, name); err == nil && strings.HasPrefix(full, name+".") {
			name = strings.TrimSuffix(full, ".")
		}
	}
	if name != "" && !strings.HasPrefix(name, "localhost") && !strings.ContainsFunc(name, notHostName) {
		return name
	}
	host, _, _ := net.SplitHostPort(s.conn.LocalAddr().String())
	if strings.Contains(host, ":") {
		return "[IPv6:" + host + "]"
	}
	return "[" + host + "]"
}

func notHostName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-')
}

// handshakeError is a TLS handshake that failed.
type handshakeError struct{ cause error }

func (e *handshakeError) Error() string { return e.cause.Error() + certificateHint(e.cause) }
func (e *handshakeError) Unwrap() error { return e.cause }

// secure begins TLS as the policy says.
func (s *session) secure() error {
	if _, is := s.client.TLSConnectionState(); is || s.tls == tlsNever {
		return nil
	}
	if offered, _ := s.client.Extension("STARTTLS"); !offered {
		if s.tls == tlsOpportunistic {
			return nil
		}
		return fmt.Errorf("the server offers no TLS: --smtp-tls never sends the mail unencrypted")
	}
	err := s.client.StartTLS(s.tlsConfig())
	var refused *textproto.Error
	if err != nil && !errors.As(err, &refused) {
		return &handshakeError{err}
	}
	return err
}

func (s *session) tlsConfig() *tls.Config {
	return &tls.Config{ServerName: s.host, InsecureSkipVerify: s.tls != tlsRequired}
}

// certificateHint is the way out when a certificate is not accepted.
func certificateHint(err error) string {
	var bad *tls.CertificateVerificationError
	if errors.As(err, &bad) {
		return ": name the server as its certificate does, or accept any certificate by --smtp-tls unverified"
	}
	return ""
}

func (s *session) login() error {
	if s.user == "" {
		return nil
	}
	_, offered := s.client.Extension("AUTH")
	methods := strings.Fields(strings.ToUpper(offered))
	open := s.tls == tlsNever // then the user has said that it may be read on the way
	for _, method := range []struct {
		name string
		auth smtp.Auth
	}{
		{"SCRAM-SHA-256", smtp.ScramSHA256Auth(s.user, s.password)},
		{"PLAIN", smtp.PlainAuth("", s.user, s.password, s.host, open)},
		{"LOGIN", smtp.LoginAuth(s.user, s.password, s.host, open)},
	} {
		for _, m := range methods {
			if m == method.name {
				return s.client.Auth(method.auth)
			}
		}
	}
	return fmt.Errorf("no common login method: the server offers %q; mysweep supports SCRAM-SHA-256, PLAIN and LOGIN", offered)
}

// fits refuses what the server has said it does not take (RFC 1870).
func (s *session) fits(size int) error {
	_, limit := s.client.Extension("SIZE")
	if most, err := strconv.Atoi(limit); err == nil && most > 0 && size > most {
		return fmt.Errorf("the mail has %d bytes, the server accepts %d: use a smaller --max-size", size, most)
	}
	return nil
}

// recipients names all of them; those that the server refuses make the delivery fail as a whole.
func (s *session) recipients(to []string) error {
	for _, address := range to {
		if err := s.within(func() error { return s.client.Rcpt("<" + address + ">") }); err != nil {
			return fmt.Errorf("%s: %w", address, loginHint(err))
		}
	}
	return nil
}

// loginHint adds the way out where a server wants a login.
func loginHint(err error) error {
	var refused *textproto.Error
	if errors.As(err, &refused) && (refused.Code == 530 || strings.Contains(strings.ToLower(refused.Msg), "authentication required")) {
		return fmt.Errorf("%w: log in with --smtp-user and --smtp-password-file", err)
	}
	return err
}

// mailPart is how much of a message is sent under one deadline.
const mailPart = 64 << 10

func (s *session) data(text []byte) error {
	w, err := s.client.Data()
	if err != nil {
		return err
	}
	for len(text) > 0 {
		part := text[:min(mailPart, len(text))]
		if err := s.within(func() error { _, err := w.Write(part); return err }); err != nil {
			return err
		}
		text = text[len(part):]
	}
	return s.within(w.Close)
}

package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

// makeCertificate gives a private server a self-signed certificate, the same
// kind for every flavour, so that cases do not differ by it.
func (s *Server) makeCertificate() error {
	if _, err := os.Stat(s.folder.file("server.pem")); err == nil {
		return nil // of an earlier start
	}
	certificate, key, err := selfSigned()
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	if err := s.folder.write("server.pem", certificate); err != nil {
		return err
	}
	return s.folder.write("server-key.pem", key)
}

func (s *Server) certificateOptions() []Option {
	return []Option{
		{Name: "ssl_ca", Value: s.folder.file("server.pem")},
		{Name: "ssl_cert", Value: s.folder.file("server.pem")},
		{Name: "ssl_key", Value: s.folder.file("server-key.pem")},
	}
}

// selfSigned is a P-256 certificate for this machine's loopback, its own
// authority, in PEM.
func selfSigned() (certificate, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "mysweep private server"},
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.ParseIP(loopback), net.IPv6loopback},
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return "", "", err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return certificate, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})), nil
}

package login

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"github.com/go-sql-driver/mysql"
)

// ReadKey makes a server's RSA public key, a PEM file, known to the driver, and
// returns its name for Config.ServerPubKey.
func ReadKey(path string) (name string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("server public key: %w", err)
	}
	if name, err = RegisterKey(text); err != nil {
		return "", fmt.Errorf("server public key %s: %w", path, err)
	}
	return name, nil
}

// RegisterKey does it with the key itself. The same key has the same name.
func RegisterKey(text []byte) (name string, err error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return "", errors.New("no PEM block: expected the server's public_key.pem")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return "", err
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return "", fmt.Errorf("a key of type %T: expected RSA", parsed)
	}
	sum := sha256.Sum256(block.Bytes)
	name = "mysweep-" + hex.EncodeToString(sum[:])
	mysql.RegisterServerPubKey(name, key)
	return name, nil
}

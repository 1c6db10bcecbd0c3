package server

import (
	"context"
	"strings"

	"github.com/mysweep/mysweep/runner/login"
)

// publicKeyFile is where a MySQL server keeps its RSA key, below the datadir.
const publicKeyFile = "public_key.pem"

// fetchesKey reports whether the login may take an RSA key from the server. As
// with the mysql client, a file that is named wins.
func (e Endpoint) fetchesKey() bool { return e.GetPublicKey && e.PublicKey == "" }

// keepServerKey takes the key that the server may send from its status, so that
// all other connections of the run, which accept none, use this one. A server
// that does not report it is one whose accounts need none, or refuses them.
func (t *Target) keepServerKey(ctx context.Context) {
	if !t.Endpoint.fetchesKey() || t.Transport != TransportTCP {
		return
	}
	status, err := t.show(ctx, "SHOW GLOBAL STATUS LIKE '%rsa\\_public\\_key'")
	if err != nil {
		return
	}
	for name, key := range status {
		if !strings.Contains(key, "PUBLIC KEY") {
			continue
		}
		registered, err := login.RegisterKey([]byte(key))
		if err == nil && (t.config.ServerPubKey == "" || strings.HasPrefix(name, "Caching")) {
			t.config.ServerPubKey = registered
		}
	}
}

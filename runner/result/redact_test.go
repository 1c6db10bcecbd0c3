package result

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
)

func TestRedact(t *testing.T) {
	live := Run{
		ServerHost: "db3.example.org", ClientHost: "web7", Command: "mysweep run --host db3.example.org --name web70",
		Client: hwinfo.Facts{List: []hwinfo.Fact{{Key: "host.name", Value: "web7"}, {Key: "cpu.online", Value: int64(8)}}},
		Plan: plan.Plan{Cases: []plan.Case{{Name: "default"},
			{Name: "other", Server: &plan.Server{Host: "db4.example.org", SSH: "root@db4.example.org"}, Restart: plan.Texts{"ssh db4.example.org reboot"}}}},
		Cases: []Case{{Name: "other", ServerHost: "db4.example.org", Notes: []Note{{"other-machine", "its server is on db4.example.org"}}}, {Name: "default", Variables: map[string]string{"hostname": "db3.example.org", "log_error": "/var/log/db3.example.org.err"}}},
	}
	clean := live
	clean.Cases = append([]Case(nil), live.Cases...)
	clean.Redact()
	raw, err := json.Marshal(clean)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if strings.Contains(text, "db3") || strings.Contains(text, "db4") || strings.Contains(text, `"web7"`) {
		t.Errorf("a host's name is left: %s", text)
	}
	for _, want := range []string{`"server_host":"server"`, `"client_host":"client"`, "--name web70", "/var/log/server.err", `"server_host":"server-2"`, `"host":"server-2"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing: %s", want, text)
		}
	}
	if live.Client.String("host.name") != "web7" || live.Cases[1].Variables["hostname"] != "db3.example.org" || live.Plan.Cases[1].Server.Host != "db4.example.org" {
		t.Errorf("the live run was changed: %+v", live)
	}
}

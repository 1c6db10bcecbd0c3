package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/verdict"
)

// stateTransfer is a wsrep_sst_method for nodes that begin with the same data: what was written
// since is sent by Galera itself. The two scripts hand the position over in a file.
const stateTransfer = `#!/bin/sh
role= gtid=
while [ $# -gt 0 ]; do
	case $1 in
	--role) role=$2; shift ;;
	--gtid) gtid=$2; shift ;;
	esac
	shift
done
handover=$(dirname "$0")/handover
if [ "$role" = donor ]; then
	echo "$gtid" >"$handover"
	echo "done $gtid"
	exit
fi
rm -f "$handover"
echo "ready 127.0.0.1:4444/none"
for i in $(seq 600); do
	[ ! -s "$handover" ] || break
	sleep 0.1
done
cat "$handover"
`

// node is one of a Galera cluster.
type node struct {
	endpoint server.Endpoint
	datadir  string
	group    string // its address in the cluster
	command  *exec.Cmd
}

// galeraPair starts two nodes of a Galera cluster with the tables of an empty private server, and
// skips the test where that cannot be.
func galeraPair(t *testing.T) [2]*node {
	t.Helper()
	const library = "/usr/lib/galera/libgalera_smm.so"
	if _, err := os.Stat(library); err != nil {
		t.Skip("needs Galera: install the package galera-4")
	}
	private, _ := backend(t, server.Private{})
	if private.Binary.Flavour != server.MariaDB {
		t.Skip("needs MariaDB")
	}
	private.Pause()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "wsrep_sst_positions"), []byte(stateTransfer), 0o755); err != nil {
		t.Fatal(err)
	}
	var nodes [2]*node
	for i := range nodes {
		n := &node{endpoint: private.Endpoint, datadir: filepath.Join(folder, fmt.Sprint(i)), group: freeAddress(t)}
		n.endpoint.Host, n.endpoint.Port, n.endpoint.Socket = "", 0, n.datadir+".sock"
		nodes[i] = n
	}
	start := func(n *node, cluster string) {
		n.start(t, folder, private.Binary.Path, library, cluster)
	}
	copyFolder(t, private.Datadir(), nodes[0].datadir)
	start(nodes[0], "gcomm://") // makes the state of the cluster
	nodes[0].stop()
	copyFolder(t, nodes[0].datadir, nodes[1].datadir)
	start(nodes[0], "gcomm://")
	start(nodes[1], "gcomm://"+nodes[0].group)
	return nodes
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// start starts a node until the test ends, and waits until it is one of the cluster.
func (n *node) start(t *testing.T, folder, program, library, cluster string) {
	t.Helper()
	arguments := []string{"--no-defaults", "--datadir=" + n.datadir, "--socket=" + n.endpoint.Socket, "--skip-networking", "--log-error=" + n.datadir + ".log",
		"--pid-file=" + n.datadir + ".pid", "--wsrep_on=ON", "--wsrep_provider=" + library, "--wsrep_cluster_name=mysweep", "--wsrep_cluster_address=" + cluster,
		"--wsrep_node_address=" + n.group, "--wsrep_sst_method=positions", "--binlog_format=ROW", "--innodb_autoinc_lock_mode=2",
		"--wsrep_provider_options=gmcast.listen_addr=tcp://" + n.group + ";ist.recv_addr=" + freeAddress(t)}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--user=root")
	}
	n.command = exec.Command(program, arguments...)
	n.command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
	n.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := n.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.stop)
	why := error(nil)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		var ready string
		if ready, why = n.status(t.Context(), "wsrep_ready"); ready == "ON" {
			return
		}
	}
	log, _ := os.ReadFile(n.datadir + ".log")
	t.Skipf("Galera does not start here: %v\n%s", why, log[max(0, len(log)-2000):])
}

func (n *node) status(ctx context.Context, name string) (string, error) {
	target, err := server.Open(ctx, n.endpoint)
	if err != nil {
		return "", err
	}
	defer target.Close()
	pool, err := target.Pool(1)
	if err != nil {
		return "", err
	}
	defer pool.Close()
	var value string
	return value, pool.QueryRowContext(ctx, "SHOW GLOBAL STATUS LIKE '"+name+"'").Scan(&name, &value)
}

// stop ends the node, if it runs.
func (n *node) stop() {
	if n.command == nil {
		return
	}
	n.command.Process.Signal(syscall.SIGTERM)
	n.command.Wait()
	n.command = nil
}

// TestGalera: on a cluster tables are loaded and dropped on all nodes, counters are those of the
// node, and a note says that the lock is as well.
func TestGalera(t *testing.T) {
	servertest.Needed(t)
	nodes := galeraPair(t)
	for _, row := range []struct {
		name    string
		options plan.Options
	}{{"select-key", plan.Options{"rows": "500"}}, {"tpcb", nil}, {"oltp_read_write", plan.Options{"table-size": "500"}}} {
		a := archiveOf(t, existingJob(t, &nodes[1].endpoint, row.name, row.options))
		for trial := range a.Full() {
			e := trial.Evidence
			if trial.Status != result.OK || e.ForeignQueries == nil || *e.ForeignQueries != 0 || e.Status == nil {
				raw, _ := json.Marshal(e.ForeignQueries)
				t.Errorf("%s: %s %s, foreign queries %s, questions %g of %d, %d counters, notes %v", row.name, trial.Status, trial.Error, raw, e.Status["Questions"], trial.Measure.Queries, len(e.Status), e.Notes)
			}
		}
		if !slices.ContainsFunc(a.Run.Notes, func(n result.Note) bool { return n.Code == "no-lock" && strings.Contains(n.Text, "2 nodes") }) {
			t.Errorf("%s: notes %v; want one that the lock is the node's", row.name, a.Run.Notes)
		}
		if notes := verdict.Of(a).Notes; slices.ContainsFunc(notes, func(n verdict.Note) bool { return n.Code == "left-behind" }) {
			t.Errorf("%s: notes %v", row.name, notes)
		}
	}
	target, err := server.Open(t.Context(), nodes[0].endpoint)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	pool, err := target.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var schemas, tables int
	row := pool.QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'mysweep'), (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'mysweep')")
	if err := row.Scan(&schemas, &tables); err != nil || schemas != 1 || tables != 0 {
		t.Errorf("the other node has %d schemas and %d tables, %v; want the empty schema", schemas, tables, err)
	}
}

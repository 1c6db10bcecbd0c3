package bulk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// tcp is a server that proxies can stand before.
var tcp = servertest.Shared{Private: server.Private{TCP: true, AllowMemory: true}}

// proxied is the way to a schema of its own through a proxy.
func proxied(t *testing.T, p *servertest.Proxy) *mysql.Config {
	t.Helper()
	private := tcp.Get(t)
	config := private.Config()
	p.Backends = []string{fmt.Sprintf("127.0.0.1:%d", private.Endpoint.Port)}
	config.Net, config.Addr = "tcp", p.Serve(t)
	config.DBName = strings.ToLower(strings.NewReplacer("/", "_", " ", "_").Replace(t.Name()))
	return config
}

// refusing answers statements that begin with a word with an error.
func refusing(word string, number int) func(sql string) string {
	return func(sql string) string {
		if !strings.HasPrefix(sql, word) {
			return sql
		}
		return fmt.Sprintf("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO=%d, MESSAGE_TEXT='not here'", number)
	}
}

// TestLoadDataRefused: in whatever way a server refuses LOAD DATA LOCAL, the rows arrive by INSERT,
// each once, with a note that says why.
func TestLoadDataRefused(t *testing.T) {
	config, db := testConfig(t)
	load(t, config, []workload.Table{words(5000)}, options())
	want := contents(t, db, config.DBName)
	isLoad := func(sql string) bool { return strings.HasPrefix(sql, "LOAD DATA") }
	rows := map[string]*servertest.Proxy{"closed": {Drops: isLoad}, "cut": {CutStream: 3}}
	for _, number := range []int{1148, 3948, 4166, 1047, 1064, 1105, 1227, 1235, 1045, 29} {
		rows[fmt.Sprint(number)] = &servertest.Proxy{Rewrite: refusing("LOAD DATA", number)}
	}
	for name, proxy := range rows {
		for _, engine := range []string{"InnoDB", "MyISAM"} {
			t.Run(name+" "+engine, func(t *testing.T) {
				config := proxied(t, proxy)
				o := options()
				o.StorageEngine = engine
				second := workload.Table{Name: "second", Columns: "id INT PRIMARY KEY", Load: []string{"id"}, Rows: 10,
					Row: func(w *workload.Row, _ *rand.Rand, i int64) { w.Int(i) }}
				loaded := load(t, config, []workload.Table{words(5000), second}, o)
				for _, l := range loaded[:1] {
					if l.Method != bulk.ByInsert || !strings.Contains(l.Note, "LOAD DATA LOCAL was not used") {
						t.Errorf("%+v", l)
					}
				}
				private, err := tcp.Get(t).Pool(1)
				if err != nil {
					t.Fatal(err)
				}
				defer private.Close()
				if got := contents(t, private, config.DBName); got != want {
					t.Errorf("the rows are %s; want %s", got, want)
				}
				if loaded[1].Rows != 10 {
					t.Errorf("%+v", loaded[1])
				}
			})
		}
	}
}

// TestStatisticsRefused: an account that may not ANALYZE has its tables loaded and used all the
// same, with a note.
func TestStatisticsRefused(t *testing.T) {
	for _, number := range []int{1290, 1142} {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			config := proxied(t, &servertest.Proxy{Rewrite: refusing("ANALYZE", number)})
			for range 2 {
				l := load(t, config, []workload.Table{words(50)}, options())[0]
				if l.Rows != 50 || !strings.Contains(l.Note, "statistics") || !strings.Contains(l.Note, fmt.Sprint(number)) {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

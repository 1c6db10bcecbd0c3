package bulk_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/server/servertest"
	"github.com/mysweep/mysweep/runner/workload"
)

// shared is one private server for all tests of the package.
var shared = servertest.Shared{Private: server.Private{Options: []server.Option{{Name: "log_bin", Value: "binlog"}, {Name: "server_id", Value: "1"}}}}

func TestMain(m *testing.M) { os.Exit(servertest.Run(m, &shared, &tcp)) }

// testConfig returns the way to a schema of its own, which does not exist yet, and a connection
// beside.
func testConfig(t testing.TB) (*mysql.Config, *sql.DB) {
	t.Helper()
	private := shared.Get(t)
	db, err := private.Pool(2)
	if err != nil {
		t.Fatal(err)
	}
	config := private.Config()
	config.DBName = strings.ToLower(t.Name())
	t.Cleanup(func() {
		db.Exec("DROP DATABASE IF EXISTS " + config.DBName)
		db.Close()
	})
	return config, db
}

// words is a table with every kind of field and every byte that needs care.
func words(rows int64) workload.Table {
	return workload.Table{
		Name:    "words",
		Columns: "id INT PRIMARY KEY, word VARBINARY(100) NOT NULL, amount DECIMAL(12,2), nothing INT, KEY (word)",
		Load:    []string{"id", "word", "amount", "nothing"},
		Rows:    rows,
		Row: func(w *workload.Row, r *rand.Rand, i int64) {
			w.Int(i)
			letters := make([]byte, 4+r.IntN(16))
			for k := range letters {
				letters[k] = "ab'\"\\,()\x00\t\n\r;"[r.IntN(13)]
			}
			w.Text(string(letters))
			w.Decimal(r.Int64N(1e10)-5e9, 2)
			w.Null()
		},
		After: []string{"CREATE INDEX amount ON words (amount)"},
	}
}

func options() bulk.Options {
	return bulk.Options{Workload: "test", WorkloadOptions: "size=1", Seed: 7, StorageEngine: "InnoDB", Charset: "utf8mb4", Collation: "utf8mb4_bin"}
}

func load(t *testing.T, config *mysql.Config, tables []workload.Table, o bulk.Options) []bulk.Loaded {
	t.Helper()
	loaded, err := bulk.Load(t.Context(), config, tables, o)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func ask(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	var s sql.NullString
	if err := db.QueryRow(query).Scan(&s); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s.String
}

// contents is a checksum of a table's rows.
func contents(t *testing.T, db *sql.DB, schema string) string {
	t.Helper()
	return ask(t, db, fmt.Sprintf("SELECT CONCAT_WS(' ', COUNT(*), SUM(CRC32(CONCAT_WS('|', id, word, amount, nothing IS NULL)))) FROM %s.words", schema))
}

// TestSameSeedSameTable: both ways to load, and any parallelism, give the same rows; another seed
// gives others.
func TestSameSeedSameTable(t *testing.T) {
	config, db := testConfig(t)
	const rows = 12345 // more than two chunks, and not a whole number of them
	byData := load(t, config, []workload.Table{words(rows)}, options())
	if byData[0].Method != bulk.ByLoadData || byData[0].Rows != rows || byData[0].Reused {
		t.Errorf("first load: %+v", byData[0])
	}
	first := contents(t, db, config.DBName)
	o := options()
	o.NoLocalInfile, o.Fresh = true, true
	if l := load(t, config, []workload.Table{words(rows)}, o); l[0].Method != bulk.ByInsert || l[0].Note == "" {
		t.Errorf("load without LOAD DATA: %+v", l[0])
	}
	if got := contents(t, db, config.DBName); got != first {
		t.Errorf("by INSERT %s, by LOAD DATA %s", got, first)
	}
	o = options()
	o.Seed = 8
	load(t, config, []workload.Table{words(rows)}, o)
	if got := contents(t, db, config.DBName); got == first {
		t.Errorf("seeds 7 and 8 both give %s", got)
	}
}

// TestReuse: a ready table that fits stays; one that is loading, has another print, or lost rows to
// a trial is created again.
func TestReuse(t *testing.T) {
	config, db := testConfig(t)
	tables := []workload.Table{words(100)}
	load(t, config, tables, options())
	marker := ask(t, db, "SELECT table_comment FROM information_schema.tables WHERE table_schema='"+config.DBName+"'")
	if !strings.HasPrefix(marker, "mysweep workload=test options=size=1 seed=7 schema=1 print=") || !strings.HasSuffix(marker, " state=ready") {
		t.Errorf("marker: %s", marker)
	}
	other := options()
	other.Workload, other.WorkloadOptions = "other", "" // the same table under another workload
	if l := load(t, config, tables, other); !l[0].Reused || l[0].Rows != 100 {
		t.Errorf("a table that fits: %+v", l[0])
	}
	if l := load(t, config, []workload.Table{words(101)}, options()); l[0].Reused || l[0].Rows != 101 {
		t.Errorf("another number of rows: %+v", l[0])
	}
	if _, err := db.Exec("ALTER TABLE " + config.DBName + ".words COMMENT='" + strings.Replace(marker, "ready", "loading", 1) + "'"); err != nil {
		t.Fatal(err)
	}
	if l := load(t, config, tables, options()); l[0].Reused || l[0].Rows != 100 {
		t.Errorf("a table whose load was cut off: %+v", l[0])
	}
	if _, err := db.Exec("DELETE FROM " + config.DBName + ".words WHERE id=5"); err != nil {
		t.Fatal(err)
	}
	if l := load(t, config, tables, options()); l[0].Reused || l[0].Rows != 100 {
		t.Errorf("a table from which a trial took a row: %+v", l[0])
	}
	kept := words(100)
	kept.Bookkeeping = true
	if _, err := db.Exec("DELETE FROM " + config.DBName + ".words WHERE id=5"); err != nil {
		t.Fatal(err)
	}
	if l := load(t, config, []workload.Table{kept}, options()); !l[0].Reused || l[0].Rows != 99 {
		t.Errorf("a table for bookkeeping: %+v", l[0])
	}
	if l, err := bulk.Check(t.Context(), config, []workload.Table{{Name: "nowhere", Bookkeeping: true}}); err != nil || len(l) != 0 {
		t.Errorf("a table for bookkeeping is not looked for among existing ones: %v, %v", l, err)
	}
}

// TestPrepared: a table that is there to stay is used by runs as it is, whatever trials have
// changed, refused when it does not fit, and dropped on demand alone; one that a run made for
// itself is rebuilt and dropped.
func TestPrepared(t *testing.T) {
	config, db := testConfig(t)
	prepare, ofRun := options(), options()
	prepare.Protect, ofRun.Protect, ofRun.Temporary = true, true, true
	tables := []workload.Table{words(100)}
	load(t, config, tables, prepare)
	if l := load(t, config, tables, ofRun); !l[0].Reused || !l[0].Prepared || l[0].Note != "" {
		t.Errorf("a prepared table: %+v", l[0])
	}
	if _, err := db.Exec("DELETE FROM " + config.DBName + ".words WHERE id < 10"); err != nil {
		t.Fatal(err)
	}
	ofRun.Fresh = true
	if l := load(t, config, tables, ofRun); !l[0].Reused || l[0].Rows != 90 || !strings.Contains(l[0].Note, "has 90 rows, was prepared with 100") {
		t.Errorf("a prepared table from which trials took rows: %+v", l[0])
	}
	other := ofRun
	other.WorkloadOptions, other.StorageEngine = "size=2", "MyISAM"
	for name, check := range map[string]func() error{
		"check": func() error { return bulk.CheckPrepared(t.Context(), config, []workload.Table{words(50)}, other) },
		"load": func() error {
			_, err := bulk.Load(t.Context(), config, []workload.Table{words(50)}, other)
			return err
		},
	} {
		var misfit *bulk.MisfitError
		if err := check(); !errors.As(err, &misfit) || !strings.Contains(misfit.Found, "size=1 seed=7 engine=InnoDB") || !strings.Contains(misfit.Wanted, "size=2 seed=7 engine=MyISAM") {
			t.Errorf("%s with other rows: %v; want a misfit with both descriptions", name, err)
		}
	}
	if dropped, err := bulk.Drop(t.Context(), config, tables, ofRun); err != nil || len(dropped) > 0 {
		t.Errorf("a run dropped %v, %v; want nothing", dropped, err)
	}
	if n := ask(t, db, "SELECT COUNT(*) FROM "+config.DBName+".words"); n != "90" {
		t.Errorf("%s rows are left; want 90", n)
	}
	if dropped, err := bulk.Drop(t.Context(), config, tables, prepare); err != nil || len(dropped) != 1 {
		t.Errorf("dropped %v, %v; want the table", dropped, err)
	}
	load(t, config, tables, ofRun)
	ofRun.Fresh = false
	if l := load(t, config, []workload.Table{words(50)}, ofRun); l[0].Reused || l[0].Prepared || l[0].Rows != 50 {
		t.Errorf("a table that another run has left: %+v", l[0])
	}
	if dropped, err := bulk.Drop(t.Context(), config, tables, ofRun); err != nil || len(dropped) != 1 {
		t.Errorf("dropped %v, %v; want the run's own table", dropped, err)
	}
}

// TestForeignTable: what others made is neither changed nor dropped, and the error says what to do.
func TestForeignTable(t *testing.T) {
	config, db := testConfig(t)
	for _, sql := range []string{"CREATE DATABASE " + config.DBName, "CREATE TABLE " + config.DBName + ".words (id INT, word CHAR(3), amount INT, nothing INT)",
		"INSERT INTO " + config.DBName + ".words VALUES (1,'a',2,3)"} {
		if _, err := db.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	_, err := bulk.Load(t.Context(), config, []workload.Table{words(10)}, options())
	if err == nil || !strings.Contains(err.Error(), config.DBName+".words exists and was not made by mysweep") {
		t.Errorf("load: %v", err)
	}
	if dropped, err := bulk.Drop(t.Context(), config, []workload.Table{words(10)}, options()); err != nil || len(dropped) != 0 {
		t.Errorf("dropped %v, %v", dropped, err)
	}
	found, err := bulk.Check(t.Context(), config, []workload.Table{words(10)})
	if err != nil || len(found) != 1 || found[0].Rows != 1 || found[0].Note == "" {
		t.Errorf("check: %+v %v", found, err)
	}
	if got := ask(t, db, "SELECT CONCAT(COUNT(*), MAX(word)) FROM "+config.DBName+".words"); got != "1a" {
		t.Errorf("the foreign table has become %s", got)
	}
}

// TestBinaryLog: with NoBinlog nothing of the load is in the binary log.
func TestBinaryLog(t *testing.T) {
	config, db := testConfig(t)
	position := func() string {
		var file, at string
		var a, b any
		if err := db.QueryRow("SHOW MASTER STATUS").Scan(&file, &at, &a, &b); err != nil {
			t.Fatal(err)
		}
		return file + ":" + at
	}
	o := options()
	o.NoBinlog = true
	before := position()
	load(t, config, []workload.Table{words(100)}, o)
	if after := position(); after != before {
		t.Errorf("the binary log went from %s to %s", before, after)
	}
	o.NoBinlog, o.Fresh = false, true
	load(t, config, []workload.Table{words(100)}, o)
	if after := position(); after == before {
		t.Error("without NoBinlog nothing was logged either: the test shows nothing")
	}
}

// TestRefusals: rows that do not fit their columns, and tables that are not there, are errors that
// name the table.
func TestRefusals(t *testing.T) {
	config, _ := testConfig(t)
	narrow := words(10)
	narrow.Columns = "id INT PRIMARY KEY, word VARBINARY(2) NOT NULL, amount DECIMAL(12,2), nothing INT"
	if _, err := bulk.Load(t.Context(), config, []workload.Table{narrow}, options()); err == nil || !strings.Contains(err.Error(), "words: a row does not fit") {
		t.Errorf("too narrow a column: %v", err)
	}
	if _, err := bulk.Check(t.Context(), config, []workload.Table{{Name: "missing", Load: []string{"a"}}}); err == nil || !strings.Contains(err.Error(), ".missing") {
		t.Errorf("a missing table: %v", err)
	}
}

// TestSmallPackets: a server that takes no packet of the size that LOAD DATA LOCAL is sent in gets
// its rows by INSERT.
func TestSmallPackets(t *testing.T) {
	config, db := testConfig(t)
	for _, packet := range []int{1024, 16384} {
		if _, err := db.Exec("SET GLOBAL max_allowed_packet = ?", packet); err != nil {
			t.Fatal(err)
		}
		defer db.Exec("SET GLOBAL max_allowed_packet = DEFAULT")
		o := options()
		o.Fresh = true
		if l := load(t, config, []workload.Table{words(5000)}, o)[0]; l.Rows != 5000 || l.Method != bulk.ByInsert || !strings.Contains(l.Note, "max_allowed_packet") {
			t.Errorf("max_allowed_packet %d: %+v", packet, l)
		}
	}
}

// TestText: text arrives character by character in a column of UTF-8, whichever way it is loaded,
// and what is no UTF-8 is refused.
func TestText(t *testing.T) {
	config, db := testConfig(t)
	text := func(content string) workload.Table {
		return workload.Table{
			Name: "texts", Columns: "id INT PRIMARY KEY, word VARCHAR(20) NOT NULL", Load: []string{"id", "word"}, Rows: 1,
			Row: func(w *workload.Row, _ *rand.Rand, i int64) { w.Int(i); w.Text(content) },
		}
	}
	for _, c := range []struct {
		charset string
		insert  bool
	}{{"utf8mb4", false}, {"utf8mb4", true}, {"latin1", false}, {"latin1", true}} {
		o := options()
		o.Charset, o.Collation, o.NoLocalInfile, o.Fresh = c.charset, c.charset+"_bin", c.insert, true
		load(t, config, []workload.Table{text("Größe\t")}, o)
		if got := ask(t, db, "SELECT CONCAT(word = _utf8mb4'Größe\t', CHAR_LENGTH(word)) FROM "+config.DBName+".texts"); got != "16" {
			t.Errorf("%+v: %s", c, got)
		}
		if _, err := bulk.Load(t.Context(), config, []workload.Table{text("Gr\xf6\xdfe")}, o); c.charset == "utf8mb4" && err == nil {
			t.Errorf("%+v: bytes that are no UTF-8 were taken", c)
		}
	}
}

// TestDropOtherOptions: tables that the workload has with other options only go as well, those of
// another workload stay.
func TestDropOtherOptions(t *testing.T) {
	config, _ := testConfig(t)
	second, foreign := words(10), words(10)
	second.Name, second.After, foreign.Name, foreign.After = "words2", nil, "others", nil
	load(t, config, []workload.Table{words(10), second}, options())
	other := options()
	other.Workload += "2"
	load(t, config, []workload.Table{foreign}, other)
	dropped, err := bulk.Drop(t.Context(), config, []workload.Table{words(10)}, options())
	if err != nil || !slices.Equal(dropped, []string{"words", "words2"}) {
		t.Errorf("dropped %v, %v; want words and words2", dropped, err)
	}
}

// TestDrop drops what is ours and says so.
func TestDrop(t *testing.T) {
	config, db := testConfig(t)
	tables := []workload.Table{words(10)}
	load(t, config, tables, options())
	dropped, err := bulk.Drop(t.Context(), config, tables, options())
	if err != nil || len(dropped) != 1 || dropped[0] != "words" {
		t.Errorf("dropped %v, %v", dropped, err)
	}
	if n := ask(t, db, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='"+config.DBName+"'"); n != "0" {
		t.Errorf("%s tables are left", n)
	}
}

// A table that is altered before its load is filled as it then is, and one that was made without
// is not taken for it.
func TestAlteredTable(t *testing.T) {
	config, db := testConfig(t)
	plain, altered := words(10), words(10)
	altered.Before = []string{"ALTER TABLE words ADD INDEX by_amount (amount)"}
	for _, step := range []struct {
		table   workload.Table
		reused  bool
		indexes int
	}{{plain, false, 0}, {altered, false, 1}, {altered, true, 1}} {
		o := options()
		o.Temporary = true
		if l := load(t, config, []workload.Table{step.table}, o); l[0].Reused != step.reused || l[0].Rows != 10 {
			t.Errorf("before %q: %+v", step.table.Before, l[0])
		}
		var indexes int
		if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = ? AND index_name = 'by_amount'", config.DBName).Scan(&indexes); err != nil || indexes != step.indexes {
			t.Errorf("before %q: %d indexes, want %d (%v)", step.table.Before, indexes, step.indexes, err)
		}
	}
}

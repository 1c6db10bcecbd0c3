package verdict

import (
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// stockBufferPool is innodb_buffer_pool_size when nobody sets it: 128 MiB in
// MariaDB and MySQL alike.
const stockBufferPool = 128 << 20

// server looks at what the server is and did.
func (l *looker) server() {
	if n := l.trial.Evidence.ForeignQueries; n != nil && *n > 0 && l.trial.Measure.Queries > 0 {
		share := float64(*n) / float64(l.trial.Measure.Queries)
		l.say("foreign-queries", share, "others sent %s to the server meanwhile, %s of ours", plural(int(*n), "statement"), percent(share))
	}
	if l.kase != nil {
		l.bufferPool()
		l.durability()
		l.logs()
	}
	l.scale()
	l.customers()
}

// bufferPool compares the data with InnoDB's cache.
func (l *looker) bufferPool() {
	pool, ok := l.number("innodb_buffer_pool_size")
	if !ok || !strings.EqualFold(l.trial.StorageEngine, "InnoDB") && l.trial.StorageEngine != "" {
		return
	}
	stock := ""
	if pool == stockBufferPool {
		stock = ", the default size"
		l.say("stock-buffer-pool", 0, "buffer pool at its default size (128 MiB); server not tuned")
	}
	if l.trial.DataBytes == nil || pool <= 0 {
		return
	}
	data := float64(*l.trial.DataBytes)
	what := bytes(data)
	if rows := l.trial.TableRows; rows != nil {
		what = count(float64(*rows)) + " rows, " + bytes(data)
	}
	if data <= pool {
		l.say("in-memory", data, "data set (%s) fits in the buffer pool (%s%s): disk reads not exercised", what, bytes(pool), stock)
		return
	}
	l.say("io-bound", data, "data set (%s) is %s times the buffer pool (%s%s): reads go to the page cache or the disk", what, short(data/pool), bytes(pool), stock)
}

// durability names what lets a commit return before it is on disk.
func (l *looker) durability() {
	if l.trial.Measure.Writes == 0 {
		return
	}
	if v := l.kase.Variables["innodb_flush_log_at_trx_commit"]; v == "0" || v == "2" {
		l.say("not-durable", 0, "innodb_flush_log_at_trx_commit is %s: commits do not wait for the disk", v)
		return
	}
	if v := l.kase.Variables["sync_binlog"]; isOn(l.kase.Variables["log_bin"]) && v != "" && v != "1" {
		l.say("not-durable", 0, "sync_binlog is %s with the binary log on: a crash may lose committed events", v)
	}
}

// logs names what makes the server do more, or less, than it would else.
func (l *looker) logs() {
	if isOn(l.kase.Variables["general_log"]) {
		l.say("general-log", 0, "the general log is on: every statement is written to it")
	}
	if size, ok := l.number("query_cache_size"); ok && size > 0 && isOn(l.kase.Variables["query_cache_type"]) {
		l.say("query-cache", 0, "the query cache is on (%s): repeated statements may be answered without being run", bytes(size))
	}
	if strings.Contains(strings.ToLower(l.kase.Version), "debug") {
		l.say("debug-build", 0, "%s is a build for debugging", l.kase.Version)
	}
}

// scale compares TPC-B's scale with the threads: each branch is one row that
// all of its threads wait for.
func (l *looker) scale() {
	w := workloadOf(&l.run.Plan, l.trial.Workload)
	if w == nil || w.Name != "tpcb" {
		return
	}
	scale, err := strconv.Atoi(w.Options["scale"])
	if err != nil {
		scale = 1
	}
	if scale < l.trial.Threads {
		l.say("scale-below-threads", float64(l.trial.Threads)/float64(scale), "scale %d is less than %d threads: they queue for the rows of the branches",
			scale, l.trial.Threads)
	}
}

// customersPerUser is DBT-1's own scale.
const customersPerUser = 2880

// customers compares DBT-1's customers with the emulated users.
func (l *looker) customers() {
	w := workloadOf(&l.run.Plan, l.trial.Workload)
	if w == nil || w.Name != "dbt1" {
		return
	}
	customers, err := strconv.Atoi(w.Options["customers"])
	if err != nil || customers == 0 { // as many as the largest cell wants
		return
	}
	if full := customersPerUser * l.trial.Threads; customers < full {
		l.say("customers-scaled", float64(full)/float64(customers), "%d customers were loaded for %d users, for whom DBT-1 has %d: the data is smaller than its own",
			customers, l.trial.Threads, full)
	}
}

func (l *looker) number(variable string) (float64, bool) {
	v, err := strconv.ParseFloat(l.kase.Variables[variable], 64)
	return v, err == nil
}

func isOn(value string) bool {
	return strings.EqualFold(value, "ON") || value == "1"
}

func workloadOf(p *plan.Plan, label string) *plan.Workload {
	for i := range p.Workloads {
		if p.Workloads[i].Label() == label {
			return &p.Workloads[i]
		}
	}
	return nil
}

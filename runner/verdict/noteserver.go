package verdict

import (
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// stockBufferPool is innodb_buffer_pool_size by default: 128 MiB in
// MariaDB and MySQL alike.
const stockBufferPool = 128 << 20

// server looks at what the server is and did.
func (l *trialNotes) server() {
	if n := l.trial.Evidence.ForeignQueries; n != nil && *n > 0 && l.trial.Measure.Queries > 0 {
		share := float64(*n) / float64(l.trial.Measure.Queries)
		l.say("foreign-queries", share, Counted{int(*n), "statement"}, Share(share))
	}
	if l.caseInfo != nil {
		l.bufferPool()
		l.durability()
		l.logs()
	}
	l.scale()
	l.customers()
}

// bufferPool compares the data with InnoDB's cache.
func (l *trialNotes) bufferPool() {
	pool, ok := l.number("innodb_buffer_pool_size")
	if !ok || !strings.EqualFold(l.trial.StorageEngine, "InnoDB") && l.trial.StorageEngine != "" {
		return
	}
	if pool == stockBufferPool {
		l.say("stock-buffer-pool", 0)
	}
	if l.trial.DataBytes == nil || pool <= 0 {
		return
	}
	data := float64(*l.trial.DataBytes)
	figures := []any{Bytes(data)}
	if rows := l.trial.TableRows; rows != nil {
		figures = []any{Count(*rows), Bytes(data)}
	}
	if data <= pool {
		l.say("in-memory", data, append(figures, Bytes(pool))...)
		return
	}
	l.say("io-bound", data, append(figures, Number(data/pool), Bytes(pool))...)
}

// durability names what lets a commit return before it is on disk.
func (l *trialNotes) durability() {
	if l.trial.Measure.Writes == 0 {
		return
	}
	if v := l.caseInfo.Variables["innodb_flush_log_at_trx_commit"]; v == "0" || v == "2" {
		l.say("not-durable", 0, Name("innodb_flush_log_at_trx_commit"), Name(v))
		return
	}
	if v := l.caseInfo.Variables["sync_binlog"]; isOn(l.caseInfo.Variables["log_bin"]) && v != "" && v != "1" {
		l.say("not-durable", 0, Name("sync_binlog"), Name(v))
	}
}

// logs names what makes the server do more, or less, than it would else.
func (l *trialNotes) logs() {
	if isOn(l.caseInfo.Variables["general_log"]) {
		l.say("general-log", 0)
	}
	if size, ok := l.number("query_cache_size"); ok && size > 0 && isOn(l.caseInfo.Variables["query_cache_type"]) {
		l.say("query-cache", 0, Bytes(size))
	}
	if strings.Contains(strings.ToLower(l.caseInfo.Version), "debug") {
		l.say("debug-build", 0, Name(l.caseInfo.Version))
	}
}

// scale compares TPC-B's scale with the threads: each branch is one row that
// all of its threads wait for.
func (l *trialNotes) scale() {
	w := workloadOf(&l.run.Plan, l.trial.Workload)
	if w == nil || w.Name != "tpcb" {
		return
	}
	scale, err := strconv.Atoi(w.Options["scale"])
	if err != nil {
		scale = 1
	}
	if scale < l.trial.Threads {
		l.say("scale-below-threads", float64(l.trial.Threads)/float64(scale),
			Count(scale), Count(l.trial.Threads))
	}
}

// customersPerUser is DBT-1's own scale.
const customersPerUser = 2880

// customers compares DBT-1's customers with the emulated users.
func (l *trialNotes) customers() {
	w := workloadOf(&l.run.Plan, l.trial.Workload)
	if w == nil || w.Name != "dbt1" {
		return
	}
	customers, err := strconv.Atoi(w.Options["customers"])
	if err != nil || customers == 0 { // as many as the largest cell wants
		return
	}
	if full := customersPerUser * l.trial.Threads; customers < full {
		l.say("customers-scaled", float64(full)/float64(customers),
			Count(customers), Count(l.trial.Threads), Count(full))
	}
}

func (l *trialNotes) number(variable string) (float64, bool) {
	v, err := strconv.ParseFloat(l.caseInfo.Variables[variable], 64)
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

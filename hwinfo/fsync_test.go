package hwinfo

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFsyncProbe(t *testing.T) {
	dir := t.TempDir()
	probes, err := FsyncProbe(context.Background(), dir, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if len(probes) != 2 || probes[0].Bytes != 4096 || probes[1].Bytes != 512 {
		t.Fatalf("probes %+v", probes)
	}
	for _, p := range probes {
		if p.Count < 1 || p.P50 == nil || p.Max == nil || *p.P50 <= 0 || *p.P50 > *p.Max {
			t.Errorf("%+v", p)
		}
		if (p.P99 != nil) != (p.Count >= 100) {
			t.Errorf("p99 of %d samples: %v", p.Count, p.P99)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are left", len(left))
	}
	var f Facts
	f.AddFsync(probes, dir)
	if v, ok := f.Float("datadir.fsync_4k_p50_seconds"); !ok || v != *probes[0].P50 {
		t.Errorf("datadir.fsync_4k_p50_seconds = %v", v)
	}
	for _, fact := range f.List {
		if err := allowed(documentedKeys(t), fact.Key, fact.Value); err != nil {
			t.Error(err)
		}
	}
}

func TestFsyncPercentiles(t *testing.T) {
	var took []time.Duration
	for i := 200; i > 0; i-- {
		took = append(took, time.Duration(i)*time.Millisecond)
	}
	p := fsyncOf(512, took)
	if *p.P50 != 0.1 || *p.P99 != 0.198 || *p.Max != 0.2 {
		t.Errorf("p50 %v p99 %v max %v", *p.P50, *p.P99, *p.Max)
	}
}

func TestFsyncProbeWhereNothingMayBeWritten(t *testing.T) {
	if _, err := FsyncProbe(context.Background(), filepath.Join(t.TempDir(), "missing"), time.Second); err == nil {
		t.Error("no error")
	}
}

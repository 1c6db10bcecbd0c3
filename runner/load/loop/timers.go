package loop

import (
	"container/heap"
	"time"
)

// timers is a heap of tasks by the time under which they were queued. A task whose limit has moved
// to later stays where it is and is put right when that time comes: the common case, a limit per
// query that is never reached, costs no heap work.
type timers struct{ heap taskHeap }

// set ensures that the task is in the heap under its limit or an earlier time.
func (ts *timers) set(t *Task) {
	switch {
	case t.heapIndex < 0:
		t.queuedAt = t.limit
		heap.Push(&ts.heap, t)
	case t.limit < t.queuedAt:
		t.queuedAt = t.limit
		heap.Fix(&ts.heap, t.heapIndex)
	}
}

// remove takes an ended task out.
func (ts *timers) remove(t *Task) {
	if t.heapIndex >= 0 {
		heap.Remove(&ts.heap, t.heapIndex)
	}
}

// next returns when to look again, 0 when there is nothing to wait for.
func (ts *timers) next() time.Duration {
	if len(ts.heap) == 0 {
		return 0
	}
	return ts.heap[0].queuedAt
}

// fire resumes the tasks whose limit has passed.
func (ts *timers) fire(l *Loop) {
	if len(ts.heap) == 0 {
		return
	}
	now := l.Now()
	for len(ts.heap) > 0 && ts.heap[0].queuedAt <= now {
		t := ts.heap[0]
		waiting := t.state == forRead || t.state == forWrite || t.state == forWakeUp
		switch {
		case !waiting || t.limit == 0:
			heap.Remove(&ts.heap, 0)
		case t.limit > now:
			t.queuedAt = t.limit
			heap.Fix(&ts.heap, 0)
		default:
			heap.Remove(&ts.heap, 0)
			t.expired = true
			l.resume(t)
		}
	}
}

// taskHeap implements heap.Interface.
type taskHeap []*Task

func (h taskHeap) Len() int           { return len(h) }
func (h taskHeap) Less(i, j int) bool { return h[i].queuedAt < h[j].queuedAt }
func (h taskHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].heapIndex, h[j].heapIndex = i, j
}

// Push and Pop implement heap.Interface.
func (h *taskHeap) Push(x any) {
	t := x.(*Task)
	t.heapIndex = len(*h)
	*h = append(*h, t)
}

func (h *taskHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.heapIndex = -1
	return t
}

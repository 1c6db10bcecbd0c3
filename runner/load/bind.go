package load

import (
	"database/sql/driver"
	"unsafe"

	"github.com/mysweep/mysweep/runner/workload"
)

// binder turns a statement's arguments into what the driver takes, without allocating. Go allocates
// whenever a number or a text is put into an interface; the binder owns memory for one value of
// each slot and makes interfaces that point there. That is sound as long as nobody keeps the values
// after the call, and the driver writes them out before it returns.
type binder struct {
	values []driver.Value
	cells  []workload.Arg
}

// iface is the layout of an empty interface: a type and a pointer to the value.
type iface struct {
	kind unsafe.Pointer
	data unsafe.Pointer
}

var (
	integerKind = kindOf(int64(0))
	realKind    = kindOf(float64(0))
	textKind    = kindOf("")
)

func kindOf(v any) unsafe.Pointer { return (*iface)(unsafe.Pointer(&v)).kind }

// bind returns the arguments as driver values, valid until the next call.
func (b *binder) bind(args workload.Args) []driver.Value {
	if len(args) == 0 {
		return nil
	}
	if len(args) > len(b.cells) {
		b.cells = make([]workload.Arg, len(args))
		b.values = make([]driver.Value, len(args))
	}
	for i := range args {
		cell, value := &b.cells[i], &b.values[i]
		switch *cell = args[i]; cell.Form {
		case workload.Integer:
			point(value, integerKind, unsafe.Pointer(&cell.Int))
		case workload.Real:
			point(value, realKind, unsafe.Pointer(&cell.Float))
		case workload.Text:
			point(value, textKind, unsafe.Pointer(&cell.Text))
		default:
			*value = nil
		}
	}
	return b.values[:len(args)]
}

func point(value *driver.Value, kind, data unsafe.Pointer) {
	*(*iface)(unsafe.Pointer(value)) = iface{kind, data}
}

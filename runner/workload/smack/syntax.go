package smack

import "github.com/mysweep/mysweep/runner/workload/syntax"

// File is a parsed .smack file.
type File struct {
	Path         string
	Clients      []*Client
	Queries      []*Query
	Dictionaries []*Dictionary
	Tables       []*Table
	Main         []Line
}

// Value is a text of a section with its position. The zero Value is unset.
type Value struct {
	Text  string
	token token
}

// At is the position of the value.
func (v Value) At() syntax.Position { return v.token.at }

// Set reports whether the file has the value.
func (v Value) Set() bool { return v.token.kind != "" }

// Section is the head of a section: what is common to all kinds.
type Section struct {
	Name string
	At   syntax.Position
}

// Client is one kind of user. User, Pass, Host, DB, Port and Socket are not used.
type Client struct {
	Section
	User, Pass, Host, DB, Port, Socket, QueryBarrel Value
}

// Query is one query.
type Query struct {
	Section
	SQL, Type, HasResultSet, Parsed Value
}

// Dictionary is where the words for a query come from.
type Dictionary struct {
	Section
	Type, SourceType, Source, Delim, FileSizeEquiv Value
}

// Table is a table to create and fill.
type Table struct {
	Section
	Client, Create, Alter, MinRows, DataFile, GenDataFile Value
}

// Line is one line of main: a call, or an assignment when Variable is set.
type Line struct {
	At       syntax.Position
	Variable string
	Client   string
	Method   string
	MethodAt syntax.Position
	Args     []Expr // of an assignment, its only value
}

// Expr is an expression: its parts are written one after the other.
type Expr []Operand

// Operand is one part of an expression.
type Operand struct {
	At   syntax.Position
	Kind OperandKind
	Text string // a literal, the name of a variable, the digits of an argument
	// Of a figure: the client, the query type ("" for a figure of the client
	// itself), and which one.
	Client, Type, Figure string
}

// OperandKind is the kind of an Operand.
type OperandKind uint8

const (
	Literal  OperandKind = iota
	Argument             // $1
	Variable             // $name
	Figure               // client::avg_connect_time, client::type::num_queries
)

// The figures that a file can name.
var (
	clientFigures = []string{"max_connect_time", "min_connect_time", "avg_connect_time"}
	typeFigures   = []string{"num_queries", "max_time", "min_time", "q_per_s"}
)

// methods are the methods of main with the number of their arguments.
var methods = map[string]int{
	"init": 0, "set_num_rounds": 1, "create_threads": 1, "connect": 0, "unload_query_barrel": 0,
	"collect_threads": 0, "disconnect": 0, "sleep": 2, "print": 1, "query": 1,
	"run_save_result": 2, "run_check_result": 2,
}

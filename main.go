// Command mysweep benchmarks MySQL-protocol servers: see README.md.
package main

import (
	"os"

	"github.com/mysweep/mysweep/runner/command"
)

func main() {
	os.Exit(command.Main(os.Args, command.System()))
}

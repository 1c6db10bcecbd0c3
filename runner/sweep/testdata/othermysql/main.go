// Program othermysql is a server that speaks MySQL's protocol and is no MySQL: dolthub's
// go-mysql-server, with an empty schema in memory. It is a module of its own, so that what it needs
// stays out of mysweep's.
//
//	usage: othermysql ADDRESS
package main

import (
	"fmt"
	"os"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
)

func main() {
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "othermysql:", err)
		os.Exit(1)
	}
}

func serve(address string) error {
	database := memory.NewDatabase("mysweep")
	database.BaseDatabase.EnablePrimaryKeyIndexes()
	provider := memory.NewDBProvider(database)
	config := server.Config{Protocol: "tcp", Address: address}
	s, err := server.NewServer(config, sqle.NewDefault(provider), sql.NewContext, memory.NewSessionBuilder(provider), nil)
	if err != nil {
		return err
	}
	return s.Start()
}

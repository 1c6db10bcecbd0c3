package observe

import (
	"os"
	"testing"

	"github.com/mysweep/mysweep/runner/server/servertest"
)

func TestMain(m *testing.M) { os.Exit(servertest.Run(m)) }

# make demo    sets up what is missing, benchmarks a private server, prints the report's path
# make test    sets up what is missing, runs all tests
# make         builds bin/mysweep
# make gallery makes a page of each kind, and pictures of them, in build/gallery
# make release builds binaries, packages and checksums in build/release

SHELL   := /bin/sh
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# A checkout may belong to somebody else (a container's mount): git is asked
# here, where a refusal is no failure, and not by go build.
BUILD   := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w -X github.com/mysweep/mysweep/runner/command.version=$(VERSION)'
GOTEST  := go test -buildvcs=false

FUZZTIME ?= 10s
TESTS    ?=
VULNDB   ?= https://vuln.go.dev

.PHONY: build demo gallery test test-all test-faults lint vuln test-mariadb test-mysql bench fuzz release clean go
.NOTPARALLEL:

build: go
	@$(BUILD) -o bin/mysweep .

go:
	@command -v go >/dev/null || { echo 'Go is missing: take 1.26 or newer from https://go.dev/dl/ and put its bin folder into PATH'; exit 1; }

demo: go
	@.ci/server
	@$(MAKE) --no-print-directory build
	@.ci/demo

# Each kind of page, of short runs and of made-up ones, with pictures: PAGES='tuning compare' makes only these.
gallery: go
	@.ci/server
	@$(MAKE) --no-print-directory build
	@.ci/gallery $(PAGES)

lint: go
	@files=$$(find . -name '*.go' -not -path './build/*' | xargs gofmt -l); [ -z "$$files" ] || { echo "gofmt these: $$files"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# What lint finds keeps nothing from being tested, as a failing package keeps
# none of the others.
test: go
	@.ci/setup
	@$(MAKE) --no-print-directory build
	@lint=ok; $(MAKE) --no-print-directory lint || lint=failed; \
	.ci/test $(TESTS); tests=$$?; \
	[ $$lint = ok ] || echo 'lint failed: see above'; \
	[ $$lint = ok ] && [ $$tests = 0 ]

# All of it: the full product of faults and settings instead of a selection, 50
# kills instead of 5, 2,000 trials of soak instead of 400. Takes about an hour.
test-all:
	@MYSWEEP_TEST_ALL=1 $(MAKE) --no-print-directory test

# What goes wrong in a run and around it: the table of faults at its end.
test-faults: go
	@.ci/setup
	go test -buildvcs=false -timeout 60m -v -run '^Test(Faults|Kills|Soak|BadInput|ReportMemory|Pairs)$$' ./runner/command

# The same tests on the newest MariaDB instead of the one that is installed
# (about 150 MB, brought once into a folder of its own).
test-mariadb: go
	@.ci/setup
	@server=$$(.ci/mariadb) && PATH=$$(dirname "$$server"):$$PATH .ci/test $(or $(TESTS),./runner/...)

# The tests that know about a second server, run with Oracle's MySQL beside
# MariaDB (as large, in a folder of its own).
test-mysql: go
	@.ci/setup
	@mysqld=$$(.ci/mysql) && MYSWEEP_TEST_MYSQLD=$$mysqld .ci/test \
		$$(grep -rl MYSWEEP_TEST_MYSQLD --include='*_test.go' . | xargs -n 1 dirname | sort -u)

# Known vulnerabilities of our dependencies and of Go that our code can reach.
# The database is on the network; VULNDB=file:///FOLDER names a copy of it.
vuln: go
	@go run golang.org/x/vuln/cmd/govulncheck@latest -db $(VULNDB) ./...; status=$$?; \
	case $$status in 0) ;; \
	*) echo "govulncheck found something, or could not read $(VULNDB): see above (VULNDB=file:///FOLDER names a copy)"; exit $$status ;; esac

bench: build
	@bench/run

fuzz: go
	@.ci/fuzz $(FUZZTIME)

# For linux on amd64 and arm64; packaging/check builds it twice and tries the deb.
release: go
	@packaging/release build/release

clean:
	rm -rf bin build

# make demo    sets up what is missing, benchmarks a private server, prints the report's path
# make test    sets up what is missing, runs all tests
# make         builds bin/mysweep

SHELL   := /bin/sh
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# A checkout may belong to somebody else (a container's mount): git is asked
# here, where a refusal is no failure, and not by go build.
BUILD   := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w -X github.com/mysweep/mysweep/runner/command.version=$(VERSION)'
GOTEST  := go test -buildvcs=false

FUZZTIME ?= 10s
TESTS    ?=

.PHONY: build demo test lint test-mysql bench fuzz clean go
.NOTPARALLEL:

build: go
	@$(BUILD) -o bin/mysweep .

go:
	@command -v go >/dev/null || { echo 'Go is missing: take 1.26 or newer from https://go.dev/dl/ and put its bin folder into PATH'; exit 1; }

demo: go
	@.ci/server
	@$(MAKE) --no-print-directory build
	@.ci/demo

lint: go
	@files=$$(find . -name '*.go' -not -path './build/*' | xargs gofmt -l); [ -z "$$files" ] || { echo "gofmt these: $$files"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

# go test comes last, so that its verdict is what one sees last.
test: go
	@.ci/setup
	@$(MAKE) --no-print-directory build lint
	@.ci/test $(TESTS)

# The tests that know about a second server, run with Oracle's MySQL beside
# MariaDB (about 150 MB, brought once into a folder of its own).
test-mysql: go
	@.ci/setup
	@mysqld=$$(.ci/mysql) && MYSWEEP_TEST_MYSQLD=$$mysqld $(GOTEST) -timeout 30m \
		$$(grep -rl MYSWEEP_TEST_MYSQLD --include='*_test.go' . | xargs -n 1 dirname | sort -u)

bench: build
	@bench/run

fuzz: go
	@.ci/fuzz $(FUZZTIME)

clean:
	rm -rf bin build

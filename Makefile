# Shortcuts for people. What each step does is written once, in .ci/run; CI calls that file and not this one.

FUZZTIME ?= 30s

.DEFAULT_GOAL := help
.PHONY: help check test lint fuzz golden bench demo screenshots

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: ## everything CI does
	.ci/run

test: ## all tests, cached
	go test ./...

lint: ## golangci-lint over the module (the first run builds it: some minutes)
	go tool -modfile=tools/go.mod golangci-lint run

fuzz: ## every fuzz target for FUZZTIME (30s) each
	FUZZTIME=$(FUZZTIME) .ci/run fuzz

golden: ## regenerate the generated documents, then show what changed, for a human to read
	go generate ./...
	@git status --short
	@git --no-pager diff

bench: ## all benchmarks
	go test -run '^$$' -bench . ./...

demo: ## score the bundled sample
	go run ./cmd/tcsexam demo

screenshots: ## pictures of every page in build/screenshots, in three sizes and both themes (needs chromium)
	SCOREBOOK_REQUIRE=browser SCOREBOOK_SCREENSHOTS=$(CURDIR)/build/screenshots go test -count=1 -run TestScreenshots ./cmd/scorebook

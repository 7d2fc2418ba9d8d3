# `make help` explains the targets. The same go flags everywhere share one build
# cache; no cgo, so that only Go and make are needed.
export CGO_ENABLED := 0
export GOFLAGS := $(shell tr '\n' ' ' < internal/lab/tools/goflags)$(GOFLAGS)
.DEFAULT_GOAL := help

STACK   ?= lab
PROGRAM ?= go
PORT    ?= 0
SEED    ?= 1
STAGES  ?= unit tools e2e
VERSION ?=
DAY     ?=
BASE    ?= /
# make test sets it to -json.
JSON    :=
BEFORE  ?= eef9502
MEASURE ?= up,archive,test,clone
COMMITS ?= eef9502 b7da5c8 HEAD
SINCE   ?=
WITHIN  ?= 60

MODULES := . internal/azuresim internal/lab internal/provider internal/release tests

# The lab's command replaces the shell, so that signals reach it. A small command builds its
# prerequisites first.
PREPARE := go -C internal/lab run ./cmd/prepare
# `go tool` would compile everything again: it does not use the compiler's flags.
LAB  := go -C internal/lab build -buildvcs=false -o $(CURDIR)/bin/lab ./cmd/lab && exec bin/lab
TOOL = go tool -modfile=$(CURDIR)/internal/lab/tools/$(1)/go.mod $(1)
LINT := $(call TOOL,golangci-lint)

# Linking takes much of the time of the tests: without debug information it takes half as
# long. go vet runs before the tests.
TEST := test -ldflags=-w -vet=off -timeout 60m $(JSON)

# Compilers, tests and what they start collect garbage less often: processors are scarce, memory is not.
unit e2e: export GOGC := $(or $(GOGC),400)

# A generated file is the golden file of a test called TestGenerated…, which compares it,
# and writes it with -update: make lint compares, make generate writes.
generating = $(sort $(dir $(shell grep -rl --include=*_test.go '^func TestGenerated' $(1))))
GENERATED  = go $(TEST) -count=1 -run '^TestGenerated' \
		$(addprefix ./,$(call generating,core machines components examples internal/clustermap)) $(1) && \
	go -C tests $(TEST) -count=1 -run '^TestGenerated' $(patsubst tests/%,./%,$(call generating,tests)) $(1) && \
	go -C internal/provider $(TEST) -count=1 -run '^TestGenerated' . $(1) && \
	go -C internal/azuresim $(TEST) -count=1 -run '^TestGenerated' ./arm $(1)

# Each part is a job of .github/workflows/soak.yml.
SOAKS := soak-differential soak-placement soak-hostile soak-doors soak-structure soak-azure soak-released \
	soak-languages soak-labs soak-powershell soak-node-binaries soak-inputs soak-fuzz

.PHONY: sdks locks site facts released-api node-binaries windows-programs sizes bench-cold bench-first-run bench-scale \
	$(SOAKS) \
	check costs clean-cache help up release release-snapshot status down test unit e2e soak race lint fmt generate \
	tools where bench vuln

help: ## explain the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  variables: STACK=$(STACK) (for up), PROGRAM=$(PROGRAM) (for up: the language of the stack's program: go,"
	@echo "    python, typescript or yaml), PORT=$(PORT) (for up: the API server's port, 0 for a free one),"
	@echo "    SEED=$(SEED) (for soak), VERSION=$(VERSION) (for node-binaries: 1.36.3, by default the lab's),"
	@echo "    DAY=$(DAY) (for facts: 2026-11-24, today by default), BASE=$(BASE) (for site: /mixedkube/),"
	@echo "    BEFORE=$(BEFORE) and MEASURE=$(MEASURE) (for bench-first-run), COMMITS=$(COMMITS) (for sizes),"
	@echo "    SINCE=$(SINCE) (for check: a branch or commit to compare with, by default main of upstream, of origin or"
	@echo "    of this clone), WITHIN=$(WITHIN) (for check: the seconds that tests of dependents may take)"

up: ## start the lab, deploy the stack STACK into it and show where the pods run
	@$(PREPARE) -stack $(STACK) -program $(PROGRAM) && $(LAB) up -stack $(STACK) -program $(PROGRAM) -port $(PORT)

status: ## show where the pods run; fails if one is pending or on a wrong node
	@$(PREPARE) && $(LAB) status

down: ## stop the lab and remove everything except the tool cache
	@$(PREPARE) && $(LAB) down

check: ## test and lint what differs from main, and name the tests that it did not run
	@go -C tests run -ldflags=-w ./cmd/check -modules "$(MODULES)" -since "$(SINCE)" -within "$(WITHIN)"

test: ## run all tests, on a fresh machine too, and show how long they take
	@go -C tests run ./cmd/stages $(MAKE) $(STAGES)

costs: ## run all tests, and write how long each package takes into the table of make check
	@GOFLAGS="$$GOFLAGS -count=1" go -C tests run ./cmd/stages -costs $(MAKE) unit tools e2e

# The packages of the root module with benchmarks.
BENCHMARKED = $(sort $(dir $(shell \
	grep -rl --include=*_test.go --exclude-dir=lab --exclude-dir=azuresim '^func Benchmark' \
	core machines system components internal)))

unit: ## run the tests that need only Go
	@mkdir -p bin # A new file in the root would change the results of the examples' tests in Go's cache.
	go vet ./...
	go $(TEST) $$(go list ./... | grep -v /mixedkube/examples/)
	@# As in the script of tests/seeds, for which Go takes these results from its cache: same flags, same directory.
	go $(filter-out -json -timeout 60m,$(TEST)) ./examples/...
	go -C internal/azuresim vet ./...
	go -C internal/azuresim $(TEST) ./...
	go -C internal/lab vet ./...
	go -C internal/lab $(TEST) ./...
	go -C internal/provider vet ./...
	go -C internal/provider $(TEST) ./...
	go -C internal/release vet ./...
	go -C internal/release $(TEST) ./...

# The parts of the end-to-end tests: .github/workflows/ci.yml runs them in parallel.
E2E := all
E2E_all       = ./...
E2E_labs      = ./e2e ./tasks
E2E_languages = ./languages ./sdks
E2E_others    = $$(go -C tests list ./... | grep -vE '/tests/(e2e|tasks|languages|sdks)$$')

e2e: ## run the end-to-end tests, or one of their parts: E2E=labs, languages or others
	go -C tests vet $(E2E_$(E2E))
	go -C tests $(TEST) -p 3 -parallel 6 -count=1 $(E2E_$(E2E)) # labs wait a lot

soak: $(SOAKS) ## run the random tests with their full counts, from the seed SEED, and all that make test samples

soak-differential:
	go -C tests test -count=1 -v -timeout 3h ./differential -run TestPreflightMatchesTheAPIServer \
		-pods 1000000 -seed $(SEED)

soak-placement:
	go -C tests test -count=1 -v -timeout 3h ./placement -pairs 5000 -seed $(SEED)

soak-hostile:
	go -C tests test -count=1 -v -timeout 3h ./hostile -inputs 5000 -seed $(SEED)

soak-doors:
	@# Each program leaves a socket of Pulumi's SDK behind, so each 10,000 workloads are a process of their own.
	set -e; for first in $$(seq 0 10000 90000); do \
		go -C tests test -count=1 -v -timeout 1h ./doors -pods 10000 -first $$first -seed $(SEED); \
	done

soak-structure:
	go -C tests test -count=1 -v -timeout 1h ./structure -mistakes 10000 -seed $(SEED)

soak-azure:
	go -C tests test -count=1 -v -timeout 3h ./e2e -run 'TestAzureFaults|TestMachineFaults' \
		-fault-runs 100 -seed $(SEED)
	go -C tests test -count=1 -v -timeout 3h ./e2e -run TestBusyAzure -busy-runs 100 -seed $(SEED)
	go -C tests test -count=1 -v -timeout 1h ./e2e -run TestDrainsOfAzure -all \
		-rolling-changes 300 -seed $(SEED)
	go -C tests test -count=1 -v -timeout 3h ./e2e -run TestProgramsChangePools -all \
		-program-changes 300 -seed $(SEED)

# With the versions of the releases of Pulumi and KWOK.
soak-released:
	MIXEDKUBE_TOOLS_VERSIONS=released $(PREPARE) -tests
	MIXEDKUBE_TOOLS_VERSIONS=released go -C tests test -count=1 -p 1 -parallel 3 -timeout 3h ./e2e ./differential

soak-languages:
	go -C tests test -count=1 -v -timeout 1h ./languages -all

soak-labs:
	go -C tests test -count=1 -v -timeout 2h ./e2e -run 'TestExamples|TestMachines$$|TestKilled' -all

soak-powershell:
	go -C tests test -count=1 -v -timeout 3h ./powershell -scripts 5000 -seed $(SEED)

soak-node-binaries:
	go -C internal/lab test -count=1 -v -timeout 1h ./nodebinaries -build 1.35.4

soak-inputs:
	go test -count=1 -v -timeout 2h ./components/aks ./machines/bootstrap ./components/gmsa ./components/kubeadm \
		-run '^TestBadInputs' -bad-inputs 10000 -bad-inputs-seed $(SEED)
	go test -count=1 ./machines/bootstrap -run TestBootstrapAfterAPowerFailure -all-crashes

soak-fuzz:
	go test ./machines/bootstrap -run '^$$' -fuzz FuzzNothingBecomesCode -fuzztime 3m
	go test ./core/aks/plan -run '^$$' -fuzz FuzzNothingBecomesCode -fuzztime 1m
	go test ./core/conversion -run '^$$' -fuzz FuzzConvert -fuzztime 3m -fuzzminimizetime 10x

race: ## run the unit tests with the race detector, which needs a C compiler
	CGO_ENABLED=1 go test -race ./...
	CGO_ENABLED=1 go -C internal/azuresim test -race ./...
	CGO_ENABLED=1 go -C internal/lab test -race ./...

lint: ## check style, English, map order, floors, formatting, workflows, go.mod, and generated files
	@set -e; for module in $(MODULES); do \
		echo "== $$module"; \
		cd $(CURDIR)/$$module; \
		$(LINT) run --config $(CURDIR)/.golangci.yml ./...; \
		go mod tidy -diff; \
	done
	@# Without the linters for scripts, which may not be installed.
	$(call TOOL,actionlint) -shellcheck= -pyflakes= .github/workflows/*.yml
	go -C tests $(TEST) -count=1 ./prose ./maporder
	go -C tests run ./cmd/facts -impossible
	$(GENERATED)

vuln: ## look for known vulnerabilities in dependencies that are called, in the database of the Go project
	@set -e; for module in $(MODULES); do \
		echo "== $$module"; \
		cd $(CURDIR)/$$module; \
		$(call TOOL,govulncheck) ./...; \
	done

generate: ## write generated files: pages of rules, lists, schemas, pictures, programs in pages
	@# The index of rules comes first: pages and schemas have the addresses that follow from it.
	go -C tests $(TEST) -count=1 -run '^TestGeneratedIndex$$' ./rulepages -update
	$(call GENERATED,-update)

released-api: ## write the API of the version at the top of CHANGELOG.md, which must have the day of its release
	go -C tests $(TEST) -count=1 ./api -run '^TestTheLastReleaseHasItsAPI$$' -write-released

facts: ## list the facts that have expired on DAY or expire soon; fails if any have expired
	@go -C tests run ./cmd/facts -day "$(DAY)"

sizes: ## compare the lines of each directory with its budget.txt, and the size of the code in the commits COMMITS
	@go -C tests run ./cmd/sizes $(COMMITS)

fmt: ## format all Go files as lint expects them
	@set -e; for module in $(MODULES); do \
		cd $(CURDIR)/$$module; \
		$(LINT) fmt --config $(CURDIR)/.golangci.yml ./...; \
	done

tools: ## get the missing tools, including the ones for tests, and show where each comes from
	@$(PREPARE) -tests
	@$(LAB) tools

where: ## show where pulumi and the other tools are, without getting missing ones
	@$(LAB) tools

clean-cache: ## remove the tool cache of all checkouts, and show how much space that frees; run make down first
	@$(LAB) clean-cache

node-binaries: ## build kubelet, kubeadm, kube-proxy and kubectl VERSION for Windows nodes, into the directory dist
	go -C internal/lab run ./cmd/node-binaries -version "$(VERSION)" -o $(CURDIR)/dist/windows-amd64

windows-programs: ## build the programs of Windows nodes, and test the files of the bootstrap with them, under Wine
	go -C tests test -ldflags=-w -count=1 -v -timeout 2h ./bootstrap -run '^TestWindowsPrograms' -windows-programs

bench-cold: ## build everything for a first make up from empty build caches, and show what takes how long
	go -C internal/lab test ./tools -run '^$$' -bench BenchmarkFirstBuild -benchtime 1x -timeout 3h

bench-first-run: ## compare the first run and the tests with the ones of the commit BEFORE, on this machine (hours)
	go -C tests run ./cmd/firstrun -before "$(BEFORE)" -measure "$(MEASURE)"

sdks: ## make the SDKs of the plugin for TypeScript and Python in sdk/, and the packages to install
	@go -C internal/provider run -ldflags=-w ./cmd/generate-sdks -out $(CURDIR)/sdk

locks: ## write the lock files of the packages that build the SDKs; read the difference before you commit it
	@go -C internal/provider run -ldflags=-w ./cmd/generate-sdks -locks sdks/locks

site: ## build the site of these pages into dist/site, for the path BASE of its host, and check its links
	@go -C tests run -ldflags=-w ./cmd/site -base "$(BASE)" -o $(CURDIR)/dist/site

# The version at the top of CHANGELOG.md: the next release.
RELEASE := $(shell sed -n 's/^\#\# \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)

release-snapshot: ## build and test a release in dist/release, without publishing it (faster: WITHOUT_PLUGIN=true)
	@$(MAKE) --no-print-directory release RELEASING="--snapshot" GORELEASER_CURRENT_TAG=v$(RELEASE)

# Without --snapshot, GoReleaser refuses to run if the checkout is not the tag, or has changes.
RELEASING ?= --skip=publish,announce
# A snapshot may have expired facts: it is not published.
release: export GORELEASER_CURRENT_TAG := $(GORELEASER_CURRENT_TAG)
release: ## build the files of the release whose tag is checked out into dist/release, and test them
	$(if $(filter --snapshot,$(RELEASING)),,@$(MAKE) --no-print-directory facts)
	go -C internal/lab/tools/goreleaser build -o $(CURDIR)/bin/ github.com/goreleaser/goreleaser/v2
	go -C internal/lab/tools/cyclonedx-gomod build -o $(CURDIR)/bin/ \
		github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	PATH="$(CURDIR)/bin:$$PATH" bin/goreleaser release --clean $(RELEASING)
	go -C internal/release run ./cmd/image -created "$$(git log -1 --format=%cI)"
	go -C internal/provider run -ldflags=-w ./cmd/generate-sdks -out $(CURDIR)/dist/release/sdk -version $(RELEASE)
	go -C internal/release run ./cmd/draft -created "$$(git log -1 --format=%cI)"
	go -C tests $(TEST) -count=1 -v ./release -run '^TestSnapshot' -snapshot $(CURDIR)/dist/release

bench: ## run the benchmarks, and compare with Kubernetes' validation, kubeconform, kube-score, and without the guard
	go test -run '^$$' -bench . $(addprefix ./,$(BENCHMARKED))
	go -C tests test -run '^$$' -bench . -skip '^Benchmark(Lab|PreviewGrows)$$' -benchtime 1x -timeout 30m ./bench

bench-scale: ## fill a lab with 1,000 nodes and 10,000 pods, and preview up to 5,000 workloads on 100 pools
	go -C tests test -run '^$$' -bench '^Benchmark(Lab|PreviewGrows)$$' -benchtime 1x -timeout 90m ./bench

# SPDX-License-Identifier: MIT
#
# The short way in. Meson and ninja do the work (meson.build); this file only remembers how to call
# them. `make help` lists what there is.

PREFIX ?= /usr/local
override PREFIX := $(abspath $(PREFIX))
BUILD = build
SECONDS_PER_TARGET ?= 300

.DEFAULT_GOAL := all
.PHONY: all run check test bench fuzz lint format deps install uninstall clean onnxruntime help

## all: release build into build/, the command is build/hazard (the default)
all:
	@command -v meson >/dev/null && command -v ninja >/dev/null || \
	    { echo "meson or ninja is missing: run \`make deps\` first"; exit 3; }
	@test -f $(BUILD)/build.ninja || \
	    meson setup $(BUILD) -Dtests=false -Dlibdir=lib -Dprefix=$(PREFIX) || \
	    { echo "the build could not be set up; if something is missing: \`make deps\`"; exit 3; }
	@ninja -C $(BUILD)

## run: install what is missing, build, and show what Hazard can do
run: deps-build
	@$(MAKE) --no-print-directory all
	@tools/run.sh $(BUILD)/hazard

## check: install what is missing, then every test and check there is (STAGES="..." for some)
check: deps-check
	@tools/check.sh $(STAGES)

## test: the unit tests of a release build, quickly
test:
	@tools/check.sh gcc

## bench: measure; compare with bench/RESULTS.md
bench: all
	@$(BUILD)/hazard bench

## fuzz: fuzz every parser for SECONDS_PER_TARGET seconds (300) each
fuzz:
	@tests/fuzz/run.sh $(SECONDS_PER_TARGET)

## lint: clang-tidy and cppcheck
lint:
	@tools/check.sh tidy cppcheck

## format: format the C sources in place
format:
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format-14 -i

## deps: install the packages for building and for checking (Debian; DEPS=no skips it)
deps: deps-check

.PHONY: deps-build deps-check
ifeq ($(DEPS),no)
deps-build deps-check: ;
else
deps-build:
	@tools/deps.sh build
deps-check:
	@tools/deps.sh build check
endif

## install: library, headers, pkg-config file, command, man pages (PREFIX=/usr/local DESTDIR=)
install: all
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@ninja -C $(BUILD)
	@DESTDIR=$(abspath $(DESTDIR)) meson install -C $(BUILD) --no-rebuild

## uninstall: remove what the last install put there
uninstall:
	@ninja -C $(BUILD) uninstall

## onnxruntime: fetch the optional second executor into third_party/ (needs npm)
onnxruntime:
	@tools/onnxruntime.sh

## clean: remove everything that was built
clean:
	@rm -rf $(BUILD) build-fuzz

## help: this list
help:
	@sed -n 's/^## \([a-z]*\): /\1\t/p' Makefile | while IFS="	" read -r target what; do \
	    printf '  make %-12s %s\n' "$$target" "$$what"; done

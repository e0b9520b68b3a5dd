// Gray-1: the board, chip by chip and wire by wire.
// gray1_tb.v says how to run it.

`timescale 1ns / 1ns

// Chips that are fed back to themselves are what this machine is made of.
/* verilator lint_off UNOPTFLAT */
// A memory keeps what is not written.
/* verilator lint_off LATCH */

// A chip that was burned shows what stands at its address. Until the power comes up it shows 0:
// an unknown level, once fed back, would always stay unknown.
module rom #(
    parameter LINES = 5,
    parameter CONTENTS = ""
) (
    input wire power,
    input wire [LINES-1:0] address,
    output wire [7:0] data
);
    reg [7:0] contents [0:(1 << LINES) - 1];
    initial $readmemh(CONTENTS, contents);
    assign data = power ? contents[address] : 8'h00;
endmodule

// Data memory keeps what its data wires carry while write_low is low. It holds zeros when the
// power comes up; a real one holds anything.
module ram #(
    parameter LINES = 13
) (
    input wire power,
    input wire [LINES-1:0] address,
    input wire write_low,
    input wire [7:0] written,
    output wire [7:0] data
);
    reg [7:0] contents [0:(1 << LINES) - 1];
    integer i;
    initial for (i = 0; i < (1 << LINES); i = i + 1) contents[i] = 8'h00;
    assign data = power ? contents[address] : 8'h00;
    always @(power or address or write_low or written)
        if (power && !write_low) contents[address] = written;
endmodule

module board (
    input wire power,
    input wire OSC,
    input wire RST,
    output wire [2:0] phase,
    output wire [13:0] program_address,
    output wire [7:0] program_data,
    output wire [12:0] memory_address,
    output wire [7:0] memory_data,
    output wire write_low
);
    assign phase = PHASE[2:0];
    assign program_address = {PCH[6:0], PCL[6:0]};
    assign program_data = PROG[7:0];
    assign memory_address = {IRH[4:0], IRL[7:0]};
    assign memory_data = BUS[7:0];
    assign write_low = nWE;

    // The wires of the board.
    wire [4:0] ALUH;
    wire [4:0] ALUL;
    wire [7:0] AM;
    wire [7:0] AS;
    wire [7:0] BUS;
    wire [1:0] FLAGS;
    wire [7:0] IRH;
    wire [7:0] IRL;
    wire [7:0] PCH;
    wire [7:0] PCL;
    wire [2:0] PHASE;
    wire [7:0] PROG;
    wire IRH_EN;
    wire IRL_EN;
    wire AM_EN;
    wire CM_EN;
    wire nWE;
    wire AS_EN;
    wire PC_LOAD;
    wire CLR;

    // PHASE: 82S123
    wire [7:0] PHASE_shows;
    rom #(5, "PHASE.mem") PHASE_chip (power,
        {PHASE[2:0], RST, OSC}, PHASE_shows);

    // CTRL: 2716
    wire [7:0] CTRL_shows;
    rom #(11, "CTRL.mem") CTRL_chip (power,
        {3'b000, RST, FLAGS[1], IRH[7:5], PHASE[2:0]}, CTRL_shows);

    // PCH: 27C010
    wire [7:0] PCH_shows;
    rom #(17, "PCH.mem") PCH_chip (power,
        {CLR, PC_LOAD, PCL[7], IRH[4:0], IRL[7:6], PCH[6:0]}, PCH_shows);

    // PCL: 27C020
    wire [7:0] PCL_shows;
    rom #(18, "PCL.mem") PCL_chip (power,
        {CLR, PC_LOAD, PHASE[2], PCH[7], IRL[5:0], PCL[7:0]}, PCL_shows);

    // PROG: 27C128
    wire [7:0] PROG_shows;
    rom #(14, "PROG.mem") PROG_chip (power,
        {PCH[6:0], PCL[6:0]}, PROG_shows);

    // IRH: 27C010
    wire [7:0] IRH_shows;
    rom #(17, "IRH.mem") IRH_chip (power,
        {IRH_EN, IRH[7:0], PROG[7:0]}, IRH_shows);

    // IRL: 27C010
    wire [7:0] IRL_shows;
    rom #(17, "IRL.mem") IRL_chip (power,
        {IRL_EN, IRL[7:0], PROG[7:0]}, IRL_shows);

    // ALUL: 27C010
    wire [7:0] ALUL_shows;
    rom #(17, "ALUL.mem") ALUL_chip (power,
        {AS[4], 1'b0, IRH[7:5], IRL[3:0], BUS[3:0], AS[3:0]}, ALUL_shows);

    // ALUH: 27C010
    wire [7:0] ALUH_shows;
    rom #(17, "ALUH.mem") ALUH_chip (power,
        {1'b0, ALUL[4], IRH[7:5], IRL[7:4], BUS[7:4], AS[7:4]}, ALUH_shows);

    // AM: 27C010
    wire [7:0] AM_shows;
    rom #(17, "AM.mem") AM_chip (power,
        {AM_EN, AM[7:0], ALUH[3:0], ALUL[3:0]}, AM_shows);

    // AS: 27C010
    wire [7:0] AS_shows;
    rom #(17, "AS.mem") AS_chip (power,
        {AS_EN, AS[7:0], AM[7:0]}, AS_shows);

    // FLAGS: 82S123
    wire [7:0] FLAGS_shows;
    rom #(5, "FLAGS.mem") FLAGS_chip (power,
        {FLAGS[1:0], AS_EN, CM_EN, ALUH[4]}, FLAGS_shows);

    // BUF: 2716
    wire [7:0] BUF_shows;
    rom #(11, "BUF.mem") BUF_chip (power,
        {3'b000, AS[7:0]}, BUF_shows);

    // RAM: IDT7005
    wire [7:0] RAM_shows;
    ram #(13) RAM_chip (power,
        {IRH[4:0], IRL[7:0]}, nWE, BUS[7:0], RAM_shows);

    // The drivers of the wires.
    assign PHASE[2:0] = PHASE_shows[2:0];
    assign {CLR, PC_LOAD, AS_EN, nWE, CM_EN, AM_EN, IRL_EN, IRH_EN} = CTRL_shows[7:0];
    assign PCH[7:0] = PCH_shows[7:0];
    assign PCL[7:0] = PCL_shows[7:0];
    assign PROG[7:0] = PROG_shows[7:0];
    assign IRH[7:0] = IRH_shows[7:0];
    assign IRL[7:0] = IRL_shows[7:0];
    assign ALUL[4:0] = ALUL_shows[4:0];
    assign ALUH[4:0] = ALUH_shows[4:0];
    assign AM[7:0] = AM_shows[7:0];
    assign AS[7:0] = AS_shows[7:0];
    assign FLAGS[1:0] = FLAGS_shows[1:0];
    assign BUS[7:0] = nWE ? RAM_shows[7:0] : BUF_shows[7:0];
endmodule

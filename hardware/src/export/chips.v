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

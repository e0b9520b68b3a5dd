// Data memory in block RAM, or in the single-port RAM of an iCE40 UP5K. Its output is a flip-flop,
// like that of every chip. It takes what its data wires carry while write_low is low.
`default_nettype none

module ram #(parameter LINES = 13) (
    input wire clk,
    input wire [LINES-1:0] address,
    input wire write_low,
    input wire [7:0] written,
    output reg [7:0] data
);
`ifdef SPRAM
    (* ram_style = "huge" *)
`endif
    reg [7:0] contents [0:(1 << LINES) - 1];
    always @(posedge clk)
        if (write_low) data <= contents[address];
        else contents[address] <= written;
endmodule

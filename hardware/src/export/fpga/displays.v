// The displays. Row 0 is the top row, and bit 0 of a row is its leftmost column.
`default_nettype none

// A matrix of 8 x 8 WS2812, row by row from the top left. A square takes 24 bits: green, red, blue.
// A bit takes 1.25 us and begins with a pulse of 0.4 us for 0, and of 0.8 us for 1.
module ws2812 #(
    parameter HZ = 12000000,
    parameter [7:0] LEVEL = 8'h10
) (
    input wire clk,
    input wire [63:0] green, red,
    output reg ws = 1'b0
);
    localparam BIT = HZ / 800000, SHORT = HZ / 2500000, LONG = HZ / 1250000;
    reg [$clog2(BIT)-1:0] count = 0;
    reg [4:0] index = 5'd0;
    reg [6:0] square = 7'd0;            // 64 and more are the pause after a picture, 480 us
    wire lit = index < 8 ? green[square[5:0]] : index < 16 && red[square[5:0]];
    wire [7:0] level = lit ? LEVEL : 8'h00;
    always @(posedge clk) begin
        ws <= square < 64 && count < (level[3'd7 - index[2:0]] ? LONG : SHORT);
        count <= count == BIT - 1 ? 0 : count + 1'b1;
        if (count == BIT - 1) begin
            index <= index == 23 ? 0 : index + 1'b1;
            if (index == 23) square <= square == 79 ? 0 : square + 1'b1;
        end
    end
endmodule

// Two modules of 8 x 8 LEDs with a MAX7219 in a chain, the first for green and the second for red.
// Both take 16 bits at a time: a row, or a setting. All of them are sent again and again, so a
// module may be connected at any time.
module max7219 #(parameter [3:0] INTENSITY = 4'd2) (
    input wire clk,
    input wire [63:0] green, red,
    output reg sck = 1'b0, output reg din = 1'b0, output reg cs = 1'b1
);
    // A command of 64 slots of 32 clocks. The first 32 slots send a bit each.
    reg [14:0] count = 15'd0;
    wire [3:0] command = count[14:11];
    wire [5:0] slot = count[10:5];
    wire [5:0] first = {command[2:0], 3'd0};
    wire [7:0] digit = {4'd0, 4'd1 + command[2:0]};
    function [7:0] reversed(input [7:0] row);
        reversed = {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]};
    endfunction
    reg [15:0] setting;
    always @*
        case (command[2:0])
            3'd0: setting = 16'h0f00;               // no test
            3'd1: setting = 16'h0900;               // no digits
            3'd2: setting = {12'h0a0, INTENSITY};
            3'd3: setting = 16'h0b07;               // eight rows
            default: setting = 16'h0c01;            // on
        endcase
    wire [31:0] rows = {digit, reversed(red[first +: 8]), digit, reversed(green[first +: 8])};
    wire [31:0] bits = command[3] ? {setting, setting} : rows;
    always @(posedge clk) begin
        count <= count + 1'b1;
        sck <= !slot[5] && count[4];
        din <= bits[5'd31 - slot[4:0]];
        cs <= slot[5];
    end
endmodule

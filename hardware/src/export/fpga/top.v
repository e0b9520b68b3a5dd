// The Gray-1 on an FPGA board: the board of the machine, and what is around it there.
//
// The file with the pins of an FPGA board says which of its buttons are low while they are pressed.
`default_nettype none

module top #(
    parameter HZ = 12000000,            // of clk
    parameter CLOCKS = 10,              // more than any change takes to settle
    parameter FAST = 0,                 // 0: 115,200 instructions a second, as the board of chips
    parameter RESET_LOW = 0,
    parameter [7:0] BUTTONS_LOW = 8'h00,
    parameter [3:0] BRIGHTNESS = 4'd2
) (
    input wire clk, reset,
    input wire [7:0] buttons,           // up, down, left, right, A, B, select, start
    input wire rx,
    output wire tx,
    output wire ws,                     // to a matrix of WS2812
    output wire sck, din, cs            // to two modules with a MAX7219
);
    // An instruction takes eight ticks.
    localparam SLOW = HZ / (8 * 115200), DIVISOR = HZ / 115200;
    localparam TICK = FAST != 0 || SLOW < CLOCKS ? CLOCKS : SLOW;

    // The test bench looks at these, also in the netlist.
    (* keep *) wire OSC, RST, carry;
    (* keep *) wire [2:0] phase;
    (* keep *) wire [13:0] program_address;
    (* keep *) wire [7:0] program_data, accumulator;
    (* keep *) wire [63:0] green, red;
    wire printing, send, sends, received;
    wire [7:0] held, key, typed;

    reg [8:0] seen = 9'd0, steady = 9'd0;
    wire pressed = steady[8];
    // The serial port greets at each reset, so that a user sees it work without the machine.
    reg [2:0] greeted = 3'd0;
    wire greeting = greeted != 6;
    wire [47:0] letters = {8'h0a, "1yarg"};
    wire [7:0] letter = letters[{greeted, 3'd0} +: 8];
    always @(posedge clk) begin
        seen <= {reset, buttons} ^ {RESET_LOW != 0, BUTTONS_LOW};
        steady <= seen;
        if (pressed) greeted <= 3'd0;
        else if (greeting && !sends) greeted <= greeted + 1'b1;
    end

    conductor #(.TICK(TICK)) conductor (clk, pressed, steady[7:0] | key, phase, printing,
        sends || greeting, OSC, RST, send, held);
    board board (clk, OSC, RST, held, phase, program_address, program_data, accumulator, carry,
        green, red, printing);
    transmitter #(.DIVISOR(DIVISOR)) transmitter (clk, send || greeting && !pressed,
        greeting ? letter : accumulator, tx, sends);
    receiver #(.DIVISOR(DIVISOR)) receiver (clk, rx, received, typed);
    keys #(.HZ(HZ)) keys (clk, received, typed, key);
    ws2812 #(.HZ(HZ), .LEVEL({1'b0, BRIGHTNESS, 3'd0})) matrix (clk, green, red, ws);
    max7219 #(.INTENSITY(BRIGHTNESS)) modules (clk, green, red, sck, din, cs);
endmodule

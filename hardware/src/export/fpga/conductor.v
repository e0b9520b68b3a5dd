// The conductor: moves the wires that come from outside the chips, and decides when.
//
// At most one of OSC, RST and the buttons changes in a tick, and then nothing for a whole tick, in
// which the chips settle. RST changes only while OSC is high, and the buttons only in T1, when no
// latch reads them. While the serial port is busy, a byte that is printed waits: OSC stands still.
`default_nettype none

module conductor #(parameter TICK = 10) (
    input wire clk, pressed,            // the reset button
    input wire [7:0] buttons,
    input wire [2:0] phase,
    input wire printing, busy,          // MAILBOX, and the serial port
    output reg OSC = 1'b0, output reg RST = 1'b0, output reg send = 1'b0,
    output reg [7:0] held = 8'h00
);
    reg [$clog2(TICK)-1:0] count = 0;
    wire tick = count == TICK - 1;
    // The edges of OSC under reset. The phase needs nine, and the block RAM of an iCE40 some
    // microseconds after the configuration.
    reg [10:0] edges = 11'd0;
    wire wanted = !edges[10];
    wire prints = printing && !wanted;
    always @(posedge clk) begin
        count <= tick ? 0 : count + 1'b1;
        send <= 1'b0;
        if (tick) begin
            if (OSC && RST != wanted)
                RST <= wanted;
            else if (OSC && phase == 3'b001 && held != buttons)
                held <= buttons;
            else if (!(prints && busy)) begin
                OSC <= !OSC;
                send <= prints;
                if (RST && wanted) edges <= edges + 1'b1;
            end
        end
        if (pressed) edges <= 11'd0;
    end
endmodule

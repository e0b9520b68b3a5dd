// The serial port: eight bits, no parity, one stop bit, and no flow control.
`default_nettype none

// Sends a byte. While it is busy, it does not take another one.
module transmitter #(parameter DIVISOR = 104) (    // clocks per bit
    input wire clk, send,
    input wire [7:0] data,
    output wire tx, busy
);
    reg [9:0] bits = 10'h3ff;
    reg [3:0] left = 4'd0;
    reg [$clog2(DIVISOR)-1:0] count = 0;
    wire next = count == DIVISOR - 1;
    assign tx = bits[0];
    assign busy = left != 0;
    always @(posedge clk)
        if (busy) begin
            count <= next ? 0 : count + 1'b1;
            if (next) bits <= {1'b1, bits[9:1]};
            if (next) left <= left - 1'b1;
        end else if (send) begin
            bits <= {1'b1, data, 1'b0};
            left <= 4'd10;
        end
endmodule

// Receives bytes. `received` is high for one clock when `data` is complete.
module receiver #(parameter DIVISOR = 104) (
    input wire clk, rx,
    output reg received = 1'b0,
    output reg [7:0] data
);
    reg [2:0] line = 3'b111;
    reg [3:0] left = 4'd0;
    reg [$clog2(DIVISOR)-1:0] count = 0;
    always @(posedge clk) begin
        line <= {line[1:0], rx};
        received <= left == 1 && count == 0 && line[2];
        if (left == 0) begin
            // The middle of the start bit is half a bit away.
            count <= DIVISOR / 2;
            if (line[2:1] == 2'b10) left <= 4'd10;
        end else if (count != 0)
            count <= count - 1'b1;
        else begin
            count <= DIVISOR - 1;
            left <= left - 1'b1;
            if (left != 1) data <= {line[2], data[7:1]};
        end
    end
endmodule

// Holds the button whose letter came last, for 150 ms after it. A keyboard that repeats its letters
// faster than that holds the button for as long as the key is down.
module keys #(parameter HZ = 12000000) (
    input wire clk, received,
    input wire [7:0] data,
    output reg [7:0] held = 8'h00
);
    localparam HOLD = HZ / 1000 * 150;
    reg [$clog2(HOLD + 1)-1:0] left = 0;
    reg [7:0] button;
    always @*
        case (data)
            "w": button = 8'h01;            // up
            "s": button = 8'h02;            // down
            "a": button = 8'h04;            // left
            "d": button = 8'h08;            // right
            "k": button = 8'h10;            // A
            "l": button = 8'h20;            // B
            "x": button = 8'h40;            // select
            8'h0d, 8'h0a: button = 8'h80;   // start
            default: button = 8'h00;
        endcase
    always @(posedge clk) begin
        left <= received ? HOLD : left == 0 ? 0 : left - 1'b1;
        held <= received ? button : left == 0 ? 8'h00 : held;
    end
endmodule

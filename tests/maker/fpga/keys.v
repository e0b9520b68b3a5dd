// Sends letters to the serial port of the machine, and prints which buttons are held, and for how
// many milliseconds.
`timescale 1us / 1ns

module bench;
    localparam HZ = 1152000;
    reg clk = 1'b0, rx = 1'b1;
    always #0.434 clk = !clk;
    wire received;
    wire [7:0] data, held;
    receiver #(.DIVISOR(HZ / 115200)) receiver (clk, rx, received, data);
    keys #(.HZ(HZ)) keys (clk, received, data, held);
    integer i;
    realtime since = 0;
    always @(held) begin
        $display("%h after %0d ms", held, $rtoi(($realtime - since) / 1000 + 0.5));
        since = $realtime;
    end
    task send(input [7:0] letter);
        begin
            {rx, i} = {1'b0, 32'd0};
            #8.68;
            for (i = 0; i < 8; i = i + 1) begin
                rx = letter[i];
                #8.68;
            end
            rx = 1'b1;
            #20;
        end
    endtask
    initial begin
        #1000;
        // A key that is held down repeats its letter.
        repeat (4) begin
            send("w");
            #99891;
        end
        #200000;
        send("s"); send("a"); send("d"); send("k"); send("l"); send("x"); send(8'h0d);
        #200000;
        send(8'h0a); send("?");
        #1000 $finish(0);
    end
endmodule

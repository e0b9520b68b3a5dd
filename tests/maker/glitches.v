// Runs the exported board of parts sold today, with ROMs that have delays and glitch. Prints a line
// for each executed instruction: the Gray code of its index, the word, and A before it.
`timescale 1ns / 1ps

module bench;
    integer seed = 0, one_in = 2000, limit = 20000, executed = 0;
    reg power = 1'b0, oscillator = 1'b0, reset = 1'b0;
    wire [2:0] phase;
    reg [2:0] before;
    wire [13:0] program_address;
    wire [7:0] program_data, memory_data;
    wire [12:0] memory_address;
    wire write_low;
    reg [12:0] first;
    reg [7:0] high;

    board gray1 (power, oscillator, reset,
        phase, program_address, program_data, memory_address, memory_data, write_low);

    // The duration of a phase at 1.8432 MHz divided by four.
    task step;
        begin
            oscillator = !oscillator;
            #1085;
        end
    endtask

    initial begin
        if ($value$plusargs("seed=%d", seed)) ;
        if ($value$plusargs("limit=%d", limit)) ;
        #2000 power = 1'b1;
        #2000 step;
        reset = 1'b1;
        #1085;
        repeat (10) step;
        reset = 1'b0;
        #1085;
        while (executed < limit) begin
            before = phase;
            step;
            // A phase counter out of step means that the machine has failed.
            if ((phase ^ before) !== 1 && (phase ^ before) !== 2 && (phase ^ before) !== 4) $finish(0);
            if (phase == 3'b011) begin
                first = program_address[13:1];
                high = program_data;
            end
            if (phase == 3'b110) begin
                $display("%h %h%h %h", first, high, program_data, gray1.AS);
                $fflush;
                executed = executed + 1;
            end
        end
        $finish(0);
    end
endmodule

// A ROM with a delay for each address line. After one in some number of changes of a line, outputs
// that should stay stable show the opposite level for 3 to 24 ns.
module glitching #(
    parameter LINES = 5,
    parameter CONTENTS = ""
) (
    input wire power,
    input wire [LINES-1:0] address,
    output wire [7:0] data
);
    reg [7:0] contents [0:(1 << LINES) - 1];
    initial $readmemh(CONTENTS, contents);
    reg [LINES-1:0] seen = 0, last = 0;
    reg [7:0] pulses = 8'h00;
    assign data = power ? contents[seen] ^ pulses : 8'h00;
    genvar line;
    generate
        for (line = 0; line < LINES; line = line + 1) begin : lines
            integer delay;
            initial #1 delay = $dist_uniform(bench.seed, 7, 70);
            always @(address[line]) seen[line] <= #(delay) address[line];
        end
    endgenerate
    always @(seen) begin
        if (power && $dist_uniform(bench.seed, 1, bench.one_in) == 1) begin
            pulses = ~(contents[last] ^ contents[seen]) & $random(bench.seed);
            pulses <= #($dist_uniform(bench.seed, 3, 24)) 8'h00;
        end
        last = seen;
    end
endmodule

// A test bench for `top`. Standard output gets the bytes of the serial port. It ends when the
// program jumps to itself, and takes:
//
//     +limit=N          stop after N instructions
//     +trace=FILE       write a line for each instruction, as `gray1 run --trace` does
//     +buttons=FILE     hold buttons: a line `5000 14` holds left and A from instruction 5000 on
//     +leds             print the LEDs after the last instruction, and report a display that shows
//                       something else when the program has ended
`timescale 1ns / 1ns

module bench;
    parameter HZ = 12000000, CLOCKS = 10, FAST = 1, RESET_LOW = 0;
    parameter [7:0] BUTTONS_LOW = 8'h00;
    localparam [31:0] STDOUT = 32'h8000_0001, STDERR = 32'h8000_0002;
    localparam DIVISOR = HZ / 115200;

    reg clk = 1'b0;
    always #1 clk = !clk;
    reg [7:0] held = 8'h00;
    wire tx, ws, sck, din, cs;
`ifdef NETLIST
    top dut (
`else
    top #(.HZ(HZ), .CLOCKS(CLOCKS), .FAST(FAST), .RESET_LOW(RESET_LOW), .BUTTONS_LOW(BUTTONS_LOW))
        dut (
`endif
        .clk(clk), .reset(RESET_LOW != 0), .buttons(held ^ BUTTONS_LOW), .rx(1'b1),
        .tx(tx), .ws(ws), .sck(sck), .din(din), .cs(cs));

    function [13:0] number(input [13:0] gray);
        integer i;
        begin
            number[13] = gray[13];
            for (i = 12; i >= 0; i = i - 1) number[i] = number[i + 1] ^ gray[i];
        end
    endfunction
    reg osc = 1'b0, fetched = 1'b0, halted = 1'b0, ended = 1'b0;
    reg [63:0] green, red;
    reg [12:0] at;
    reg [15:0] word;
    wire [13:0] target = number({1'b0, word[12:0]}), next = number(dut.program_address);
    reg [63:0] executed = 64'd0, limit = ~64'd0, moment = 64'd0;
    integer trace = 0, script = 0, idle = 0, found;
    reg [7:0] mask = 8'h00;
    reg [8*256-1:0] name;
    wire [255:0] names = {8'd0, "JMP", 16'd0, "JC", 8'd0, "SHR", "NAND",
        8'd0, "ADD", 16'd0, "ST", 16'd0, "LD", 8'd0, "LDI"};

    // Holds the buttons of the script's lines up to this moment.
    task hold;
        while (script != 0 && moment <= executed) begin
            held = mask;
            found = $fscanf(script, "%d %h", moment, mask);
            if (found == 1 || found == 0 && $feof(script) == 0) begin
                $fwrite(STDERR, "a line of +buttons is not a moment and a mask, as in `5000 14`\n");
                fail;
            end
            if (found != 2) script = 0;
        end
    endtask

    // Stops at once, with status 1 in Verilator.
    task fail;
`ifdef VERILATOR
        $c("std::exit(1);");
`else
        $finish(0);
`endif
    endtask

    // OSC has just changed, and no chip has noticed: the wires are those at the end of the phase.
    always @(posedge clk) begin
        osc <= dut.OSC;
        idle = idle + 1;
        if (idle == 100000 && !ended) begin
            $fwrite(STDERR, "the machine does not execute anything\n");
            fail;
        end
        if (dut.OSC != osc && !ended)
            case (dut.phase)
                3'b011: begin                       // T2
                    at = next[13:1];
                    word[15:8] = dut.program_data;
                    fetched = !dut.RST;
                end
                3'b110: word[7:0] = dut.program_data;
                3'b100: if (fetched) begin          // T7
                    executed = executed + 64'd1;
                    idle = 0;
                    if (trace != 0)
                        $fwrite(trace, "%04x %0s %04x %02x %0d\n", at, names[32 * word[15:13] +: 32],
                            word[15:14] == 2'd3 ? target[12:0] : word[12:0],
                            dut.accumulator, dut.carry);
                    hold;
                    halted = word === {3'd7, at ^ at >> 1};
                    ended = halted || executed == limit;
                    {green, red} = {dut.green, dut.red};
                end
                default: ;
            endcase
    end

    // The serial port.
    integer left = 0;
    reg [9:0] frame;
    reg line = 1'b1;
    always @(posedge clk) begin
        line <= tx;
        if (left > 0) begin
            left = left - 1;
            if (left % DIVISOR == 0) frame = {tx, frame[9:1]};
            if (left == 0) $fwrite(STDOUT, "%c", frame[8:1]);
        end else if (line && !tx)
            left = 9 * DIVISOR + DIVISOR / 2;
    end

    // What the displays show.
    integer high = 0, low = 0, square = 0, i;
    reg [24:0] colour = 25'd1;
    reg [31:0] command;
    reg [63:0] ws_green, ws_red, max_green, max_red;
    reg ws_was = 1'b0, sck_was = 1'b0, cs_was = 1'b1;
    always @(posedge clk) begin
        {ws_was, sck_was, cs_was} <= {ws, sck, cs};
        low = ws ? 0 : low + 1;
        if (low > HZ / 10000) square = 0;
        if (ws_was && !ws) begin
            // A one before the 24 bits of a square marks its beginning.
            colour = {colour[23:0], high > HZ / 1666667};
            if (colour[24]) begin
                ws_green[square] = colour[23:16] != 0;
                ws_red[square] = colour[15:8] != 0;
                square = square + 1;
                colour = 25'd1;
            end
        end
        high = ws ? high + 1 : 0;
        if (sck && !sck_was) command = {command[30:0], din};
        if (cs && !cs_was && command[31:24] >= 1 && command[31:24] <= 8)
            for (i = 0; i < 8; i = i + 1) begin
                max_red[8 * (command[31:24] - 1) + i] = command[23 - i];
                max_green[8 * (command[15:8] - 1) + i] = command[7 - i];
            end
    end

    // It ends when the last byte has been sent and, if the program has ended, both displays twice.
    integer last = 0;
    wire [31:0] colours = "YRG.";
    always @(posedge clk) begin
        last = ended ? last + 1 : 0;
        if (last > (halted ? HZ / 100 : 10 * DIVISOR)) begin
            if ($test$plusargs("leds") != 0) begin
                for (i = 0; i < 64; i = i + 1)
                    $fwrite(STDERR, "%c%c", colours[{red[i], green[i]} * 8 +: 8],
                        i % 8 == 7 ? "\n" : " ");
                if (halted && {ws_green, ws_red, max_green, max_red} != {2{green, red}})
                    $fwrite(STDERR, "the WS2812 show %h %h, the MAX7219 %h %h\n",
                        ws_green, ws_red, max_green, max_red);
            end
`ifdef VERILATOR
            // $finish, without the line that Verilator prints for it.
            $c("Verilated::threadContextp()->gotFinish(true);");
`else
            $finish(0);
`endif
        end
    end

    initial begin
        if ($value$plusargs("trace=%s", name) != 0) begin
            trace = $fopen(name, "w");
            if (trace == 0) begin
                $fwrite(STDERR, "cannot write %0s\n", name);
                fail;
            end
        end
        if ($value$plusargs("buttons=%s", name) != 0) begin
            script = $fopen(name, "r");
            if (script == 0) begin
                $fwrite(STDERR, "cannot read %0s\n", name);
                fail;
            end
        end
        if ($value$plusargs("limit=%d", limit) == 0) limit = ~64'd0;
        hold;
    end
endmodule

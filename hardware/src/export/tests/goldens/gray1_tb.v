// Gray-1: runs the program in its chips and prints what the program writes to the mailbox.
//
// In the folder of this file, with Icarus Verilog (11 or later):
//
//     $ iverilog -o gray1.vvp -s gray1_tb board.v gray1_tb.v
//     $ vvp -n gray1.vvp
//
// or with Verilator (5.006 or later), an order of magnitude faster:
//
//     $ verilator --binary -O3 --top-module gray1_tb board.v gray1_tb.v
//     $ obj_dir/Vgray1_tb
//
// Nothing but the mailbox's bytes goes to standard output. The simulation ends when the program
// jumps to itself. Behind the last command may stand:
//
//     +leds         show the LEDs on standard error, whenever a line ends and at the end:
//                   G green, R red, Y both
//     +vcd          write the waveforms of the board to gray1.vcd, which the simulator says on
//                   standard output (with Verilator, --trace must have been given, too)
//     +limit=N      stop after N instructions, 0 for never, instead of 10000000

`timescale 1ns / 1ns

module gray1_tb;
    reg power = 1'b0;
    reg oscillator = 1'b0;
    reg reset = 1'b0;

    wire [2:0] phase;
    wire [13:0] program_address;
    wire [7:0] program_data;
    wire [12:0] memory_address;
    wire [7:0] memory_data;
    wire write_low;

    board gray1 (power, oscillator, reset,
        phase, program_address, program_data, memory_address, memory_data, write_low);

    // Phases in which the two bytes of an instruction are on the program chip's data wires.
    localparam [2:0] T2 = 3'b011;
    localparam [2:0] T4 = 3'b110;
    // Standard output as a file. ($write loses bytes of 0 in Verilator.)
    localparam [31:0] STDOUT = 32'h8000_0001;
    localparam [31:0] STDERR = 32'h8000_0002;

    // The write under way, as it stood at the end of the last phase.
    reg writing = 1'b0;
    reg [12:0] cell_address;
    reg [7:0] cell_data;
    // Where the instruction under way stands, and its first byte.
    reg [13:0] first;
    reg [7:0] high;
    reg halted = 1'b0;
    reg [63:0] executed = 64'd0;
    reg [63:0] limit = 64'd10000000;
    // The LEDs, a byte a row; bit 0 is the leftmost column.
    reg [7:0] green [0:7];
    reg [7:0] red [0:7];
    reg shows_leds;
    integer row, column;

    // An edge of the oscillator, and time for the chips to answer.
    task step;
        begin
            oscillator = !oscillator;
            #100;
        end
    endtask

    task show_leds;
        begin
            for (row = 0; row < 8; row = row + 1) begin
                for (column = 0; column < 8; column = column + 1)
                    case ({red[row][column], green[row][column]})
                        2'b00: $fwrite(STDERR, ".");
                        2'b01: $fwrite(STDERR, "G");
                        2'b10: $fwrite(STDERR, "R");
                        2'b11: $fwrite(STDERR, "Y");
                    endcase
                $fwrite(STDERR, "\n");
            end
            $fwrite(STDERR, "\n");
        end
    endtask

    // A byte has been written to data memory.
    task note_byte;
        begin
            if (cell_address[12:3] == 10'h3fc)
                green[cell_address[2:0]] = cell_data;
            if (cell_address[12:3] == 10'h3fd)
                red[cell_address[2:0]] = cell_data;
            if (cell_address == 13'h1fff) begin
                $fwrite(STDOUT, "%c", cell_data);
                if (shows_leds && cell_data == 8'h0a)
                    show_leds;
            end
        end
    endtask

    // What a front panel sees at the end of a phase.
    task look;
        begin
            // Memory keeps what its data wires carried when write_low went up again.
            if (writing && write_low)
                note_byte;
            writing = !write_low;
            cell_address = memory_address;
            cell_data = memory_data;
            if (phase == T2) begin
                first = program_address;
                high = program_data;
            end
            // A jump's operand is the Gray code of its target.
            if (phase == T4) begin
                halted = {high, program_data} == {3'd7, first[13:1]};
                executed = executed + 64'd1;
            end
        end
    endtask

    initial begin
        for (row = 0; row < 8; row = row + 1) begin
            green[row] = 8'h00;
            red[row] = 8'h00;
        end
        shows_leds = $test$plusargs("leds") != 0;
        if ($value$plusargs("limit=%d", limit) != 0 && limit == 64'd0)
            limit = ~64'd0;
        if ($test$plusargs("vcd") != 0) begin
            $dumpfile("gray1.vcd");
            $dumpvars(0,
                gray1.ALUH, gray1.ALUL, gray1.AM, gray1.AS, gray1.BUS, gray1.FLAGS,
                gray1.IRH, gray1.IRL, gray1.PCH, gray1.PCL, gray1.PHASE, gray1.PROG,
                gray1.OSC, gray1.RST, gray1.IRH_EN, gray1.IRL_EN, gray1.AM_EN, gray1.CM_EN,
                gray1.nWE, gray1.AS_EN, gray1.PC_LOAD, gray1.CLR);
        end
        #100 power = 1'b1;
        #100;
        // Reset moves only while the oscillator is high, clear of its edges, and stays for at
        // least nine phases.
        step;
        reset = 1'b1;
        #100;
        repeat (10) step;
        reset = 1'b0;
        #100;
        while (!halted && executed < limit) begin
            step;
            look;
        end
        // An instruction is counted in T4, and writes after that.
        if (!halted)
            repeat (3) begin
                step;
                look;
            end
        if (shows_leds)
            show_leds;
        if (!halted)
            $fwrite(STDERR, "stopped after %0d instructions; +limit=N sets another limit\n", executed);
`ifdef VERILATOR
        // $finish, without the line that Verilator's prints.
        $c("Verilated::threadContextp()->gotFinish(true);");
`else
        $finish(0);
`endif
    end
endmodule

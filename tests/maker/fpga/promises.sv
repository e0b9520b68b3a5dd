// What the conductor promises to the board, for yosys to prove by induction. A board that works for
// any delays of its chips needs no more than this. The test puts these lines into the module.
    reg osc = 1'b0, rst = 1'b0;
    reg [7:0] was = 8'h00;
    reg [2:0] before = 3'd0;
    // The clocks since the last change, and the edges of OSC since RST rose, nine at most.
    reg [3:0] since = TICK, risen = 4'd0;
    wire [3:0] seen = risen == 9 ? 4'd9 : risen + (OSC != osc);
    wire [1:0] changes = (OSC != osc) + (RST != rst) + (held != was);
    always @(posedge clk) begin
        {osc, rst, was, before} <= {OSC, RST, held, phase};
        since <= changes != 0 ? 4'd1 : since == TICK ? since : since + 4'd1;
        risen <= RST ? seen : 4'd0;
        // These hold in every state, and so the induction may use them.
        assert (count < TICK && since <= TICK && risen <= 9);
        assert (changes == 0 ? since >= count || since == TICK : count == 0);
        assert (edges <= 1024 && (!RST || seen == 9 || seen >= edges));
        assert (RST || edges == 0 || edges == 1024);
        // One wire at a time, and not before the board has settled.
        assert (changes <= 1);
        if (changes != 0) assert (since == TICK);
        // RST moves only while OSC is high, stays for nine edges, and the buttons move only in T1.
        if (RST != rst) assert (OSC && osc);
        if (rst && !RST) assert (risen == 9);
        if (held != was) assert (OSC && osc && before == 3'b001);
        // A byte is sent as OSC moves, which ends the phase in which it was on the wires.
        if (send) assert (OSC != osc);
    end

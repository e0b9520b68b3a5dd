// A resistor behind a data pin, and a capacitor to ground behind it. A pulse that is shorter than
// STOPS ns does not pass, and a lasting move arrives DELAY ns later. (A real filter lets some moves
// pass earlier: it says how long its worst case takes.)
module filter #(
    parameter STOPS = 1,
    parameter DELAY = 2
) (
    input wire pin,
    output reg line = 1'b0
);
    wire charged;
    assign #STOPS charged = pin;
    always @(charged) line <= #(DELAY - STOPS) charged;
endmodule

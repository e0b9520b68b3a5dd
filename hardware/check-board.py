#!/usr/bin/python3
"""Measures a filled board of gray1-b, with KiCad's own Python: check-board.py FILLED

It fails if a filter is more than 15 mm away from its data pin, if a supply pin has no capacitor
within 10 mm, or if less than 4.85 V of 5 V reach a chip at 0.9 A. The planes are taken as grids of
resistors.
"""
import math
import sys

import pcbnew

AMPERES = 0.9
# Milliamperes by the beginning of a part's name. A latch feeds eight LEDs as well.
CURRENTS = {
    "SST39SF": 25, "AS6C": 45, "74HCT573": 22.6, "74": 1, "DS1813": 1, "UM245R": 25, "XO-": 30,
}
# Ohms a square of copper of 17.5 um inside and 35 um outside, at 50 degrees; then the transistor.
INSIDE, OUTSIDE, TRANSISTOR = 1.1e-3, 0.55e-3, 25e-3
STEP = 3.0


def place(item):
    at = item.GetPosition()
    return pcbnew.ToMM(at.x), pcbnew.ToMM(at.y)


def pads(board, net):
    return [(f, pad) for f in board.GetFootprints() for pad in f.Pads() if pad.GetNetname() == net]


def drops(board, net, source, currents):
    """The voltage between a source and any place of its plane, from which currents are taken."""
    zone = next(zone for zone in board.Zones() if zone.GetNetname() == net)
    layer = zone.GetLayer()
    box = board.GetBoardEdgesBoundingBox()
    left, top = pcbnew.ToMM(box.GetLeft()), pcbnew.ToMM(box.GetTop())
    size = [int(pcbnew.ToMM(length) / STEP) + 1 for length in (box.GetWidth(), box.GetHeight())]

    def filled(x, y):
        at = pcbnew.VECTOR2I_MM(left + x * STEP, top + y * STEP)
        return zone.HitTestFilledArea(layer, at)

    nodes = [(x, y) for x in range(size[0]) for y in range(size[1]) if filled(x, y)]
    index = {node: at for at, node in enumerate(nodes)}
    beside = [
        [index[n] for n in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if n in index]
        for x, y in nodes
    ]

    def nearest(at):
        x, y = (at[0] - left) / STEP, (at[1] - top) / STEP
        columns, lines = (range(int(middle) - 3, int(middle) + 5) for middle in (x, y))
        around = ((i, j) for i in columns for j in lines if (i, j) in index)
        return index[min(around, key=lambda node: math.dist(node, (x, y)))]

    root = nearest(source)
    taken = [0.0] * len(nodes)
    for at, current in currents:
        taken[nearest(at)] += current * INSIDE
    taken[root] = 0.0

    def through(v):
        flow = [len(beside[n]) * v[n] - sum(v[m] for m in beside[n]) for n in range(len(v))]
        flow[root] = v[root]
        return flow

    # Conjugate gradients; the source stays at 0.
    v, rest = [0.0] * len(nodes), taken[:]
    way, left_over = rest[:], sum(r * r for r in rest)
    enough = left_over * 1e-12
    while left_over > enough:
        flow = through(way)
        step = left_over / sum(a * b for a, b in zip(way, flow))
        v = [a + step * b for a, b in zip(v, way)]
        rest = [a - step * b for a, b in zip(rest, flow)]
        rest[root] = 0.0
        before, left_over = left_over, sum(r * r for r in rest)
        way = [a + left_over / before * b for a, b in zip(rest, way)]
        way[root] = 0.0
    return lambda at: v[nearest(at)]


board = pcbnew.LoadBoard(sys.argv[1])
wrong = []
filters = {}
for footprint in board.GetFootprints():
    for pad in footprint.Pads():
        if pad.GetNetname().startswith("pin:"):
            filters.setdefault(pad.GetNetname(), []).append(place(pad))
far = max(math.dist(*ends) for ends in filters.values())
print(f"{len(filters)} filters, {far:.1f} mm from their data pins at most")
if far > 15:
    wrong.append("a filter is too far from its pin")

chips = []
for footprint, pad in pads(board, "+5V"):
    value, last = footprint.GetValue(), str(footprint.GetPadCount())
    supply = {"DS1813-5": ["2"], "UM245R": ["15", "21"]}.get(value, [last])
    current = next((CURRENTS[key] for key in CURRENTS if value.startswith(key)), None)
    if current is not None and pad.GetNumber() in supply:
        chips.append((footprint.GetReference(), value, place(pad), current / len(supply)))
capacitors = [place(pad) for f, pad in pads(board, "+5V") if f.GetValue() == "100 nF"]
far = max(min(math.dist(at, c) for c in capacitors) for _, _, at, _ in chips)
print(f"{len(chips)} supply pins, {far:.1f} mm from a capacitor of 100 nF at most")
if far > 10:
    wrong.append("a capacitor is too far from its pin")

scale = AMPERES / sum(current for *_, current in chips)
taken = [(at, current * scale) for *_, at, current in chips]
# The current of the latches returns at the LEDs.
own = [(at, (1 if value == "74HCT573" else current) * scale) for _, value, at, current in chips]
lights = [place(pad) for f, pad in pads(board, "0V") if f.GetValue() == "LED-RG"]
rest = AMPERES - sum(current for _, current in own)
returned = own + [(at, rest / len(lights)) for at in lights]
plus = next(place(pad) for f, pad in pads(board, "+5V") if f.GetReference() == "Q1")
minus = next(place(pad) for f, pad in pads(board, "0V") if f.GetReference() == "J1")
high, low = drops(board, "+5V", plus, taken), drops(board, "0V", minus, returned)
tracks = [t for t in board.GetTracks() if t.GetNetname() == "VIN"]
squares = sum(t.GetLength() / t.GetWidth() for t in tracks if t.Type() == pcbnew.PCB_TRACE_T)
entry = AMPERES * (TRANSISTOR + squares * OUTSIDE)
worst, reference = min((5 - entry - high(at) - low(at), name) for name, _, at, _ in chips)
lost = f"{1000 * entry:.0f} mV are lost before the planes"
print(f"{worst:.3f} V of 5 V reach {reference} at {AMPERES} A; {lost}")
if worst < 4.85:
    wrong.append("the supply is too low")
if wrong:
    sys.exit("\n".join(wrong))

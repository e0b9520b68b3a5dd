#!/usr/bin/python3
"""Fills the zones of a circuit board, with KiCad's own Python: fill-zones.py BOARD COPY

gray1-b is kept without the copper of its planes, and kicad-cli 9 does not fill them: from the board
as it is, it would export Gerbers without planes, and say nothing. The copy is to be in the folder of
its project, which has the rules."""
import sys

import pcbnew

source, copy = sys.argv[1:]
board = pcbnew.LoadBoard(source)
zones = [zone for zone in board.Zones() if not zone.GetIsRuleArea()]
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
for zone in zones:
    for layer in zone.GetLayerSet().Seq():
        if zone.GetFilledPolysList(layer).OutlineCount() == 0:
            sys.exit(f"{source}: the zone of {zone.GetNetname()} has no copper")
pcbnew.SaveBoard(copy, board)

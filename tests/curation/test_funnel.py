from curation.funnel import HEADER, cells
from hopsight.types import FunnelRow
from tests.curation.made import fuzzed, grounded


def funnel_row(stage, staged):
    return FunnelRow.of(stage, staged.entered, len(staged.kept), staged.reasons())


def test_each_stage_tells_what_entered_what_stayed_and_why_the_rest_left():
    before = funnel_row("fuzzed", fuzzed()[1].questions)
    after = funnel_row("grounded", grounded().questions)
    for row in (before, after):
        assert row.entered == row.kept + row.rejected
        assert row.rejected == sum(each.count for each in row.reasons)
    assert after.entered == before.kept


def test_the_table_has_a_cell_for_every_column_and_the_commonest_reason_first():
    table = cells([FunnelRow.of("paths", 2000, 1500, {"hub": 100, "dead_end": 400})])
    assert [len(line) for line in table] == [len(HEADER)]
    assert table[0] == ("paths", "2,000", "1,500", "500", "dead_end 400, hub 100")

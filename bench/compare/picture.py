"""results.svg: a bar for each row on a logarithmic scale; to the right of 1 Sluice is faster."""
import math
import pathlib

ROW, LEFT, WIDTH, TOP = 16, 330, 960, 80
LINES = (.1, .2, .5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def text(x, y, words, anchor="start", more=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def draw(rows, others, file):
    """`rows`: in groups, with group, name, ratio and, when a library of `others` did the same, other_ratio and other."""
    ratios = [r.ratio for r in rows] + [r.other_ratio for r in rows if r.other]
    low, high = min([.5] + ratios) / 1.3, max([2] + ratios) * 1.6
    scale = (WIDTH - LEFT - 20) / math.log(high / low)

    def at(ratio):
        return LEFT + scale * math.log(ratio / low)

    groups = sum(1 for a, b in zip([None] + rows, rows) if a is None or a.group != b.group)
    height = TOP + (len(rows) + groups) * ROW + 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           text(LEFT, 16, "TensorFlow / Sluice: right of 1 Sluice is faster, or smaller", more=' font-size="13"')]
    machines = sorted({row.machine for row in rows if row.machine})
    out.append(text(LEFT, 32, "; ".join(machines), more=' fill="#777"'))
    if others:
        out.append(text(LEFT, 48, f"the mark stands where the best of {', '.join(others)} does the same: that / Sluice"))
    for line in LINES:
        if low < line < high:
            out.append(f'<line x1="{at(line):.1f}" x2="{at(line):.1f}" y1="{TOP - 12}" y2="{height - 6}" '
                       f'stroke="{"#555" if line == 1 else "#ddd"}"/>' + text(at(line), TOP - 16, f"{line:g}", "middle"))
    y, group = TOP, None
    for row in rows:
        if row.group != group:
            group = row.group
            out.append(text(12, y + 12, group, more=' font-weight="bold" font-size="12"'))
            y += ROW
        x, one = at(row.ratio), at(1)
        out.append(text(LEFT - 8, y + 12, row.name, "end"))
        out.append(f'<rect x="{min(x, one):.1f}" y="{y + 2}" width="{max(abs(x - one), 1):.1f}" height="{ROW - 4}" '
                   f'fill="{"#3a7" if row.ratio >= 1 else "#c54"}"/>')
        if row.other:
            out.append(f'<line x1="{at(row.other_ratio):.1f}" x2="{at(row.other_ratio):.1f}" y1="{y}" y2="{y + ROW}" '
                       'stroke="#236" stroke-width="3"/>')
        mark, side = at(row.other_ratio) if row.other else x, 1 if row.ratio >= 1 else -1
        if -6 < (mark - x) * side < 30:
            x = mark  # the number stands beyond both
        out.append(text(x + 4 * side, y + 12, f"{row.ratio:.2f}", "start" if side > 0 else "end"))
        y += ROW
    pathlib.Path(file).write_text("\n".join(out) + "\n</svg>\n")

"""Games on boards, cellular automata, mazes."""

from programs import beyond, on, tf


@on([[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]], 3)
def life(board, rounds):
    for _ in tf.range(rounds):
        p = tf.pad(board, [[1, 1], [1, 1]])
        n = tf.zeros_like(board)
        for i in range(3):
            for j in range(3):
                if i == 1 and j == 1:
                    continue
                n += p[i : i + 5, j : j + 5]
        alive = (n == 3) | ((board == 1) & (n == 2))
        board = tf.cast(alive, tf.int32)
    return board


@on(30, 5)
@on(90, 6)
def elementary_automaton(rule, rounds):
    row = tf.one_hot(8, 17, dtype=tf.int32)
    rows = tf.TensorArray(tf.int32, rounds)
    for t in tf.range(rounds):
        rows = rows.write(t, row)
        code = 4 * tf.roll(row, 1, 0) + 2 * row + tf.roll(row, -1, 0)
        row = tf.bitwise.right_shift(rule, code) % 2
    return rows.stack()


@beyond("return in one branch")
@on([[1, 1, 1], [0, 2, 0], [2, 2, 0]])
@on([[1, 2, 1], [2, 1, 2], [2, 1, 2]])
@on([[2, 1, 1], [1, 2, 0], [1, 0, 2]])
def tic_tac_toe_winner(board):
    for player in (1, 2):
        mine = board == player
        if tf.reduce_any(tf.reduce_all(mine, 0)) or tf.reduce_any(tf.reduce_all(mine, 1)):
            return player
        if tf.reduce_all(tf.linalg.diag_part(mine)):
            return player
        if mine[0, 2] and mine[1, 1] and mine[2, 0]:
            return player
    return 0


@on(6)
@on(4)
def queens(n):
    """How many queens greedy placing with going back finds, and its steps."""
    columns = tf.fill([n], -1)
    row, steps = 0, 0
    while row >= 0 and row < n:
        steps += 1
        c = columns[row] + 1
        placed = False
        while c < n and not placed:
            safe = True
            for r in tf.range(row):
                if columns[r] == c or tf.abs(columns[r] - c) == row - r:
                    safe = False
                    break
            if safe:
                placed = True
            else:
                c += 1
        if placed:
            columns = tf.tensor_scatter_nd_update(columns, [[row]], [c])
            row += 1
        else:
            columns = tf.tensor_scatter_nd_update(columns, [[row]], [-1])
            row -= 1
    return columns, steps


@beyond("a loop whose condition becomes a tensor")
@on([[0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0]])
@on([[0, 1, 0, 0], [1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0]])
def shortest_way(walls):
    n = 4
    distance = tf.tensor_scatter_nd_update(tf.fill([n, n], -1), [[0, 0]], [0])
    step = 0
    while True:
        front = tf.cast(distance == step, tf.int32)
        p = tf.pad(front, [[1, 1], [1, 1]])
        near = p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
        new = (near > 0) & (distance < 0) & (walls == 0)
        if not tf.reduce_any(new):
            break
        step += 1
        distance = tf.where(new, step, distance)
        if distance[-1, -1] >= 0:
            break
    return distance[-1, -1]


@on(3)
@on(5)
def hanoi_moves(n):
    """Towers of Hanoi without recursion: where each disk is after the last move, and the moves."""
    pegs = tf.zeros([n], tf.int32)
    moves = (1 << n) - 1
    for m in tf.range(1, moves + 1):
        disk, t = 0, m
        while t % 2 == 0:
            t //= 2
            disk += 1
        way = 1 if (n - disk) % 2 == 0 else 2
        pegs = tf.tensor_scatter_nd_add(pegs, [[disk]], [way])
        pegs = pegs % 3
    return pegs, moves


@on([2, 0, 2, 4])
@on([2, 2, 4, 4])
@on([0, 0, 0, 8])
def slide_2048(row):
    out = tf.zeros([4], tf.int32)
    at, last = 0, 0
    for v in row:
        if v == 0:
            continue
        if v == last:
            out = tf.tensor_scatter_nd_update(out, [[at - 1]], [2 * v])
            last = 0
        else:
            out = tf.tensor_scatter_nd_update(out, [[at]], [v])
            at += 1
            last = v
    return out


@on([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
@on([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 1, 2]])
def sudoku_valid(board):
    valid = True
    for i in tf.range(4):
        if tf.size(tf.unique(board[i])[0]) != 4 or tf.size(tf.unique(board[:, i])[0]) != 4:
            valid = False
            break
    if valid:
        for a in (0, 2):
            for b in (0, 2):
                square = tf.reshape(board[a : a + 2, b : b + 2], [-1])
                valid = valid and tf.size(tf.unique(square)[0]) == 4
    return valid


@beyond("a loop whose condition becomes a tensor")
@on([[1, 0, 3, 4], [3, 4, 0, 2], [0, 1, 4, 0], [4, 0, 2, 1]])
def sudoku_fill(board):
    """Fills cells with one possible value until nothing changes."""
    changed = True
    rounds = 0
    while changed:
        changed = False
        rounds += 1
        for i in tf.range(4):
            for j in tf.range(4):
                if board[i, j] != 0:
                    continue
                a, b = i // 2 * 2, j // 2 * 2
                used = tf.concat([board[i], board[:, j], tf.reshape(board[a : a + 2, b : b + 2], [4])], 0)
                free, last = 0, 0
                for v in tf.range(1, 5):
                    if not tf.reduce_any(used == v):
                        free += 1
                        last = v
                if free == 1:
                    board = tf.tensor_scatter_nd_update(board, [[i, j]], [last])
                    changed = True
    return board, rounds


@on([3, 4, 5])
@on([1, 4, 5])
def nim(heaps):
    xor = 0
    for h in heaps:
        xor ^= h
    if xor == 0:
        return -1, 0
    take, heap = 0, -1
    for i in tf.range(tf.size(heaps)):
        target = heaps[i] ^ xor
        if target < heaps[i]:
            take, heap = heaps[i] - target, i
            break
    return heap, take


@on(11)
def langtons_ant(steps):
    board = tf.zeros([7, 7], tf.int32)
    y, x, d = 3, 3, 0
    for _ in tf.range(steps):
        if board[y, x] == 0:
            d = (d + 1) % 4
        else:
            d = (d + 3) % 4
        board = tf.tensor_scatter_nd_update(board, [[y, x]], [1 - board[y, x]])
        if d == 0:
            y -= 1
        elif d == 1:
            x += 1
        elif d == 2:
            y += 1
        else:
            x -= 1
    return board, y, x


@on("LRUUDRLLX")
def walk(commands):
    y = x = 0
    visited = 1
    for c in tf.strings.bytes_split(commands):
        if c == "L":
            x -= 1
        elif c == "R":
            x += 1
        elif c == "U":
            y += 1
        elif c == "D":
            y -= 1
        else:
            break
        if x != 0 or y != 0:
            visited += 1
    return x, y, visited


@beyond("return in one branch")
@on([1, 2, 0, 3], 3)
def peg_jumps(jumps, start):
    at, count = start, 0
    while count < 10:
        if jumps[at] == 0:
            return at, count
        at = (at + jumps[at]) % 4
        count += 1
    return -1, count


@on([[0, 0, 0], [0, 0, 0], [1, 2, 0], [1, 2, 2]], 1)
@on([[0, 0, 0], [1, 0, 0], [1, 2, 0], [1, 2, 2]], 1)
def drop_stone(board, column):
    row = -1
    for r in tf.range(3, -1, -1):
        if board[r, column] == 0:
            row = r
            break
    if row >= 0:
        board = tf.tensor_scatter_nd_update(board, [[row, column]], [1])
    four = 0
    streak = 0
    for r in tf.range(4):
        if board[r, 0] == 1:
            streak += 1
            four = tf.maximum(four, streak)
        else:
            streak = 0
    return row, four


@on([[1, 2, 3], [4, 0, 5], [7, 8, 6]])
@on([[1, 2, 3], [4, 5, 6], [8, 7, 0]])
def eight_puzzle_solvable(board):
    flat = tf.reshape(board, [-1])
    flat = tf.boolean_mask(flat, flat > 0)
    inversions = 0
    for i in tf.range(8):
        for j in tf.range(i + 1, 8):
            inversions += 1 if flat[i] > flat[j] else 0
    return inversions % 2 == 0, inversions


@beyond("return within a loop")
@on([4, 9, 2, 3, 5, 7, 8, 1, 6])
def magic_square(cells):
    square = tf.reshape(cells, [3, 3])
    s = tf.reduce_sum(square[0])
    for i in tf.range(3):
        if tf.reduce_sum(square[i]) != s:
            return False
        if tf.reduce_sum(square[:, i]) != s:
            return False
    return tf.linalg.trace(square) == s and tf.linalg.trace(square[::-1]) == s


@on(4)
def spiral(n):
    board = tf.zeros([n, n], tf.int32)
    y, x, dy, dx = 0, 0, 0, 1
    for k in tf.range(1, n * n + 1):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(board, tf.TensorShape([None, None]))])
        board = tf.tensor_scatter_nd_update(board, [[y, x]], [k])
        ny, nx = y + dy, x + dx
        if ny < 0 or ny >= n or nx < 0 or nx >= n or board[ny % n, nx % n] != 0:
            dy, dx = dx, -dy
        y, x = y + dy, x + dx
    return board


@beyond("a condition on tensors that is not converted")
@on([0.1, 0.9, 0.5, 0.3], 3)
def snakes_and_ladders(dice, goal):
    at, turns = 0, 0
    while at < goal * 4:
        roll = tf.cast(dice[turns % 4] * 6, tf.int32) + 1
        at += roll
        turns += 1
        at = 9 if at == 7 else 2 if at == 8 else at
        if turns > 30:
            break
    return at, turns


@on([[1, 3, 1], [1, 5, 1], [4, 2, 1]])
def cheapest_path(cost):
    best = tf.TensorArray(tf.int32, 9, clear_after_read=False)
    for i in tf.range(3):
        for j in tf.range(3):
            here = cost[i, j]
            if i > 0 and j > 0:
                here += tf.minimum(best.read(3 * (i - 1) + j), best.read(3 * i + j - 1))
            elif i > 0:
                here += best.read(3 * (i - 1) + j)
            elif j > 0:
                here += best.read(3 * i + j - 1)
            best = best.write(3 * i + j, here)
    return best.stack()


@on(5)
def knight_moves(n):
    ways = tf.scatter_nd([[0, 0]], [1], [n, n])
    moves = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    for _ in tf.range(3):
        p = tf.pad(ways, [[2, 2], [2, 2]])
        new = tf.zeros([n, n], tf.int32)
        for dy, dx in moves:
            new += p[2 + dy : 2 + dy + n, 2 + dx : 2 + dx + n]
        ways = new
    return ways


@on([[1, 1, 2], [1, 2, 2], [3, 1, 1]], 9)
def flood_fill(picture, colour):
    old = picture[0, 0]
    area = tf.scatter_nd([[0, 0]], [True], [3, 3])
    size = 0
    while tf.reduce_sum(tf.cast(area, tf.int32)) != size:
        size = tf.reduce_sum(tf.cast(area, tf.int32))
        p = tf.pad(area, [[1, 1], [1, 1]])
        near = p[:-2, 1:-1] | p[2:, 1:-1] | p[1:-1, :-2] | p[1:-1, 2:]
        area = area | near & (picture == old)
    return tf.where(area, colour, picture), size

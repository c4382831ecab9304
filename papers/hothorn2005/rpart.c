/* Classification trees with rpart's defaults, one after the other: two classes, two attributes.

   The same trees as those of `podium_lab.calibration.rpart`, which grows them level by level with
   numpy; here a tree costs some microseconds. See there for the rules and their sources. */

#include <math.h>
#include <stdint.h>

enum { MIN_SPLIT = 20, MIN_LEAF = 7, PRICE = 100 }; /* as in podium_lab.calibration.rpart */

typedef struct {
    const double *x[2]; /* the values of each attribute, row by row */
    const uint8_t *y;
    const uint8_t *draws; /* how often each row was drawn */
    int32_t *rows[2];     /* the rows of all nodes, sorted by each attribute within a node */
    int32_t *room;
    int32_t price;        /* of a leaf: the root's errors */
} Tree;

typedef struct {
    double low[2], high[2];
    int32_t said;
} Leaf;

typedef struct {
    double purity, at;
    int attribute;
    int32_t drawn, ones; /* on the left */
} Cut;

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* The first cut of the largest purity, ones^2 / drawn on both sides.

   Along rows of one class the purity is strictly convex, so that of the cuts that are allowed only
   those between classes, the first and the last can be the best; no two rows have the same value. */
static Cut best_cut(const Tree *t, int start, int end, int32_t drawn, int32_t ones) {
    Cut best = {(double)(ones * ones) / drawn + 1e-9, INFINITY, 0, 0, 0}; /* none is no gain */
    for (int j = 0; j < 2; j++) {
        const int32_t *rows = t->rows[j];
        int32_t n = 0, k = 0, before = 0;
        for (int i = start; i < end - 1; i++, before = n) {
            int32_t row = rows[i], next = rows[i + 1];
            n += t->draws[row];
            k += t->draws[row] * t->y[row];
            int32_t n_right = drawn - n, k_right = ones - k;
            if (n_right < MIN_LEAF) break;
            if (n < MIN_LEAF) continue;
            int inner = before >= MIN_LEAF && n_right - t->draws[next] >= MIN_LEAF;
            if (inner && t->y[row] == t->y[next]) continue;
            double purity = (double)(k * k) / n + (double)(k_right * k_right) / n_right;
            if (purity > best.purity)
                best = (Cut){purity, (t->x[j][row] + t->x[j][next]) / 2, j, n, k};
        }
    }
    return best;
}

/* Rows below the cut come first, in the order in which they were; how many there are. */
static int parted(const Tree *t, int start, int end, Cut cut) {
    int below = 0;
    for (int j = 0; j < 2; j++) {
        int32_t *rows = t->rows[j];
        int left = start, right = 0;
        for (int i = start; i < end; i++) { /* without a branch, which could not be foreseen */
            int32_t row = rows[i];
            int goes_left = t->x[cut.attribute][row] < cut.at;
            rows[left] = row;
            t->room[right] = row;
            left += goes_left;
            right += !goes_left;
        }
        for (int i = 0; i < right; i++) rows[left + i] = t->room[i];
        below = left - start;
    }
    return below;
}

/* Grows and prunes the tree of a node; its leaves are appended, its cost is returned. */
static int64_t grown(const Tree *t, int start, int end, int32_t drawn, int32_t ones, Leaf box,
                     Leaf *leaves, int64_t *count) {
    int32_t errors = least(ones, drawn - ones);
    int64_t alone = (int64_t)PRICE * errors + t->price, before = *count;
    if (drawn >= MIN_SPLIT && PRICE * errors > t->price) {
        Cut cut = best_cut(t, start, end, drawn, ones);
        if (isfinite(cut.at)) {
            int middle = start + parted(t, start, end, cut);
            Leaf left = box, right = box;
            left.high[cut.attribute] = right.low[cut.attribute] = cut.at;
            int64_t below =
                grown(t, start, middle, cut.drawn, cut.ones, left, leaves, count) +
                grown(t, middle, end, drawn - cut.drawn, ones - cut.ones, right, leaves, count);
            if (below < alone) return below;
            *count = before;
        }
    }
    box.said = 2 * ones > drawn;
    leaves[(*count)++] = box;
    return alone;
}

/* The leaves of `fits` trees one after the other; ends[f] is where those of tree f end.

   x: samples x 2 x n, orders: samples x 2 x n, y: samples x n, draws: fits x n; one sample for all
   trees, or one for each. `rows` (2 x n) and `room` (n) are to work in; there must be space for
   n / MIN_LEAF + 1 leaves of each tree, draws counted. */
void forest(int fits, int n, int shared, const double *x, const int32_t *orders, const uint8_t *y,
            const uint8_t *draws, int32_t *rows, int32_t *room, Leaf *leaves, int64_t *ends) {
    int64_t count = 0;
    for (int f = 0; f < fits; f++) {
        long sample = shared ? 0 : f;
        const double *values = x + sample * 2 * n;
        Tree t = {{values, values + n}, y + sample * n, draws + (long)f * n, {rows, rows + n}, room, 0};
        int32_t drawn = 0, ones = 0;
        int size = 0;
        for (int j = 0; j < 2; j++) {
            size = 0;
            for (int i = 0; i < n; i++) {
                int32_t row = orders[(sample * 2 + j) * n + i];
                t.rows[j][size] = row;
                size += t.draws[row] > 0;
            }
        }
        for (int i = 0; i < n; i++) {
            drawn += t.draws[i];
            ones += t.draws[i] * t.y[i];
        }
        t.price = least(ones, drawn - ones);
        Leaf all = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}, 0};
        grown(&t, 0, size, drawn, ones, all, leaves, &count);
        ends[f] = count;
    }
}

/* How many draws of a test sample trees and linear rules (a constant and two weights; class 1 above
   zero) miss. x: 2 x m, y: m, draws: fits x m, or NULL for every row once; said: m, to work in;
   wrong: 2 x fits. */
void missed(int fits, const Leaf *leaves, const int64_t *ends, const double *rules, int m,
            const double *x, const int64_t *y, const uint8_t *draws, int64_t *said,
            int64_t *wrong) {
    const double *a = x, *b = x + m;
    for (int f = 0; f < fits; f++) {
        const Leaf *first = leaves + (f ? ends[f - 1] : 0), *last = leaves + ends[f];
        const double constant = rules[3 * f], u = rules[3 * f + 1], v = rules[3 * f + 2];
        int64_t by_tree = 0, by_rule = 0;
        for (int i = 0; i < m; i++) said[i] = 0;
        for (const Leaf *leaf = first; leaf < last; leaf++) {
            if (!leaf->said) continue;
            const double low = leaf->low[0], high = leaf->high[0];
            const double below = leaf->low[1], above = leaf->high[1];
            for (int i = 0; i < m; i++)
                said[i] |= (a[i] >= low) & (a[i] < high) & (b[i] >= below) & (b[i] < above);
        }
        const uint8_t *times = draws ? draws + (long)f * m : 0;
        for (int i = 0; i < m; i++) {
            int64_t weight = times ? times[i] : 1;
            by_tree += weight * (said[i] ^ y[i]);
            by_rule += weight * ((constant + (u * a[i] + v * b[i]) > 0) ^ y[i]);
        }
        wrong[f] = by_tree;
        wrong[fits + f] = by_rule;
    }
}

/* Classification trees with rpart's defaults, one after the other: two classes, two attributes.

   The same trees as those of `podium_lab.calibration.rpart`, which grows them level by level with
   numpy; here a tree costs some microseconds. See there for the rules and their sources. */

#include <math.h>
#include <stdint.h>

enum { MIN_SPLIT = 20, MIN_LEAF = 7 }; /* as in podium_lab.calibration.rpart */
enum { ROWS = 4096 };                  /* at most */
static const double COMPLEXITY = 0.01;

typedef struct {
    const double *x[2]; /* the values of each attribute, row by row */
    const uint8_t *y;
    const uint8_t *draws; /* how often each row was drawn */
    int32_t *rows[2];     /* the rows of all nodes, sorted by each attribute within a node */
    int32_t *room;
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

/* The first cut of the largest purity, ones^2 / drawn on both sides; no two rows have the same
   value. Sums first, so that purities of all cuts are computed side by side. */
static Cut best_cut(const Tree *t, int start, int end, int32_t drawn, int32_t ones) {
    Cut best = {(double)(ones * ones) / drawn + 1e-9, INFINITY, 0, 0, 0}; /* none is no gain */
    double below[ROWS], hits[ROWS], purity[ROWS];
    for (int j = 0; j < 2; j++) {
        const int32_t *rows = t->rows[j];
        int32_t n = 0, k = 0;
        int first = start, count = 0;
        for (; first < end && n + t->draws[rows[first]] < MIN_LEAF; first++) {
            n += t->draws[rows[first]];
            k += t->draws[rows[first]] * t->y[rows[first]];
        }
        for (int i = first; i < end; i++) {
            n += t->draws[rows[i]];
            k += t->draws[rows[i]] * t->y[rows[i]];
            if (drawn - n < MIN_LEAF) break;
            below[count] = n;
            hits[count++] = k;
        }
        for (int i = 0; i < count; i++) {
            double right = ones - hits[i];
            purity[i] = hits[i] * hits[i] / below[i] + right * right / (drawn - below[i]);
        }
        for (int i = 0; i < count; i++) {
            if (purity[i] <= best.purity) continue;
            int32_t row = rows[first + i], next = rows[first + i + 1];
            double at = (t->x[j][row] + t->x[j][next]) / 2;
            best = (Cut){purity[i], at, j, (int32_t)below[i], (int32_t)hits[i]};
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

/* -- trees whose own cross-validation chose their size ------------------------------------------ */

enum { FOLDS = 10, MOST = 512 }; /* of a tree's own cross-validation; nodes of a tree */

typedef struct {
    double complexity, at; /* the split is kept at prices below its complexity */
    int left, right, attribute; /* left < 0: a leaf */
    int32_t errors, said;
} Node;

typedef struct {
    Node nodes[MOST];
    int count;
    double price; /* errors that a leaf must save more than */
} Grown;

typedef struct {
    int32_t errors, splits; /* of the leaves that are there when the node itself collapses */
} Below;

/* Grows a node. A node's complexity is (its errors - those of its leaves) / splits, after whichever
   child has a smaller one has collapsed, the smaller one first, as rpart computes it. */
static Below nested(const Tree *t, Grown *g, int self, int start, int end, int32_t drawn, int32_t ones) {
    Node *node = &g->nodes[self];
    Below none = {least(ones, drawn - ones), 0};
    *node = (Node){g->price, 0, -1, -1, 0, none.errors, 2 * ones > drawn};
    if (drawn < MIN_SPLIT || none.errors <= g->price || g->count + 2 > MOST) return none;
    Cut cut = best_cut(t, start, end, drawn, ones);
    if (!isfinite(cut.at)) return none;
    int middle = start + parted(t, start, end, cut), left = g->count, right = left + 1;
    g->count += 2;
    Below a = nested(t, g, left, start, middle, cut.drawn, cut.ones);
    Below b = nested(t, g, right, middle, end, drawn - cut.drawn, ones - cut.ones);
    int order = g->nodes[right].complexity > g->nodes[left].complexity;
    for (int turn = 0; turn < 2; turn++, order = !order) {
        const Node *child = &g->nodes[order ? left : right];
        double own = (double)(none.errors - a.errors - b.errors) / (a.splits + b.splits + 1);
        if (own <= child->complexity) break;
        *(order ? &a : &b) = (Below){child->errors, 0};
    }
    Below both = {a.errors + b.errors, a.splits + b.splits + 1};
    node->complexity = (double)(none.errors - both.errors) / both.splits;
    if (node->complexity <= g->price) { /* the split does not pay */
        node->complexity = g->price;
        g->count = left;
        return none;
    }
    node->left = left, node->right = right, node->attribute = cut.attribute, node->at = cut.at;
    return both;
}

/* No node outlives its parent. */
static void capped(Grown *g, int self, double parent) {
    Node *node = &g->nodes[self];
    if (node->complexity > parent) node->complexity = parent;
    if (node->left < 0) return;
    capped(g, node->left, node->complexity);
    capped(g, node->right, node->complexity);
}

/* The tree of what was drawn, without what a fold holds (NULL: nothing), at a price per leaf.

   `from` are all drawn rows, sorted by each attribute; `weights` (n) is to work in. */
static void tree_of(Tree *t, Grown *g, const int32_t *const from[2], int size, const uint8_t *draws,
                    const uint8_t *fold, uint8_t *weights, double price) {
    int32_t drawn = 0, ones = 0;
    int kept = 0;
    for (int i = 0; i < size; i++) {
        int32_t row = from[0][i];
        weights[row] = fold ? draws[row] - fold[row] : draws[row];
        drawn += weights[row];
        ones += weights[row] * t->y[row];
    }
    for (int j = 0; j < 2; j++) {
        kept = 0;
        for (int i = 0; i < size; i++) {
            t->rows[j][kept] = from[j][i];
            kept += weights[from[j][i]] > 0;
        }
    }
    t->draws = weights;
    g->count = 1;
    g->price = price;
    nested(t, g, 0, 0, kept, drawn, ones);
    capped(g, 0, g->nodes[0].complexity);
}

/* The complexity at which the least cross-validated errors are made; of equal ones the largest. */
static double chosen(Tree *t, const Grown *g, Grown *other, const int32_t *const from[2], int size,
                     const uint8_t *draws, const uint8_t *folds, int n, uint8_t *weights) {
    double values[MOST], at[MOST];
    int64_t missed[MOST];
    int rows = 0;
    for (int i = 0; i < g->count; i++) { /* distinct complexities, the largest first */
        double c = g->nodes[i].complexity;
        if (g->nodes[i].left < 0) continue;
        int place = 0;
        while (place < rows && values[place] > c) place++;
        if (place < rows && values[place] == c) continue;
        for (int k = rows++; k > place; k--) values[k] = values[k - 1];
        values[place] = c;
    }
    values[rows++] = g->price;
    at[0] = 10 * values[0];
    for (int i = 1; i < rows; i++) at[i] = sqrt(values[i - 1] * values[i]);
    for (int i = 0; i < rows; i++) missed[i] = 0;
    int32_t all = 0;
    for (int i = 0; i < size; i++) all += draws[from[0][i]];
    for (int f = 0; f < FOLDS; f++) {
        const uint8_t *fold = folds + (long)f * n;
        int32_t held = 0;
        for (int i = 0; i < size; i++) held += fold[from[0][i]];
        double share = (double)(all - held) / all;
        /* splits that no row of the table keeps need not be grown: those above do not depend on them */
        tree_of(t, other, from, size, draws, fold, weights, at[rows - 1] * share);
        for (int i = 0; i < size; i++) {
            int32_t row = from[0][i];
            if (!fold[row]) continue;
            const Node *node = other->nodes;
            for (int r = 0; r < rows; r++) {
                while (node->left >= 0 && at[r] * share < node->complexity)
                    node = &other->nodes[t->x[node->attribute][row] < node->at ? node->left : node->right];
                missed[r] += fold[row] * (node->said != t->y[row]);
            }
        }
    }
    int best = 0;
    for (int r = 1; r < rows; r++)
        if (missed[r] < missed[best]) best = r;
    return values[best];
}

static void collect(const Grown *g, int self, double price, Leaf box, Leaf *leaves, int64_t *count) {
    const Node *node = &g->nodes[self];
    if (node->left < 0 || node->complexity <= price) {
        box.said = node->said;
        leaves[(*count)++] = box;
        return;
    }
    Leaf left = box, right = box;
    left.high[node->attribute] = right.low[node->attribute] = node->at;
    collect(g, node->left, price, left, leaves, count);
    collect(g, node->right, price, right, leaves, count);
}

/* The leaves of `fits` trees one after the other; ends[f] is where those of tree f end.

   x: samples x 2 x n, orders: samples x 2 x n, y: samples x n, draws: fits x n; one sample for all
   trees, or one for each. folds: fits x FOLDS x n, or 1 x FOLDS x n for all (shared_folds), or NULL
   for trees that are pruned at rpart's default alone. `rows` (5 x n) and `weights` (n) are to work in;
   there must be space for n / MIN_LEAF + 1 leaves of each tree, draws counted. */
void forest(int fits, int n, int shared, int shared_folds, const double *x, const int32_t *orders,
            const uint8_t *y, const uint8_t *draws, const uint8_t *folds, int32_t *rows,
            uint8_t *weights, Leaf *leaves, int64_t *ends) {
    int64_t count = 0;
    Grown grown, other;
    for (int f = 0; f < fits; f++) {
        long sample = shared ? 0 : f;
        const double *values = x + sample * 2 * n;
        const uint8_t *drawn = draws + (long)f * n;
        Tree t = {{values, values + n}, y + sample * n, drawn, {rows, rows + n}, rows + 2 * n};
        int32_t *from[2] = {rows + 3 * n, rows + 4 * n};
        int size = 0;
        for (int j = 0; j < 2; j++) {
            size = 0;
            for (int i = 0; i < n; i++) {
                int32_t row = orders[(sample * 2 + j) * n + i];
                from[j][size] = row;
                size += drawn[row] > 0;
            }
        }
        int32_t all = 0, ones = 0;
        for (int i = 0; i < n; i++) all += drawn[i], ones += drawn[i] * t.y[i];
        const int32_t *const sorted[2] = {from[0], from[1]};
        tree_of(&t, &grown, sorted, size, drawn, 0, weights, COMPLEXITY * least(ones, all - ones));
        double price = grown.price;
        if (folds && grown.nodes[0].left >= 0)
            price = chosen(&t, &grown, &other, sorted, size, drawn,
                           folds + (shared_folds ? 0 : (long)f * FOLDS * n), n, weights);
        Leaf whole = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}, 0};
        collect(&grown, 0, price, whole, leaves, &count);
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

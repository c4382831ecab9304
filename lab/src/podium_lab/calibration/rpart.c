/* Classification trees with rpart's defaults, one after the other: two classes, two attributes.

   The same trees as those of `podium_lab.calibration.rpart`, which grows them level by level with
   numpy; here a tree costs some microseconds. See there for the rules and their sources. */

#include <math.h>
#include <stdint.h>

enum { MIN_SPLIT = 20, MIN_LEAF = 7 }; /* as in podium_lab.calibration.rpart */
enum { ROWS = 4096 };                  /* at most */
static const double COMPLEXITY = 0.01;

/* A drawn row. Its place among all rows by each attribute stands for its values, so that lists of
   rows are read from front to back and nothing is looked up. */
typedef struct {
    uint32_t counts; /* how often it was drawn, and 65536 times that if it is of class 1 */
    uint16_t place[2];
} Row;

typedef struct {
    const double *x[2];      /* the values of each attribute, row by row */
    const double *sorted[2]; /* and place by place */
    const uint8_t *y;
    Row *rows[2]; /* the rows of all nodes, sorted by each attribute within a node */
    Row *room;
} Tree;

typedef struct {
    double low[2], high[2];
    int32_t said;
} Leaf;

typedef struct {
    double purity, at;
    int attribute, where; /* the last row on the left, where rows are sorted by the attribute */
    uint32_t left;        /* its counts */
} Cut;

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t drawn_of(uint32_t counts) { return counts & 0xFFFF; }
static int32_t ones_of(uint32_t counts) { return counts >> 16; }
static int32_t errors_of(uint32_t counts) {
    return least(ones_of(counts), drawn_of(counts) - ones_of(counts));
}

/* The first cut of the largest purity, ones^2 / drawn on both sides; no two rows have the same
   value. Between two rows of one class it is never the largest, as purity is convex along a run of
   one class (Fayyad & Irani 1992): only ends of runs are judged, and those that the least number
   in a leaf allows. */
static Cut best_cut(const Tree *t, int start, int end, uint32_t all) {
    double drawn = drawn_of(all), ones = ones_of(all);
    Cut best = {ones * ones / drawn + 1e-9, INFINITY, 0, 0, 0}; /* none is no gain */
    uint32_t sums[ROWS];
    int ends[ROWS];
    double purity[ROWS];
    for (int j = 0; j < 2; j++) {
        const Row *rows = t->rows[j];
        uint32_t sum = 0, rest = 0;
        int first = start, last = end - 1, count = 0;
        for (;; first++) {
            sum += rows[first].counts;
            if (drawn_of(sum) >= MIN_LEAF) break;
        }
        while (drawn_of(rest += rows[last].counts) < MIN_LEAF) last--;
        last--;
        if (first > last) continue;
        for (int i = first;; sum += rows[++i].counts) {
            sums[count] = sum;
            ends[count] = i;
            if (i == last) break;
            count += (i == first) | ((rows[i].counts > 0xFFFF) != (rows[i + 1].counts > 0xFFFF));
        }
        count++;
        for (int i = 0; i < count; i++) {
            double below = drawn_of(sums[i]), hits = ones_of(sums[i]), right = ones - hits;
            purity[i] = hits * hits / below + right * right / (drawn - below);
        }
        for (int i = 0; i < count; i++)
            if (purity[i] > best.purity) best = (Cut){purity[i], 0, j, ends[i], sums[i]};
    }
    if (best.left) {
        const Row *row = &t->rows[best.attribute][best.where];
        const double *values = t->sorted[best.attribute];
        best.at = (values[row[0].place[best.attribute]] + values[row[1].place[best.attribute]]) / 2;
    }
    return best;
}

/* Rows below the cut come first, in the order in which they were; by its own attribute they do. */
static void part(const Tree *t, int start, int end, Cut cut) {
    Row *rows = t->rows[!cut.attribute];
    const uint16_t last = t->rows[cut.attribute][cut.where].place[cut.attribute];
    int left = start, right = 0;
    for (int i = start; i < end; i++) { /* without a branch, which could not be foreseen */
        Row row = rows[i];
        int goes_left = row.place[cut.attribute] <= last;
        rows[left] = row;
        t->room[right] = row;
        left += goes_left;
        right += !goes_left;
    }
    for (int i = 0; i < right; i++) rows[left + i] = t->room[i];
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

static int may_pay(const Grown *g, uint32_t counts) {
    return drawn_of(counts) >= MIN_SPLIT && errors_of(counts) > g->price;
}

/* Grows a node. A node's complexity is (its errors - those of its leaves) / splits, after whichever
   child has a smaller one has collapsed, the smaller one first, as rpart computes it. */
static Below nested(const Tree *t, Grown *g, int self, int start, int end, uint32_t counts) {
    Node *node = &g->nodes[self];
    Below none = {errors_of(counts), 0};
    *node = (Node){g->price, 0, -1, -1, 0, none.errors, 2 * ones_of(counts) > drawn_of(counts)};
    if (!may_pay(g, counts) || g->count + 2 > MOST) return none;
    Cut cut = best_cut(t, start, end, counts);
    if (!isfinite(cut.at)) return none;
    int middle = cut.where + 1, left = g->count, right = left + 1;
    if (may_pay(g, cut.left) || may_pay(g, counts - cut.left)) part(t, start, end, cut);
    g->count += 2;
    Below a = nested(t, g, left, start, middle, cut.left);
    Below b = nested(t, g, right, middle, end, counts - cut.left);
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

/* All drawn rows of a sample. */
typedef struct {
    const int32_t *order[2]; /* all rows, sorted by each attribute */
    const uint16_t *place[2];
    const uint8_t *draws;
    int n;
} Sample;

/* The tree of what was drawn, without what a fold holds (NULL: nothing), at a price per leaf. */
static void tree_of(Tree *t, Grown *g, const Sample *s, const uint8_t *fold, double price) {
    uint32_t counts[ROWS], all = 0;
    int kept = 0;
    for (int i = 0; i < s->n; i++) {
        uint32_t times = fold ? s->draws[i] - fold[i] : s->draws[i];
        counts[i] = times + ((times * t->y[i]) << 16);
        all += counts[i];
    }
    for (int j = 0; j < 2; j++) {
        kept = 0;
        for (int i = 0; i < s->n; i++) {
            int32_t row = s->order[j][i];
            t->rows[j][kept] = (Row){counts[row], {s->place[0][row], s->place[1][row]}};
            kept += counts[row] > 0;
        }
    }
    g->count = 1;
    g->price = price;
    nested(t, g, 0, 0, kept, all);
    capped(g, 0, g->nodes[0].complexity);
}

/* The complexity at which the least cross-validated errors are made; of equal ones the largest. */
static double chosen(Tree *t, const Grown *g, Grown *other, const Sample *s, const uint8_t *folds) {
    double values[MOST], at[MOST];
    int64_t missed[MOST];
    int rows = 0, tested[ROWS];
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
    for (int i = 0; i < s->n; i++) all += s->draws[i];
    for (int f = 0; f < FOLDS; f++) {
        const uint8_t *fold = folds + (long)f * s->n;
        int32_t held = 0;
        int count = 0;
        for (int i = 0; i < s->n; i++) {
            held += fold[i];
            tested[count] = i;
            count += fold[i] > 0;
        }
        double share = (double)(all - held) / all;
        /* splits that no row of the table keeps need not be grown: those above do not depend on them */
        tree_of(t, other, s, fold, at[rows - 1] * share);
        for (int i = 0; i < count; i++) {
            int row = tested[i];
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
   for trees that are pruned at rpart's default alone. There must be space for n / MIN_LEAF + 1 leaves
   of each tree, draws counted; n is at most ROWS. */
void forest(int fits, int n, int shared, int shared_folds, const double *x, const int32_t *orders,
            const uint8_t *y, const uint8_t *draws, const uint8_t *folds, Leaf *leaves,
            int64_t *ends) {
    int64_t count = 0;
    Grown grown, other;
    Row rows[3][ROWS];
    uint16_t place[2][ROWS];
    double sorted[2][ROWS];
    for (int f = 0; f < fits; f++) {
        long sample = shared ? 0 : f;
        const double *values = x + sample * 2 * n;
        const int32_t *order = orders + sample * 2 * n;
        if (!f || !shared)
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < n; i++) {
                    place[j][order[j * n + i]] = i;
                    sorted[j][i] = values[j * n + order[j * n + i]];
                }
        Sample s = {{order, order + n}, {place[0], place[1]}, draws + (long)f * n, n};
        Tree t = {{values, values + n}, {sorted[0], sorted[1]}, y + sample * n, {rows[0], rows[1]}, rows[2]};
        int32_t all = 0, ones = 0;
        for (int i = 0; i < n; i++) all += s.draws[i], ones += s.draws[i] * t.y[i];
        tree_of(&t, &grown, &s, 0, COMPLEXITY * least(ones, all - ones));
        double price = grown.price;
        if (folds && grown.nodes[0].left >= 0)
            price = chosen(&t, &grown, &other, &s, folds + (shared_folds ? 0 : (long)f * FOLDS * n));
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

// The board: rows from comparisons, and cells as `hero.py` writes them.

const MANY = 25;
const FEW = matchMedia("(max-width:760px)").matches && DATA.names.length > MANY ? 10 : MANY; // rows at first
const state = { choice: {}, ref: null, hidden: new Set(), sort: "", query: "", family: "", row: null,
  open: new Set(), all: false, rope: null };

function currentView() {
  const keys = Object.entries(state.choice);
  return DATA.views.find((v) => keys.every(([k, value]) => (v.at || {})[k] === undefined || v.at[k] === value)
    ) || DATA.views[0];
}

// -- rows -----------------------------------------------------------------------------------------

// who beats whom, and the comparison of two, by their numbers
function relations(view) {
  if (view.known) return view.known;
  const count = DATA.names.length;
  const beats = Array.from({ length: count }, () => new Set());
  const pair = new Map();
  for (const each of view.live.pairs) {
    const [i, j, , , , , code] = each;
    pair.set(i * count + j, each);
    if (code === 1) beats[i].add(j);
    if (code === -1) beats[j].add(i);
  }
  view.known = { beats, pair, count };
  return view.known;
}

// how far `i` is behind `whom`: positive is behind, with limits, p, verdict, counts seen from `i`
function behind(view, i, whom) {
  const { pair, count } = relations(view);
  const forth = pair.get(whom * count + i), back = pair.get(i * count + whom);
  const row = forth || back;
  if (!row) return null;
  const sign = (forth ? 1 : -1) * view.live.sign;
  const [, , value, low, high, p, code, wins, ties, losses] = row;
  const turn = (v) => (v === null || v === undefined ? null : sign * v);
  const ends = sign > 0 ? [turn(low), turn(high)] : [turn(high), turn(low)];
  const counts = wins === undefined ? null : forth ? [losses, ties, wins] : [wins, ties, losses];
  return { v: turn(value), lo: ends[0], hi: ends[1], p, code: forth && Math.abs(code) === 1 ? -code : code, counts };
}

function rowsOf(view) {
  if (!view.live) return staticRows(view);
  const live = view.live, { beats } = relations(view);
  const shown = live.order.filter((i) => !state.hidden.has(i));
  const beaten = (i) => shown.filter((j) => beats[j].has(i));
  const leads = live.race ? new Set(live.order.slice(0, view.cut || live.order.length))
    : new Set(shown.filter((i) => !beaten(i).length));
  const hides = shown.length < live.order.length;
  const order = hides ? [...shown.filter((i) => leads.has(i)), ...shown.filter((i) => !leads.has(i))] : shown;
  const control = state.ref ?? live.control;
  const ref = control !== null && shown.includes(control) ? control : order[0];
  const decided = shown.some((i) => beaten(i).length);
  const rows = order.map((i) => liveRow(view, i, { ref, shown, beaten, leads, hides, decided, control }));
  const split = live.cut !== false && control === null && decided && leads.size < order.length && leads.size > 0;
  return { rows, ref, control, cut: live.race ? view.cut : split ? leads.size : 0, leads, decided, shown };
}

function liveRow(view, i, at) {
  const live = view.live, { beats } = relations(view), name = DATA.names[i];
  const by = at.beaten(i), [own, far] = live.decimals;
  const gap = i === at.ref ? null : behind(view, i, at.ref);
  const low = 1 + by.length, high = at.shown.length - at.shown.filter((j) => beats[i].has(j)).length;
  const rank = at.hides ? (low < high ? `${low}–${high}` : String(low)) : live.ranks[i];
  const mean = live.means && live.means[i];
  const first = live.means && live.means[at.ref];
  const cells = {
    rank,
    score: [fixed(live.scores[i], own), live.scores[i]],
    interval: i === at.ref ? { v: 0 } : gap && intervalOf(gap),
    difference: i === at.ref ? ["–", "", 0] : gap ? [fixed(gap.v, far), limitsText(gap.lo, gap.hi, far), gap.v]
      : [WORDS.verdicts.none, "", null],
    won: gap && gap.counts ? gap.counts.join(" · ") : "",
    strip: live.strips && live.strips[i],
    verdict: verdictOf(view, i, by, gap, at),
    beats: [String(beats[i].size), beats[i].size],
    split: live.chances && splitOf(live, i, at.ref),
    mean: live.means && [fixed(mean, live.mean_decimals[0]),
      i === at.ref ? "" : `${mean > first ? "+" : ""}${fixed(mean - first, live.mean_decimals[1])}`, mean],
    ...(view.cells ? view.cells[live.order.indexOf(i)] : {}),
  };
  const leads = at.control === null ? at.leads.has(i) : gap && gap.code === 1;
  return { name, index: i, cells, leads, family: DATA.families[i] || "", gap };
}

// probabilities that `i` is better than the reference, the same, worse
function splitOf(live, i, ref) {
  if (i === ref) return live.reference;
  const k = live.pairs.findIndex(([a, b]) => (a === i && b === ref) || (a === ref && b === i));
  if (k < 0) return null;
  const [win, same, lose] = chancesNow(live)[k];
  return live.pairs[k][0] === i ? [win, same, lose] : [lose, same, win];
}

function intervalOf(gap) {
  const found = {};
  for (const key of ["v", "lo", "hi"]) if (gap[key] !== null) found[key] = gap[key];
  return found;
}

function verdictOf(view, i, by, gap, at) {
  const words = WORDS.verdicts;
  if (at.control !== null) {
    if (i === at.ref) return words.reference;
    if (!gap) return words.none;
    if (gap.code === 2) return words.equivalent;
    return gap.code === 1 ? words.better : gap.code === -1 ? fill(words.worse, { name: DATA.names[at.ref] }) : words.alike;
  }
  if (view.live.race) return at.leads.has(i) ? (at.leads.size === 1 ? words.best : words.could) : words.out;
  if (by.length === 1) return fill(words.worse, { name: cutName(DATA.names[by[0]]) });
  if (by.length) return fill(words.worse_many, { count: by.length });
  if (!at.decided) return words.alike;
  return at.leads.size === 1 ? words.best : words.could;
}

// names that differ often do so at the end only: the middle is left out
function cutName(name, most = 18) {
  if (name.length <= most) return name;
  return `${name.slice(0, Math.floor(most / 2))}…${name.slice(-Math.floor((most - 1) / 2))}`;
}

function staticRows(view) {
  const rows = (view.rows || []).map((row, index) => ({ ...row, index }));
  return { rows, ref: null, control: null, cut: view.cut || 0, leads: new Set(), shown: [] };
}

// rows as searched, filtered and sorted
function arranged(view, made) {
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  let rows = made.rows.filter((row) => words.every((w) => row.name.toLowerCase().includes(w)));
  if (state.family) rows = rows.filter((row) => row.family === state.family);
  if (!state.sort) return rows;
  const down = state.sort.startsWith("-"), key = state.sort.replace("-", "");
  const value = (row) => sortValue(row, key);
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b);
  return [...rows].sort((a, b) => {
    const x = value(a), y = value(b);
    if (x === null || x === undefined) return 1;
    if (y === null || y === undefined) return -1;
    return (down ? -1 : 1) * compare(x, y);
  });
}

function sortValue(row, key) {
  if (key === "name") return row.name;
  const cell = row.cells[key];
  if (key === "rank") return parseInt(cell, 10);
  if (cell && cell.v !== undefined) return cell.v;
  if (Array.isArray(cell)) {
    const number = cell.filter((c) => typeof c === "number");
    return number.length ? number[0] : String(cell[0]);
  }
  if (key === "strip") return [...(cell || "")].reduce((sum, c) => sum + (Number(c) || 0), 0);
  return cell ?? null;
}

// -- cells ----------------------------------------------------------------------------------------

const CELLS = {
  rank: (value) => h("span", { class: "rank" }, value),
  text: (value) => (Array.isArray(value) ? h("span", { class: value[1] }, value[0]) : h("span", {}, value)),
  number: (value) => value[0],
  estimate: (value) => [h("span", { class: value[3] }, value[0]), value[1] ? " " : "",
    value[1] ? h("small", {}, value[1]) : ""],
  interval: (value, axis) => h("div", { class: "track" },
    axis.ticks.map(([v]) => h("i", { class: "tick", style: `left:${percent(v, axis)}%` })),
    axis.zero === null || axis.zero === undefined ? "" : h("i", { class: "zero", style: `left:${percent(axis.zero, axis)}%` }),
    [["tlo", "thi", "thin"], ["lo", "hi", "bar"]].map(([low, high, kind]) => {
      if (!(low in value) && !(high in value)) return "";
      const start = percent(value[low] ?? axis.low, axis);
      return h("i", { class: kind, style: `left:${start}%;width:${short(percent(value[high] ?? axis.high, axis) - start)}%` });
    }),
    "ghost" in value ? h("i", { class: "ghost", style: `left:${percent(value.ghost, axis)}%` }) : "",
    "v" in value ? h("i", { class: value.mark || "dot",
      style: `left:${percent(value.v, axis)}%${"size" in value ? `;--s:${value.size}px` : ""}` }) : ""),
  strip: (value) => h("div", { class: "strip", style: `background:${gradient(value)}` }),
  share: (value) => [h("div", { class: "share" }, h("i", { style: `width:${(100 * value).toFixed(0)}%` })),
    h("span", {}, value.toFixed(2))],
  split: (value) => (typeof value === "string" ? h("span", { class: "soft" }, value)
    : h("div", { class: "split" }, ["win", "same", "lose"].map((kind, i) =>
      h("i", { class: kind, style: `width:${(100 * value[i]).toFixed(1)}%` }, value[i] >= 0.1 ? value[i].toFixed(2) : "")))),
  runs: (value, axis, column, label) => h("div", { class: "runs", role: "img", "aria-label": label },
    [...value].map((c) => h("i", { class: { d: "done", f: "failed", m: "missing" }[c] }))),
  dots: (value) => h("div", { class: "dots" }, value.map((row) => h("span", {},
    row.map((at) => h("i", { style: `left:${(100 * at).toFixed(0)}%` }))))),
};

function gradient(value) {
  const wide = 100 / Math.max(value.length, 1), stops = [];
  let start = 0;
  for (let i = 1; i <= value.length; i++) {
    if (i < value.length && value[i] === value[start]) continue;
    const shade = value[start] === "." ? "x" : value[start];
    stops.push(`var(--s${shade}) ${short(start * wide)}% ${short(i * wide)}%`);
    start = i;
  }
  return `linear-gradient(90deg,${stops.join(",")})`;
}

function classOf(column, value) {
  const none = column.kind === "estimate" && value && value[0] === "–";
  return `${column.kind} ${column.key}${column.wide ? " wide" : ""}${none ? " none" : ""}`;
}

// -- the table ------------------------------------------------------------------------------------

function drawBoard(view) {
  const box = byId("board");
  if (!box) return null;
  const made = rowsOf(view), rows = arranged(view, made);
  const plainOrder = !state.sort && !state.query && !state.family;
  const most = state.all ? rows.length : Math.min(rows.length, FEW);
  const axis = view.live && !view.live.axis ? axisOf(endsOf(rows.slice(0, Math.max(most, MANY))), 0) : view.axis;
  const body = h("tbody", {});
  rows.slice(0, most).forEach((row, i) => {
    if (plainOrder && made.cut && i === made.cut)
      body.append(h("tr", { class: "cut" }, h("td", { colspan: view.columns.length }, view.below)));
    body.append(rowElement(view, row, axis, made));
    if (state.row === row.name) body.append(detailRow(view, row, made));
  });
  if (!rows.length) body.append(h("tr", { class: "cut" }, h("td", { colspan: view.columns.length }, WORDS.none_left)));
  const table = h("table", { class: made.rows.length > MANY ? "board many" : "board" }, headRow(view, made), body,
    view.columns.some((c) => c.kind === "interval") && axis ? footRow(view, axis) : "");
  box.replaceChildren(...[
    made.rows.length > MANY ? overviewOf(made.rows, axisOf(endsOf(made.rows), 0)) : "",
    table,
    rows.length > FEW ? h("p", { class: "more", id: "more" }, h("button", { type: "button",
      onclick: () => { state.all = !state.all; refresh(); focusOn("#more button"); } },
      fill(state.all ? WORDS.show_fewer : WORDS.show_all, { count: state.all ? FEW : rows.length }))) : "",
    view.key && view.key.length ? h("p", { class: "key" }, view.key.map(([name, text]) => [h("b", {}, name), ` ${text} `])) : "",
  ].filter(Boolean));
  return { ...made, rows, axis };
}

function endsOf(rows) {
  return rows.flatMap(({ cells: { interval: c } }) => (c ? [c.v, c.lo, c.hi] : [])).filter((v) => v !== undefined);
}

function headRow(view, made) {
  const other = view.live && state.ref !== null && made.ref !== null;
  return h("thead", {}, h("tr", {}, view.columns.map((column) => {
    const sorted = state.sort.replace("-", "") === column.key;
    const text = column.kind === "split" && view.live.ropes && (other || state.rope !== null)
      ? fill(view.live.rope_head, { name: DATA.names[made.ref], rope: view.live.ropes[state.rope ?? view.live.rope] })
      : column.kind === "interval" && other ? fill(view.live.heads.other, { name: DATA.names[made.ref] }) : column.head;
    return h("th", { scope: "col", class: classOf(column), "data-key": column.key, "data-tip": column.title || null,
      "aria-sort": sorted ? (state.sort[0] === "-" ? "descending" : "ascending") : null },
    h("button", { type: "button", onclick: () => sortBy(column.key) }, text));
  })));
}

function sortBy(key) {
  state.sort = state.sort === key ? `-${key}` : state.sort === `-${key}` ? "" : key;
  refresh();
  focusOn(`.board th[data-key="${key}"] button`);
}

function rowElement(view, row, axis, made) {
  const names = [row.leads ? "leads" : "", row.state || ""].filter(Boolean).join(" ");
  const element = h("tr", { class: names || null, tabindex: 0, "data-name": row.name,
    "aria-expanded": state.row === row.name ? "true" : null });
  for (const column of view.columns) {
    const value = column.kind === "name" ? row.name : row.cells[column.key];
    const content = value === null || value === undefined ? "" : column.kind === "name" ? h("span", {}, value)
      : CELLS[column.kind](value, axis, column, row.name);
    const cell = h("td", { class: classOf(column, value),
      "data-head": column.kind === "estimate" && column.key !== "difference" ? column.head : null }, content);
    if (column.kind === "interval" && row.gap) { cell.dataset.tip = " "; cell.tipFor = () => comparedText(row, made.ref); }
    if (column.kind === "strip") { cell.dataset.tip = " "; cell.tipFor = (event) => stripText(view, row, event); }
    if (column.kind === "runs" && row.tips) { cell.dataset.tip = " "; }
    element.append(cell);
  }
  element.addEventListener("click", () => openRow(row.name));
  return element;
}

function openRow(name) {
  state.row = state.row === name ? null : name;
  refresh();
  focusOn(`tr[data-name="${CSS.escape(name)}"]`);
}

function comparedText(row, ref) {
  const [, far] = currentView().live.decimals, gap = row.gap;
  const first = fill(WORDS.compared, { first: row.name, second: DATA.names[ref] });
  const limits = limitsText(gap.lo, gap.hi, far);
  const lines = [first, `${fixed(gap.v, far)} ${limits} ${pText(gap.p)}`];
  if (gap.counts) lines.push(fill(WORDS.better_on, { wins: gap.counts[0], ties: gap.counts[1], losses: gap.counts[2] }));
  return lines.join("\n");
}

function stripText(view, row, event) {
  const box = event.target.closest("td").querySelector(".strip").getBoundingClientRect();
  const blocks = view.live.strip_blocks;
  const at = Math.min(blocks.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * blocks.length)));
  const block = DATA.blocks.indexOf(blocks[at]), values = DATA.values[view.at && view.at.measure];
  if (block < 0 || !values) return blocks[at];
  const own = values[row.index][block];
  if (own === null) return `${blocks[at]}\n${fill(WORDS.no_value, { name: row.name })}`;
  const way = view.live.higher ? -1 : 1, column = values.map((v) => v[block]).filter((v) => v !== null);
  const rank = 1 + column.filter((v) => way * v < way * own).length;
  return `${blocks[at]}\n${fill(WORDS.rank_on, { name: row.name, value: own, rank, count: column.length })}`;
}

function detailRow(view, row, made) {
  const parts = [];
  if (view.live && !view.live.race) {
    const { beats } = relations(view), names = (list) => list.map((i) => DATA.names[i]).join(", ");
    const wins = made.shown.filter((i) => beats[row.index].has(i));
    const losses = made.shown.filter((i) => beats[i].has(row.index));
    const rest = made.shown.filter((i) => i !== row.index && !wins.includes(i) && !losses.includes(i));
    for (const [key, list] of [["beats", wins], ["worse", losses], ["alike", rest]])
      if (list.length) parts.push(h("div", {}, h("b", {}, WORDS.details[key]), ` ${names(list)}`));
  }
  for (const [name, text] of row.details || []) parts.push(h("div", {}, h("b", {}, name), ` ${text}`));
  return h("tr", { class: "open" }, h("td", { colspan: view.columns.length }, parts));
}

function footRow(view, axis) {
  const ticks = h("div", { class: "ticks", "aria-hidden": "true" },
    axis.ticks.map(([v, text]) => h("span", { style: `left:${percent(v, axis)}%` }, text)));
  return h("tfoot", {}, h("tr", {}, view.columns.map((c) => h("td", { class: classOf(c) }, c.kind === "interval" ? ticks : ""))));
}

function overviewOf(rows, axis) {
  const wide = 1000 / rows.length;
  const picture = s("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img",
    "aria-label": `${rows.slice(0, 3).map((r) => r.name).join(", ")} …` });
  const heights = axis.ticks.map(([v, text]) => [percent(v, axis), text]);
  for (const [y] of heights) picture.append(s("line", { x1: 0, x2: 1000, y1: y, y2: y, class: "grid" }));
  rows.forEach((row, i) => {
    const cell = row.cells.interval || {}, x = Math.round((i + 0.5) * wide * 10) / 10, tone = row.leads ? "leads" : null;
    if ("lo" in cell && "hi" in cell)
      picture.append(s("line", { x1: x, x2: x, y1: percent(cell.lo, axis), y2: percent(cell.hi, axis), class: tone }));
    if ("v" in cell) picture.append(s("path", { d: `M${x} ${percent(cell.v, axis)}h0`, class: tone }));
  });
  const box = h("div", { class: "overview", id: "overview", "data-tip": " " }, picture,
    h("div", { class: "heights", "aria-hidden": "true" }, heights.map(([y, text]) => h("span", { style: `top:${y}%` }, text))));
  const at = (event) => {
    const area = picture.getBoundingClientRect();
    return rows[Math.min(rows.length - 1, Math.max(0, Math.floor((event.clientX - area.left) / area.width * rows.length)))];
  };
  box.tipFor = (event) => at(event).name;
  box.addEventListener("click", (event) => {
    const row = at(event);
    state.all = true; state.query = ""; state.family = ""; state.row = row.name;
    refresh();
    const element = document.querySelector(`tr[data-name="${CSS.escape(row.name)}"]`);
    element.scrollIntoView({ block: "center" });
    element.focus();
  });
  return box;
}

// -- the words above it ---------------------------------------------------------------------------

function drawWords(view, made) {
  const changed = view.live && (state.hidden.size || state.ref !== null);
  const headline = changed ? claimOf(view, made) : (view.headline || []).map(([t, name]) => (name ? h("b", {}, t) : t));
  byId("headline").replaceChildren(...headline.filter((part) => part !== ""));
  const sentence = byId("sentence");
  const moved = view.live && view.live.ropes && state.rope !== null;
  sentence.textContent = moved ? ropeSentence(view.live) : changed ? countsOf(view, made) : view.sentence || "";
  sentence.hidden = !sentence.textContent;
  const chips = (view.chips || []).map((c) => h("span", { class: c.warns ? "chip warns" : "chip", tabindex: 0,
    "data-tip": c.text }, c.words));
  byId("about").replaceChildren(view.about || "", " ", ...chips);
  if (byId("picture")) byId("picture").hidden = !view.picture;
  const cards = byId("cards");
  cards.replaceChildren(...(view.cards || []).map((c) => h(c.section ? "a" : "div",
    { class: "card", href: c.section ? `#open=${c.section}` : null,
      onclick: c.section ? (event) => { event.preventDefault(); openSection(c.section); } : null },
    h("b", {}, c.question), h("span", {}, c.answer))));
  cards.hidden = !(view.cards || []).length || Boolean(changed);
}

function claimOf(view, made) {
  const claims = view.live.claims, bold = (i) => h("b", {}, DATA.names[i]);
  if (made.control !== null) return againstOf(view, made);
  const lead = [...made.leads];
  if (!made.decided) return [claims.none];
  if (lead.length > 4)
    return fillParts(claims.many, { count: String(lead.length), all: String(made.shown.length), names: bold(lead[0]) });
  const names = h("span", {}, lead.map((i, k) => [k ? (k === lead.length - 1 ? ` ${WORDS.or} ` : ", ") : "", bold(i)]));
  return fillParts(lead.length === 1 ? claims.one : claims.several, { names });
}

function againstOf(view, made) {
  const claims = view.live.claims, others = made.rows.filter((r) => r.index !== made.ref);
  const count = (code) => others.filter((r) => r.gap && (code ? r.gap.code === code : Math.abs(r.gap.code) !== 1)).length;
  const values = (n) => ({ count: n, all: others.length, name: DATA.names[made.ref] });
  const parts = [[claims.beat, count(1)], [claims.worse, count(-1)], [claims.alike, count(0)]].filter(([, n]) => n);
  const text = parts.map(([template, n]) => fill(template, values(n))).join("; ");
  return [`${text}.`];
}

function countsOf(view, made) {
  const live = view.live, claims = live.claims, inside = new Set(made.shown);
  const pairs = live.pairs.filter(([i, j]) => inside.has(i) && inside.has(j));
  const yes = pairs.filter((p) => Math.abs(p[6]) === 1).length;
  const counts = fill(claims.counts, { count: grouped(yes), all: grouped(pairs.length), rest: grouped(pairs.length - yes) });
  if (made.control !== null || made.leads.size !== 1 || made.rows.length < 2) return counts;
  const first = [...made.leads][0];
  const nearest = made.shown.filter((i) => i !== first).map((i) => [i, behind(view, i, first)])
    .filter(([, gap]) => gap && gap.code === -1).sort((a, b) => a[1].v - b[1].v)[0];
  if (!nearest) return counts;
  const [i, gap] = nearest, far = live.decimals[1];
  const difference = `${fixed(gap.v, far)} ${limitsText(gap.lo, gap.hi, far)}`.trim();
  return `${fill(claims.lead, { first: DATA.names[first], second: DATA.names[i], difference })} ${counts}`;
}

// -- a region in which two are practically the same -----------------------------------------------

// chances of all comparisons with the region that is chosen
function chancesNow(live) {
  return live.ropes && state.rope !== null ? live.rope_chances[state.rope] : live.chances;
}

function ropeOf(view) {
  const live = view.live, now = state.rope ?? live.rope;
  const slider = h("input", { type: "range", id: "c-rope", min: 0, max: live.ropes.length - 1, step: 1, value: now,
    "aria-label": WORDS.rope, "aria-valuetext": String(live.ropes[now]),
    oninput: (e) => { state.rope = Number(e.target.value); refresh(); } });
  return h("label", {}, WORDS.rope, slider, h("output", {}, String(live.ropes[now])));
}

function probability(value) {
  return value >= 0.995 && value < 1 ? ">0.99" : value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2);
}

// the second sentence with another region: the likeliest two
function ropeSentence(live) {
  const [first, second] = live.rope_top;
  const [better, same] = splitOf(live, first, second);
  return fill(live.rope_sentence, { first: DATA.names[first], second: DATA.names[second], better: probability(better),
    same: probability(same), rope: live.ropes[state.rope] });
}

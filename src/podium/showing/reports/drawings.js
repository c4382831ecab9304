// What sections show when they are opened: texts, tables, and pictures drawn from the page's data.

const DRAWINGS = {
  text: (data) => {
    const parts = data.paragraphs.map((text) => h("p", {}, text));
    if (!data.copied) return parts;
    const button = h("button", { type: "button", onclick: () => copyText(data.paragraphs.join("\n\n"), button) },
      WORDS.copy.replace(" ▾", ""));
    return [...parts, button];
  },
  table: (data) => tableOf(data.caption, data.head, data.rows, data.numeric),
  pairs: () => pairsOf(comparedView()),
  values: () => valuesOf(comparedView(scored)),
  explore: (data) => exploreOf(comparedView(scored), data),
  matrix: (data) => matrixOf(data),
  shares: (data) => sharesOf(data),
  lines: (data) => linesOf(data),
};

const scored = (view) => Boolean(view.at && DATA.values[view.at.measure]);

// what a section draws: the comparisons that are shown or, where there are none, the first ones
function comparedView(also = () => true) {
  const fits = (view) => Boolean(view.live) && also(view);
  const now = currentView();
  return fits(now) ? now : DATA.views.find(fits);
}

function drawSection(details) {
  const box = details.querySelector(".content");
  box.replaceChildren(...(DATA.sections[details.id] || []).map((block) => h("div", {}, DRAWINGS[block.kind](block))));
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; // it is scrolled by keys too
  else box.removeAttribute("tabindex");
}

// -- tables ---------------------------------------------------------------------------------------

function tableOf(caption, head, rows, numeric, bold) {
  const body = h("tbody", {});
  let by = -1, down = false;
  const fillBody = (list) => body.replaceChildren(...list.map((row, i) => h("tr", {}, row.map((cell, k) =>
    h("td", { class: numeric[k] ? "num" : null }, bold && bold(row, k) ? h("b", {}, cell) : cell)))));
  const sort = (k) => {
    down = by === k ? !down : false;
    by = k;
    const key = (row) => (numeric[k] ? Number(row[k].replace(/[^\d.eE+−-]/g, "").replace("−", "-")) : row[k]);
    const sorted = [...rows].sort((a, b) => {
      const x = key(a), y = key(b);
      return (down ? -1 : 1) * (numeric[k] ? (isNaN(x) ? 1 : isNaN(y) ? -1 : x - y) : String(x).localeCompare(y, undefined, { numeric: true }));
    });
    fillBody(sorted);
  };
  fillBody(rows);
  const button = h("button", { type: "button", onclick: () => copyText(csv(head, rows), button) }, "CSV");
  return [h("table", {}, caption ? h("caption", {}, caption) : "", h("thead", {}, h("tr", {}, head.map((text, k) =>
    h(text ? "th" : "td", { scope: text ? "col" : null, class: numeric[k] ? "num" : null },
      text ? h("button", { type: "button", onclick: () => sort(k) }, text) : "")))), body), h("p", {}, button)];
}

function valuesOf(view) {
  const values = DATA.values[view.at.measure], order = view.live.order.filter((i) => !state.hidden.has(i));
  const places = Math.min(6, Math.max(...values.flat().filter((v) => v !== null).slice(0, 400)
    .map((v) => (String(v).split(".")[1] || "").length)));
  const rows = DATA.blocks.map((name, b) => [name, ...order.map((i) => fixed(values[i][b], places))]);
  const best = DATA.blocks.map((name, b) => {
    const known = order.map((i) => values[i][b]).filter((v) => v !== null);
    return fixed(view.live.higher ? Math.max(...known) : Math.min(...known), places);
  });
  const place = new Map(DATA.blocks.map((name, b) => [name, b]));
  return tableOf("", ["", ...order.map((i) => DATA.names[i])], rows, [false, ...order.map(() => true)],
    (row, k) => k && row[k] === best[place.get(row[0])]);
}

// -- all comparisons ------------------------------------------------------------------------------

const MOST_PAIRS = 400;

function pairsOf(view) {
  const live = view.live, place = new Map(live.order.map((i, k) => [i, k])), far = live.decimals[1];
  const rows = live.pairs.filter(([i, j]) => !state.hidden.has(i) && !state.hidden.has(j)).map(([i, j]) => {
    const [a, b] = place.get(i) <= place.get(j) ? [i, j] : [j, i];
    return { a, b, gap: behind(view, b, a) };
  });
  const open = (row) => Math.abs(row.gap.code) !== 1;
  rows.sort((x, y) => open(y) - open(x) || place.get(x.a) - place.get(y.a) || place.get(x.b) - place.get(y.b));
  const shown = rows.slice(0, MOST_PAIRS);
  const axis = axisOf(shown.flatMap(({ gap }) => [gap.v, gap.lo, gap.hi]), 0);
  const line = ({ a, b, gap }) => {
    const [first, second, sign] = gap.code === 1 ? [b, a, "≻"] : [a, b, gap.code === -1 ? "≻" : "≈"];
    return h("tr", {}, h("td", {}, `${DATA.names[first]} ${sign} ${DATA.names[second]}`),
      h("td", { class: "interval" }, gap.v === null ? "" : CELLS.interval(intervalOf(gap), axis)),
      h("td", { class: "num" }, `${fixed(gap.v, far)} ${limitsText(gap.lo, gap.hi, far)}`),
      h("td", { class: "num" }, pText(gap.p)));
  };
  const left = rows.length - shown.length;
  return [h("table", { class: "pairs" }, h("tbody", {}, shown.map(line))),
    h("p", { class: "soft" }, `≻ ${WORDS.significant}`, left ? ` (${shown.length} / ${rows.length})` : "")];
}

// -- scores with linked brushing ------------------------------------------------------------------

const MOST_EXPLORED = 12;

function exploreOf(view, data) {
  const values = DATA.values[view.at.measure];
  const order = view.live.order.filter((i) => !state.hidden.has(i)).slice(0, MOST_EXPLORED);
  const flat = order.flatMap((i) => values[i]).filter((v) => v !== null);
  const axis = axisOf(flat, null), chosen = new Set(), wide = 540, tall = 28 * order.length + 26;
  const names = order.map((i) => cutName(DATA.names[i], 26));
  const left = 16 + 7 * Math.max(...names.map((name) => name.length)); // room for the longest
  const way = view.live.higher ? -1 : 1;
  const ranks = DATA.blocks.map((_, b) => order.map((i) => {
    const own = values[i][b];
    return own === null ? null : 1 + order.filter((j) => values[j][b] !== null && way * values[j][b] < way * own).length;
  }));
  const x = (v) => left + percent(v, axis) / 100 * (wide - left - 10);
  const table = h("div", {});
  const text = h("p", { class: "soft", "aria-live": "polite" }, WORDS.brush);
  const scores = s("svg", { viewBox: `0 0 ${wide} ${tall}`, width: wide, role: "img", "aria-label": view.at.measure, class: "brushed" });
  const podium = s("svg", { viewBox: `0 0 ${wide} 220`, width: wide, role: "img", "aria-label": WORDS.details.blocks, class: "brushed" });
  axis.ticks.forEach(([v, label]) => scores.append(s("line", { class: "grid", x1: x(v), x2: x(v), y1: 4, y2: tall - 20 }),
    s("text", { x: x(v), y: tall - 5, "text-anchor": "middle" }, label)));
  const marks = DATA.blocks.map(() => []);
  order.forEach((i, k) => {
    scores.append(s("text", { x: 0, y: 28 * k + 22 }, names[k]));
    values[i].forEach((v, b) => {
      if (v === null) return;
      const dot = s("circle", { class: "pick", cx: x(v), cy: 28 * k + 18, r: 4, "data-tip": `${DATA.blocks[b]}\n${v}` });
      marks[b].push(dot);
      scores.append(dot);
    });
  });
  const column = (wide - 20) / order.length, tallest = 200;
  order.forEach((i, k) => podium.append(s("text", { x: 10 + column * (k + 0.5), y: 215, "text-anchor": "middle" }, `${k + 1}.`)));
  DATA.blocks.forEach((name, b) => {
    const points = order.map((i, k) => (ranks[b][k] === null ? null
      : `${10 + column * (k + 0.5)} ${10 + (ranks[b][k] - 1) / Math.max(order.length - 1, 1) * (tallest - 20)}`)).filter(Boolean);
    const line = s("path", { class: "line", d: `M${points.join("L")}`, "data-tip": name });
    marks[b].push(line);
    podium.append(line);
  });
  const show = () => {
    marks.forEach((list, b) => list.forEach((mark) => {
      mark.classList.toggle("picked", chosen.has(b));
      mark.classList.toggle("faded", chosen.size > 0 && !chosen.has(b));
    }));
    const names = [...chosen].sort((a, b) => a - b).map((b) => DATA.blocks[b]);
    table.replaceChildren(...(chosen.size && data.facts.length ? [factsOf(data, chosen)] : []));
    text.textContent = chosen.size ? `${fill(WORDS.selected, { count: chosen.size, all: DATA.blocks.length })} ${names.join(", ")}` : WORDS.brush;
  };
  const inside = (picture, [left, top, right, bottom], pick) => {
    chosen.clear();
    marks.forEach((list, b) => { if (list.some((mark) => mark.ownerSVGElement === picture && pick(mark, left, top, right, bottom))) chosen.add(b); });
    show();
  };
  const within = (mark, left, top, right, bottom) => {
    if (mark.tagName === "circle") {
      const cx = Number(mark.getAttribute("cx")), cy = Number(mark.getAttribute("cy"));
      return cx >= left && cx <= right && cy >= top && cy <= bottom;
    }
    return mark.getAttribute("d").slice(1).split("L").some((point) => {
      const [px, py] = point.split(" ").map(Number);
      return px >= left && px <= right && py >= top && py <= bottom;
    });
  };
  for (const picture of [scores, podium]) brush(picture, (area) => inside(picture, area, within), () => { chosen.clear(); show(); });
  return [text, h("div", { style: "display:flex;flex-wrap:wrap;gap:12px" }, scores, podium), table];
}

// what sets the selected apart: facts with the largest difference of means, in spreads
function factsOf(data, chosen) {
  const mean = (list) => list.reduce((sum, v) => sum + v, 0) / Math.max(list.length, 1);
  const rows = data.facts.map(([label, numbers]) => {
    const known = numbers.filter((v) => v !== null), all = mean(known);
    const some = mean([...chosen].map((b) => numbers[b]).filter((v) => v !== null));
    const spread = Math.sqrt(mean(known.map((v) => (v - all) ** 2))) || 1;
    return [Math.abs(some - all) / spread, [label, String(Number(some.toPrecision(3))), String(Number(all.toPrecision(3)))]];
  }).sort((a, b) => b[0] - a[0]).slice(0, 8);
  return h("div", {}, tableOf("", data.head, rows.map(([, row]) => row), [false, true, true]));
}

// a rectangle dragged over a picture, in its own coordinates
function brush(picture, chosen, cleared) {
  const frame = s("rect", { fill: "none", stroke: "currentColor", "stroke-dasharray": "3 3", visibility: "hidden" });
  picture.append(frame);
  const at = (event) => {
    const box = picture.getBoundingClientRect(), view = picture.viewBox.baseVal;
    return [(event.clientX - box.left) / box.width * view.width, (event.clientY - box.top) / box.height * view.height];
  };
  let start = null;
  picture.addEventListener("pointerdown", (event) => { start = at(event); picture.setPointerCapture(event.pointerId); event.preventDefault(); });
  picture.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = at(event);
    make(frame, { x: Math.min(x, start[0]), y: Math.min(y, start[1]), width: Math.abs(x - start[0]),
      height: Math.abs(y - start[1]), visibility: "visible" }, []);
  });
  picture.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [x, y] = at(event), [a, b] = start;
    start = null;
    frame.setAttribute("visibility", "hidden");
    if (Math.abs(x - a) < 3 && Math.abs(y - b) < 3) cleared();
    else chosen([Math.min(x, a), Math.min(y, b), Math.max(x, a), Math.max(y, b)]);
  });
}

// -- who beat whom, shares, and courses over time -------------------------------------------------

function matrixOf(data) {
  const order = comparedView().live.order.filter((i) => !state.hidden.has(i));
  const cell = (i, j) => {
    const share = data.shares[i][j];
    if (i === j || share === null) return h("td", {}, "");
    // at most half of the colour, so that the number is read on every shade
    return h("td", { style: `background:color-mix(in srgb,var(--lead) ${Math.round(50 * share)}%,var(--paper))`,
      "data-tip": `${DATA.names[i]} – ${DATA.names[j]}: ${data.counts[i][j]}` }, (100 * share).toFixed(0));
  };
  return h("table", { class: "matrix" }, h("thead", {}, h("tr", {}, h("td", {}, ""), order.map((j, k) =>
    h("th", { scope: "col", "data-tip": DATA.names[j] }, String(k + 1))))),
  h("tbody", {}, order.map((i, k) => h("tr", {}, h("th", { scope: "row" }, `${k + 1} ${DATA.names[i]}`), order.map((j) => cell(i, j))))));
}

function sharesOf(data) {
  return h("table", {}, h("tbody", {}, data.rows.map(([name, share, text]) => h("tr", {}, h("td", {}, name),
    h("td", { style: "width:60%" }, h("div", { class: "share", style: "width:100%" }, h("i", { style: `width:${100 * share}%` }))),
    h("td", { class: "num" }, text)))));
}

// courses over looks, with boundaries: x, series of [name, values], and dashed lines
function linesOf(data) {
  const wide = 760, tall = 260, all = [...data.series, ...data.bounds].flatMap(([, v]) => v).filter((v) => v !== null);
  const axis = axisOf(all, 0), low = Math.min(...data.x), high = Math.max(...data.x);
  const x = (v) => 50 + (v - low) / Math.max(high - low, 1e-9) * (wide - 200), y = (v) => 10 + (1 - percent(v, axis) / 100) * (tall - 40);
  const path = (values) => values.map((v, k) => (v === null ? "" : `${k && values[k - 1] !== null ? "L" : "M"}${x(data.x[k])} ${y(v)}`)).join("");
  const picture = s("svg", { viewBox: `0 0 ${wide} ${tall}`, width: wide, role: "img", "aria-label": data.label });
  axis.ticks.forEach(([v, label]) => picture.append(s("line", { class: "grid", x1: 50, x2: wide - 150, y1: y(v), y2: y(v) }),
    s("text", { x: 44, y: y(v) + 4, "text-anchor": "end" }, label)));
  data.x.forEach((v) => picture.append(s("text", { x: x(v), y: tall - 8, "text-anchor": "middle" }, String(v))));
  data.bounds.forEach(([name, values]) => picture.append(s("path", { class: "line", d: path(values), "stroke-dasharray": "5 4", "data-tip": name })));
  const ends = [];
  data.series.forEach(([name, values]) => {
    const last = values.findLastIndex((v) => v !== null);
    picture.append(s("path", { class: "line picked", d: path(values), "data-tip": name }));
    if (last >= 0) ends.push([y(values[last]), x(data.x[last]), name]);
  });
  ends.sort((a, b) => a[0] - b[0]);
  ends.forEach((end, k) => {
    if (k && end[0] < ends[k - 1][0] + 14) end[0] = ends[k - 1][0] + 14;
    picture.append(s("text", { x: end[1] + 6, y: end[0] + 4 }, end[2]));
  });
  return picture;
}

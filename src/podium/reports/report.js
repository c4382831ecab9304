// The page: what is chosen, and who is told of it.

const all = (query, from) => [...(from || document).querySelectorAll(query)];
const first = (query) => document.querySelector(query);
const tip = first(".tip");
const paper = make("p", { class: "chosen-here" });

// -- light and dark: as the reader's system says, until the button says otherwise

const system = matchMedia("(prefers-color-scheme: dark)");
let wish = null; // remembered by this page alone

function dark() {
  return wish === null ? system.matches : wish;
}

function paintPage() {
  document.documentElement.dataset.theme = dark() ? "dark" : "light";
  const theme = first("button.theme");
  theme.textContent = dark() ? "Light colours" : "Dark colours";
  if (linked) linked.set(dark() ? DARK_INK : LIGHT_INK);
}

function equipTheme() {
  const theme = first("button.theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    wish = !dark();
    paintPage();
  });
  system.addEventListener("change", paintPage);
}

// -- switches: parts say for which measure, data set and procedure they are

const FIELDS = ["measure", "dataset", "procedure"];
const chosenNames = { measure: "", dataset: "", procedure: "" };
const parts = all(".part");
const selects = new Map(all("select[data-switch]").map((s) => [s.dataset.switch, s]));

function fits(part, fields) {
  return fields.every((f) => !part.dataset[f] || part.dataset[f] === chosenNames[f]);
}

// the procedures that speak of this measure and data set, those of the data set itself first
function procedures() {
  const near = parts.filter((p) => p.dataset.procedure && fits(p, ["measure", "dataset"]));
  const own = near.filter((p) => (p.dataset.dataset || "") === chosenNames.dataset);
  return [...own, ...near].map((p) => p.dataset.procedure);
}

function offerProcedures() {
  const select = selects.get("procedure");
  if (!select) return;
  const names = procedures();
  all("option", select).forEach((o) => { o.disabled = !names.includes(o.value); });
  if (names.length && !names.includes(select.value)) [select.value] = names;
}

function showParts() {
  selects.forEach((select, field) => { chosenNames[field] = select.value; });
  offerProcedures();
  selects.forEach((select, field) => { chosenNames[field] = select.value; });
  parts.forEach((part) => part.classList.toggle("off", !fits(part, FIELDS)));
  equipParts();
  showTables();
}

// tables and figures get their controls when they are first shown
const equipped = new WeakSet();

function equipParts() {
  const boxes = parts.filter((p) => !p.classList.contains("off"))
    .flatMap((p) => all(".table, figure.figure", p)).filter((b) => !equipped.has(b));
  boxes.forEach((box) => equipped.add(box));
  return Promise.all(boxes.map((b) => (b.matches(".table") ? equipTable(b) : equipFigure(b))));
}

// -- samples and algorithms

let linked = null;
let view = null;
let chosen = new Set();
let hovered = -1;
let shown = [];
let reference = 0;
let listed; let adder; let picker; let apart;

function flags(set, size) {
  return Array.from({ length: size }, (_, i) => set.has(i));
}

let pending = null;
function tellCharts() {
  linked.unsettled();
  if (pending) return;
  pending = requestAnimationFrame(() => {
    pending = null;
    const size = view ? view.samples.length : 0;
    linked.set({ chosen: flags(chosen, size), some: chosen.size > 0, hovered,
      shown: [...shown] }); // a copy: Vega takes the same list for an unchanged one
  });
}

function choose(samples) {
  chosen = samples;
  listChosen();
  tellCharts();
}

function listChosen() {
  const names = [...chosen].sort((a, b) => a - b).map((i) => view.samples[i]);
  const what = `${view?.block}${view?.samples.length === 1 ? "" : "s"}`;
  listed.querySelector(".count").textContent = names.length
    ? `${names.length} of ${view.samples.length} ${what} chosen` : `No ${view?.block || "sample"} chosen`;
  listed.querySelector(".names").textContent = names.join(", ");
  all("button", listed).forEach((b) => { b.disabled = !names.length; });
  setApart();
}

// -- what sets the chosen samples apart from the others

const MOST_FACTS = 6; // those that differ most
const MOST_ITEMS = 5;

// its line is always there, as charts must not move under a brush; the rest lies over them
function setApart() {
  const facts = linked.data.facts[where];
  const others = (view?.samples.length || 0) - chosen.size;
  apart.hidden = !facts;
  if (!facts) return;
  const some = chosen.size > 0 && others > 0;
  const rows = some ? facts.numbers.map(gapOf).filter(({ gap }) => gap)
    .sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap)).slice(0, MOST_FACTS) : [];
  const items = some ? harder(facts.items, others) : [];
  const told = rows.length ? `${rows[0].label}: ${short(rows[0].inside)}, others ${short(rows[0].outside)}.`
    : some ? "Nothing that is known sets them apart." : "Choose some, not all.";
  apart.querySelector("summary").textContent = `Why these ${view.block}s? ${told}`;
  apart.classList.toggle("empty", !rows.length && !items.length);
  apart.querySelector("div").replaceChildren(...(rows.length ? [factTable(rows, others)] : []), ...items,
    make("p", { class: "why" }, "This describes what was chosen by eye, and tests nothing."));
}

function factTable(rows, others) {
  const cell = (text) => make("td", { class: "number" }, text);
  const head = ["mean", `${chosen.size} chosen`, `${others} other${others === 1 ? "" : "s"}`, "difference in sd"];
  const lines = rows.map(({ label, inside, outside, gap }) => make("tr", {},
    make("td", {}, label), cell(short(inside)), cell(short(outside)), cell(gap.toFixed(1))));
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...lines));
}

// means of the chosen and of the others, and their distance in standard deviations of all
function gapOf({ label, values }) {
  const inside = mean(values.filter((_, i) => chosen.has(i)));
  const outside = mean(values.filter((_, i) => !chosen.has(i)));
  const middle = mean(values);
  const spread = Math.sqrt(mean(values.map((v) => (v === null ? null : (v - middle) ** 2))));
  const gap = spread > 0 ? (inside - outside) / spread : 0;
  return { label, inside, outside, gap: Number.isFinite(gap) ? gap : 0 };
}

function short(value) {
  return String(Number(value.toPrecision(3)));
}

// hard rows that are in more of the chosen test parts than in those of the others
function harder(items, others) {
  const rows = items.map((item) => {
    const inside = item.in.filter((i) => chosen.has(i)).length;
    const outside = item.in.length - inside;
    return { ...item, inside, outside, more: inside / chosen.size - outside / others };
  }).filter(({ more }) => more > 0).sort((a, b) => b.more - a.more).slice(0, MOST_ITEMS);
  const told = rows.map(({ label, inside, outside }) => (
    make("li", {}, `${label}: in ${inside} of ${chosen.size} chosen, ${outside} of ${others} others`)));
  return told.length ? [make("p", {}, "Hard rows that the chosen test parts have more often:"), make("ul", {}, ...told)] : [];
}

function hover(sample, event) {
  if (sample !== hovered) {
    hovered = sample;
    tellCharts();
    if (sample >= 0) describe(sample);
  }
  tip.hidden = sample < 0;
  if (sample >= 0 && event) placeTip(event);
}

const LISTED = 15;

function describe(sample) {
  const block = view.block[0].toUpperCase() + view.block.slice(1);
  const order = ranked({ values: view.values.map((v) => [v[sample]]) }, view.higher);
  const rows = order.filter((a) => shown[a] && view.values[a][sample] !== null);
  const lines = rows.slice(0, LISTED).map((a) => make("tr", {},
    make("td", {}, linked.data.algorithms[a].name),
    make("td", { class: "number" }, String(view.values[a][sample]))));
  if (rows.length > LISTED) {
    lines.push(make("tr", {}, make("td", {}, `… and ${rows.length - LISTED} more`), make("td")));
  }
  tip.replaceChildren(make("strong", {}, `${block} ${view.samples[sample]}`),
    make("table", {}, make("tbody", {}, ...lines)));
}

function placeTip(event) {
  const { width, height } = tip.getBoundingClientRect();
  const x = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14;
  const y = Math.min(event.clientY + 14, innerHeight - height - 8);
  tip.style.left = `${Math.max(x, 4)}px`;
  tip.style.top = `${Math.max(y, 4)}px`;
}

function tick(boxes) {
  boxes.forEach((box) => { shown[Number(box.value)] = box.checked; });
  showTables();
  if (linked) tellCharts();
}

function equipAlgorithms() {
  const boxes = all(".algorithms input");
  shown = boxes.map((box) => box.checked);
  isShown = (a) => shown[a];
  // cells have the text of the option, which may be another than its value
  isMeant = (text) => !chosenNames.dataset
    || text === selects.get("dataset").selectedOptions[0].textContent;
  boxes.forEach((box) => box.addEventListener("change", () => tick([box])));
  all("[data-tick]").forEach((b) => b.addEventListener("click", () => {
    boxes.forEach((box) => { box.checked = b.dataset.tick === "all"; });
    tick(boxes);
  }));
}

// -- the charts' own controls

function labelled(text, select) {
  return make("label", { class: "switch" }, `${text} `, select);
}

function equipSelection(place) {
  listed = make("div", { class: "listed" },
    make("span", { class: "count", role: "status" }), " ",
    button("Clear", () => { linked.clearBrushes(); choose(new Set()); }, { "data-act": "clear" }), " ",
    button("Download chosen", () => save("chosen.csv", linked.csv((i) => chosen.has(i)), TYPES.csv),
      { "data-act": "chosen" }),
    make("p", { class: "names" }));
  adder = make("select", { "data-act": "add" });
  adder.addEventListener("change", () => {
    const i = Number(adder.value);
    const next = new Set(chosen);
    if (!next.delete(i)) next.add(i);
    adder.value = "";
    choose(next);
  });
  picker = make("select", { "data-act": "reference" });
  linked.data.algorithms.forEach(({ name }, a) => picker.append(make("option", { value: a }, name)));
  picker.addEventListener("change", () => { reference = Number(picker.value); showScores(); });
  apart = make("details", { class: "apart" }, make("summary", { role: "status" }), make("div"));
  place.append(labelled("Add or remove", adder), labelled("Reference", picker), listed, apart);
  place.hidden = false;
}

function article(noun) {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

function offerSamples() {
  const names = view ? view.samples : [];
  adder.replaceChildren(make("option", { value: "" }, `${article(view ? view.block : "sample")} …`),
    ...names.map((name, i) => make("option", { value: i }, name)));
}

// the data of the charts follow the switches
let where = null;

function showScores() {
  if (!linked) return;
  const { measures, datasets, algorithms } = linked.data;
  const m = Math.max(measures.findIndex(({ name }) => name === chosenNames.measure), 0);
  const d = datasets.indexOf(chosenNames.dataset);
  const key = d >= 0 ? d : linked.hasAll ? "all" : 0;
  view = linked.view(m, key) || null;
  if (view) view.higher = measures[m].higher;
  if (where !== key) {
    chosen = new Set();
    linked.clearBrushes();
    offerSamples();
  }
  where = key;
  hovered = -1;
  linked.load(view, reference);
  linked.box.classList.toggle("empty", !view);
  linked.measure = measures[m]?.name || "score";
  linked.set({ label: measures[m]?.label || "", block: view ? view.block : "sample",
    reference: algorithms[reference]?.name || "", places: view ? view.columns.length || 1 : 1 });
  listChosen();
  tellCharts();
}

async function equipCharts() {
  const box = first(".charts");
  if (!box) {
    document.documentElement.dataset.charts = "ready"; // nothing is left to draw
    return;
  }
  const [specs, data] = await Promise.all([unpacked(box.querySelector(":scope > script.specs")),
    unpacked(box.querySelector(":scope > script.scores"))]);
  linked = new LinkedCharts(box, specs, data, { brushed: choose, hovered: hover });
  equipSelection(box.querySelector(".selection"));
  showScores();
  paintPage();
  linked.watch();
}

// -- print: what is chosen, with whole tables, on white

// paper says what was chosen, and that there is more
function tellPaper() {
  const said = [...selects.values()].map((select) => (
    `${select.labels[0].firstChild.textContent.trim()}: ${select.selectedOptions[0].textContent}`));
  const ticked = shown.filter(Boolean).length;
  if (ticked < shown.length) said.push(`Algorithms: ${ticked} of ${shown.length}`);
  paper.textContent = `${said.join("; ")}. The page itself has the others.`;
  paper.hidden = !said.length;
}

function equipPrint() {
  first("h1").after(paper);
  addEventListener("beforeprint", () => {
    tellPaper();
    wholeTables(true);
    if (linked) linked.paint(LIGHT_INK);
  });
  addEventListener("afterprint", () => {
    wholeTables(false);
    if (linked) linked.paint(dark() ? DARK_INK : LIGHT_INK);
  });
}

function begin() {
  const controls = first("details.controls");
  if (controls) controls.hidden = false;
  first("details.contents").open = innerWidth > 900; // the answer comes first on a phone
  equipTheme();
  paintPage();
  equipAlgorithms();
  selects.forEach((s) => s.addEventListener("change", () => { showParts(); showScores(); }));
  showParts();
  equipPrint();
  equipCharts();
}

begin();

// The linked charts: one Vega view each, all with the same data and signals (see specs.py).

const DARK_INK = { ink: "#e6e6e6", grid: "#4a4a4a" };
const LIGHT_INK = { ink: "#1a1a1a", grid: "#dddddd" };
const ERRORS = 1; // what Vega writes to the console
const MANY = 4000; // dots from which a canvas is quicker than SVG

// the library that draws is packed; the policy of the page names the hash of what is unpacked
let library = null;
function vega() {
  library ||= unpackedText(document.querySelector("script.vega")).then((code) => {
    const script = document.createElement("script");
    script.textContent = code;
    document.head.append(script);
  });
  return library;
}

class LinkedCharts {
  constructor(box, specs, data, act) {
    this.box = box;
    this.specs = specs;
    this.data = data;
    this.act = act; // what the page does: brushed(name, samples), hovered(sample, event)
    this.views = new Map();
    this.rows = [];
    this.signals = {};
    this.measure = "score";
    this.queue = Promise.resolve();
    this.turn = 0;
    this.version = 0; // of data and signals
    this.places = [...box.querySelectorAll("figure.chart")];
    this.waiting = new Set(this.places);
  }

  // -- data

  // the view of a measure and data set: places in the lists of names, or "all"
  view(measure, dataset) {
    return this.data.views[`${measure}/${dataset}`];
  }

  get hasAll() {
    return Object.keys(this.data.views).some((key) => key.endsWith("/all"));
  }

  load(view, reference) {
    this.version += 1;
    this.rows = view ? rowsOf(this.data, view, reference) : [];
    this.views.forEach((chart) => chart.view.data("scores", this.rows));
    this.#judge(view);
  }

  // charts that would mislead give way to a sentence; captions say what a block is
  #judge(view) {
    const block = view ? view.block : "sample";
    this.box.querySelectorAll(".block").forEach((word) => { word.textContent = block; });
    this.places.forEach((place) => {
      const why = view ? senseless(place.dataset.chart, view, this.data.algorithms.length) : null;
      place.classList.toggle("senseless", why !== null);
      place.querySelector(".why").hidden = !why;
      place.querySelector(".why").textContent = why || "";
    });
    this.box.querySelector(".hint").hidden = this.places.every((place) => place.classList.contains("senseless"));
  }

  // -- drawing: one chart at a time, those in sight first

  watch() {
    const draw = (place) => {
      if (!this.waiting.delete(place)) return;
      this.queue = this.queue.then(() => this.embed(place))
        .catch((error) => place.querySelector(".drawn").append(`This chart failed: ${error.message}`))
        .then(() => this.settle());
    };
    if (!("IntersectionObserver" in window)) return this.places.forEach(draw);
    const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
      if (entry.isIntersecting) draw(entry.target);
    }), { rootMargin: "400px" });
    this.places.forEach((place) => observer.observe(place));
    this.drawAll = () => this.places.forEach(draw);
    // printing waits for nothing: the others are drawn as soon as the page is idle
    const idle = window.requestIdleCallback || ((act) => setTimeout(act, 300));
    setTimeout(() => this.queue.then(() => idle(this.drawAll)), 200);
    return undefined;
  }

  // the page says when all charts show what was asked for last
  unsettled() {
    document.documentElement.dataset.charts = "drawing";
    this.turn += 1;
    return this.turn;
  }

  async settle() {
    const turn = this.unsettled();
    await Promise.all([...this.views.values()].map(({ view }) => view.runAsync()));
    if (turn !== this.turn || this.waiting.size) return;
    document.documentElement.dataset.charts = "ready";
    performance.mark("charts ready");
  }

  async embed(place) {
    const name = place.dataset.chart;
    const options = {
      mode: "vega-lite", ast: true, actions: false, tooltip: false, logLevel: ERRORS,
      renderer: this.rows.length > MANY ? "canvas" : "svg",
    };
    const { version } = this;
    await vega();
    const made = await vegaEmbed(place.querySelector(".drawn"), this.#spec(name), options);
    this.views.set(name, made);
    named(place);
    this.#listen(name, made.view);
    this.#equip(place, made.view);
    if (version === this.version) return;
    // what changed while it was drawn
    made.view.data("scores", this.rows);
    this.#send(made.view, this.signals);
    this.#fit(name, made.view);
  }

  #spec(name) {
    const spec = this.specs[name];
    const params = spec.params.map((p) => (
      p.name in this.signals ? { ...p, value: this.signals[p.name] } : p));
    const height = this.#height(name) || spec.height;
    return { ...spec, params, height, datasets: { scores: this.rows } };
  }

  // of a chart with one row per algorithm
  #height(name) {
    const row = this.specs[name].usermeta?.row;
    const seen = new Set(this.rows.filter((r) => this.signals.shown?.[r.a]).map((r) => r.a));
    return row ? row * Math.max(seen.size, 1) : 0;
  }

  #fit(name, view) {
    const height = this.#height(name);
    if (height) view.height(height);
  }

  #listen(name, view) {
    if (this.specs[name].params.some((p) => p.name === "brush")) {
      view.addSignalListener("brush", (_, extent) => this.#brushed(name, extent));
    }
    view.addEventListener("pointermove", (event, item) => {
      const i = item && item.datum ? item.datum.i : undefined;
      this.act.hovered(i === undefined ? -1 : i, event);
    });
    view.container().addEventListener("pointerleave", () => this.act.hovered(-1));
  }

  #brushed(name, extent) {
    const fields = Object.entries(extent || {});
    if (!fields.length) {
      if (this.brushing === name) this.act.brushed(new Set());
      return;
    }
    if (this.brushing !== name) this.clearBrushes(name);
    this.brushing = name;
    const { shown } = this.signals;
    const inside = this.rows.filter((row) => shown[row.a]
      && fields.every(([field, range]) => within(row[field], range)));
    this.act.brushed(new Set(inside.map((row) => row.i)));
  }

  clearBrushes(but) {
    this.brushing = null;
    this.views.forEach(({ view }, name) => {
      const brush = this.specs[name].params.some((p) => p.name === "brush");
      if (name === but || !brush || !Object.keys(view.signal("brush")).length) return;
      const state = view.getState({ signals: (s) => /^brush_[xy]$/.test(s || ""), data: () => false });
      Object.keys(state.signals).forEach((signal) => view.signal(signal, [0, 0]));
      view.runAsync();
    });
  }

  // -- signals

  set(signals) {
    this.version += 1;
    Object.assign(this.signals, signals);
    this.views.forEach(({ view }, name) => {
      this.#send(view, signals);
      if (signals.shown) this.#fit(name, view);
    });
    this.settle();
  }

  #send(view, signals) {
    Object.entries(signals).forEach(([name, value]) => view.signal(name, value));
  }

  // before printing there is no time to wait
  paint(colours) {
    this.views.forEach(({ view }) => {
      this.#send(view, colours);
      view.run();
    });
  }

  // -- files

  #equip(place, view) {
    const title = place.dataset.chart;
    const file = (kind, act) => button(kind.toUpperCase(), act, {
      "data-file": kind, "aria-label": `Download ${kind.toUpperCase()}: ${place.dataset.title}`,
    });
    const svg = async () => save(`${title}.svg`, await this.#lit(view, () => view.toSVG()), TYPES.svg);
    const png = async () => {
      const canvas = await this.#lit(view, () => view.toCanvas(2));
      onWhite(canvas).toBlob((blob) => save(`${title}.png`, blob), "image/png");
    };
    const data = () => save(`${title}.csv`, this.csv(() => true), TYPES.csv);
    place.append(make("p", { class: "buttons" }, file("svg", svg), file("png", png), file("csv", data)));
  }

  // files have dark ink, whatever the page has
  async #lit(view, make) {
    this.#send(view, LIGHT_INK);
    await view.runAsync();
    const made = await make();
    this.#send(view, { ink: this.signals.ink, grid: this.signals.grid });
    await view.runAsync();
    return made;
  }

  csv(wanted) {
    const rows = this.rows.filter((row) => wanted(row.i) && this.signals.shown[row.a]);
    const head = [this.signals.block, "algorithm", this.measure, "place"];
    return csv([head, ...rows.map((r) => [r.sample, r.algorithm, r.value, r.place])]);
  }
}

// Vega calls every chart "Vega visualization", and its marks symbols without a name
function named(place) {
  const drawn = place.querySelector(".drawn");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", place.dataset.title);
  drawn.removeAttribute("aria-roledescription");
  drawn.querySelector("svg, canvas").setAttribute("aria-hidden", "true");
}

function onWhite(drawn) {
  const canvas = make("canvas", { width: drawn.width, height: drawn.height });
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, 0);
  return canvas;
}

const FEWEST = 5; // blocks, or values, that have a density
const MOST_PLACES = 25; // algorithms of a podium

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// why a chart is not shown: a sentence, or nothing where that of another chart says it; else null
function senseless(chart, view, algorithms) {
  if (chart === "dots") return withoutDots(view);
  if (chart === "density") return withoutDensity(view);
  const speaks = chart === "podium";
  if (algorithms < 2) return speaks ? "One algorithm has no podium and no differences." : "";
  if (algorithms > MOST_PLACES && chart !== "differences") return speaks ? `${algorithms} algorithms are too many for a podium.` : "";
  if (coarse(view)) return speaks ? `There is no podium, as ${coarse(view)}: most places would be ties.` : "";
  if (chart === "differences" || view.columns.length) return null;
  return speaks ? `There is no podium, as no ${view.block} has the scores of all algorithms.` : "";
}

// in words, whether scores such as right and wrong are too coarse to be drawn one by one
function coarse(view) {
  const values = different(view).size;
  if (values > 1 && (view.samples.length < FEWEST || values >= FEWEST)) return "";
  return `the scores have only ${counted(values, values === 1 ? "value" : "different value")}`;
}

function different(view) {
  return new Set(view.values.flat().filter((value) => value !== null));
}

// an axis of a single value has no scale to be read by
function withoutDots(view) {
  const values = [...different(view)];
  if (values.length === 1) return `There is no chart of scores, as all of them are ${values[0]}.`;
  if (values.length >= FEWEST || view.samples.length < FEWEST) return null;
  const sorted = values.sort((a, b) => a - b);
  const told = `${sorted.slice(0, -1).join(", ")} or ${sorted.at(-1)}`;
  return `There is no chart of scores, as all of them are ${told}: the table has their means.`;
}

function withoutDensity(view) {
  const count = view.samples.length;
  const why = count < FEWEST ? `there ${count === 1 ? "is" : "are"} only ${counted(count, view.block)}`
    : coarse(view);
  return why ? `There is no chart of densities, as ${why}.` : null;
}

// a brush gives two ends of a quantity, or the names that it covers
function within(value, range) {
  if (typeof value === "string") return range.includes(value);
  return value >= Math.min(...range) && value <= Math.max(...range);
}

function mean(values) {
  const given = values.filter((v) => v !== null);
  return given.length ? given.reduce((sum, v) => sum + v, 0) / given.length : NaN;
}

// algorithms with the best mean first, those without scores last
function ranked(view, higher) {
  const means = view.values.map(mean);
  const worth = (a) => (Number.isNaN(means[a]) ? -Infinity : higher ? means[a] : -means[a]);
  return means.map((_, a) => a).sort((a, b) => worth(b) - worth(a) || a - b);
}

// a spread that looks random and is the same each time (multiples of the golden ratio)
function jitter(a, i) {
  return ((i + 1) * 0.6180339887 + a * 0.7548776662) % 1;
}

function rowsOf(data, view, reference) {
  const size = view.columns.length;
  const column = new Map(view.columns.map((a, at) => [a, at]));
  const base = view.values[reference] || [];
  const rows = [];
  const named = data.order.length === data.algorithms.length;
  for (const a of named ? data.order : ranked(view, view.higher)) {
    const { name, colour, path } = data.algorithms[a];
    view.values[a].forEach((value, i) => {
      if (value === null) return;
      const place = view.places.length ? view.places[a][i] : null;
      rows.push({
        a, i, algorithm: name, colour, path, sample: view.samples[i], value, place,
        at: place === null ? null : place - 0.5 + (column.get(a) + 0.5) / size,
        difference: base[i] === null || base[i] === undefined ? null : value - base[i],
        jitter: jitter(a, i),
      });
    });
  }
  return rows;
}

// The controller: controls, sections, the address, the keyboard.

let shown = null; // the rows that are drawn

function refresh() {
  const view = currentView();
  if (state.ref !== null && state.hidden.has(state.ref)) state.ref = null;
  shown = drawBoard(view);
  if (shown) drawWords(view, shown);
  else drawWords(view, { leads: new Set(), control: null, rows: [], shown: [] });
  drawControls(view);
  for (const details of document.querySelectorAll("details[open]")) drawSection(details);
  writeAddress();
}

// -- controls -------------------------------------------------------------------------------------

function drawControls(view) {
  const box = byId("controls"), focus = document.activeElement && document.activeElement.id;
  const at = document.activeElement && document.activeElement.selectionStart;
  const parts = DATA.controls.map((control) => (control.short ? segmentsOf(control, view) : selectOf(control, view)));
  if (view.live) parts.push(...liveControls(view));
  else if ((view.rows || []).length > MANY) parts.push(searchBox());
  box.replaceChildren(...parts.filter(Boolean));
  if (focus && box.querySelector(`#${CSS.escape(focus)}`)) {
    const again = byId(focus);
    again.focus();
    if (again.type === "search" && at !== null) again.setSelectionRange(at, at);
  }
}

function chosenValue(control, view) {
  return state.choice[control.key] ?? (view.at || {})[control.key];
}

function choose(key, value) {
  state.choice = { ...state.choice, [key]: value };
  const exact = DATA.views.some((v) => Object.entries(state.choice).every(([k, x]) => (v.at || {})[k] === undefined || v.at[k] === x));
  if (!exact) state.choice = { [key]: value };
  refresh();
}

function segmentsOf(control, view) {
  const now = chosenValue(control, view);
  return h("span", { class: "group segments", role: "group", "aria-label": control.label || control.key },
    control.label ? h("span", { style: "margin-right:6px" }, control.label) : "",
    control.options.map(([value, label]) => h("button", { type: "button", id: `c-${control.key}-${value}`,
      "aria-pressed": String(value === now), onclick: () => choose(control.key, value) }, label)));
}

function selectOf(control, view) {
  const now = chosenValue(control, view);
  const select = h("select", { id: `c-${control.key}`, onchange: (e) => choose(control.key, e.target.value) },
    control.options.map(([value, label]) => h("option", { value, selected: value === now }, label)),
    control.missing.map(([label, command]) => h("option", { disabled: true, value: "", title: command }, `${label}: ${command}`)));
  return h("label", {}, control.label, select);
}

function liveControls(view) {
  const parts = [], live = view.live;
  const names = live.order.filter((i) => !state.hidden.has(i));
  if (live.control === null && !live.race && DATA.names.length > 2)
    parts.push(h("label", {}, WORDS.compare, h("select", { id: "c-ref", onchange: (e) => {
      state.ref = e.target.value === "" ? null : Number(e.target.value);
      refresh();
    } }, h("option", { value: "" }, WORDS.best), names.map((i) => h("option", { value: i, selected: i === state.ref }, DATA.names[i])))));
  if (DATA.families.length)
    parts.push(h("label", {}, WORDS.family, h("select", { id: "c-family", onchange: (e) => { state.family = e.target.value; refresh(); } },
      h("option", { value: "" }, WORDS.all), [...new Set(DATA.families)].sort().map((f) => h("option", { value: f, selected: f === state.family }, f)))));
  if (DATA.names.length > 2 && !live.race) parts.push(menu("c-hide", live.claims.who, () => [h("small", {}, WORDS.hint), ...live.order.map((i) =>
    h("label", {}, h("input", { type: "checkbox", id: `c-hide-${i}`, checked: !state.hidden.has(i), onchange: (e) => hide(i, !e.target.checked, e.target) }), DATA.names[i]))]));
  if (live.ropes) parts.push(ropeOf(view));
  if (live.order.length > MANY) parts.push(searchBox());
  return parts;
}

function hide(i, hidden, box) {
  if (hidden && state.hidden.size >= DATA.names.length - 2) { box.checked = true; return; }
  if (hidden) state.hidden.add(i); else state.hidden.delete(i);
  refresh();
}

function searchBox() {
  return h("input", { type: "search", id: "c-search", placeholder: WORDS.search, "aria-label": WORDS.search, value: state.query,
    oninput: (e) => { state.query = e.target.value; refresh(); } });
}

let menuOpen = null;

function menu(id, label, content) {
  const box = h("span", { class: "menu" });
  const button = h("button", { type: "button", id, "aria-haspopup": "true", "aria-expanded": String(menuOpen === id),
    onclick: () => { menuOpen = menuOpen === id ? null : id; id.startsWith("t-") ? drawTools() : refresh(); byId(id).focus(); } }, label);
  box.append(button);
  if (menuOpen === id) box.append(h("div", {}, content()));
  return box;
}

document.addEventListener("click", (event) => {
  if (menuOpen && !event.composedPath().some((n) => n.classList && n.classList.contains("menu"))) {
    menuOpen = null;
    drawTools();
    drawControls(currentView());
  }
});

// -- copies ---------------------------------------------------------------------------------------

function drawTools() {
  byId("tools").replaceChildren(
    shown ? menu("t-copy", WORDS.copy, () => [["png", "PNG"], ["markdown", "Markdown"], ["latex", "LaTeX"], ["csv", "CSV"], ["link", "Link"]]
      .map(([kind, label]) => h("button", { type: "button", id: `t-${kind}`, onclick: (e) => copyAs(kind, e.target) }, label))) : "",
    h("button", { type: "button", id: "t-theme", "aria-label": "light / dark", onclick: switchTheme }, "◐"));
}

const DRAWN = new Set(["interval", "strip", "dots"]);

function tableNow() {
  const columns = currentView().columns.filter((c) => !DRAWN.has(c.kind));
  const text = (row, column) => {
    if (column.kind === "name") return row.name;
    const cell = row.cells[column.key];
    if (cell === null || cell === undefined) return "";
    if (column.kind === "estimate") return `${cell[0]} ${cell[1] || ""}`.trim();
    if (column.kind === "split" && Array.isArray(cell)) return cell.map((v) => v.toFixed(2)).join(" / ");
    if (column.kind === "share") return cell.toFixed(2);
    return Array.isArray(cell) ? String(cell[0]) : String(cell);
  };
  return { head: columns.map((c) => c.head), rows: shown.rows.map((row) => columns.map((c) => text(row, c))),
    numeric: columns.map((c) => ["number", "estimate", "share", "rank"].includes(c.kind)) };
}

function copyAs(kind, button) {
  if (kind === "png") return picture(button);
  if (kind === "link") return copyText(location.href, button);
  const { head, rows, numeric } = tableNow();
  return copyText({ markdown, latex, csv: (a, b) => csv(a, b) }[kind](head, rows, numeric), button);
}

// headline and table as a picture, twice as large
async function picture(button) {
  const box = h("div", { xmlns: "http://www.w3.org/1999/xhtml" });
  for (const id of ["headline", "sentence", "picture", "board"]) if (byId(id)) box.append(byId(id).cloneNode(true));
  for (const extra of box.querySelectorAll(".key, .more")) extra.remove();
  const area = byId("board").getBoundingClientRect(), wide = Math.ceil(area.width) + 32;
  box.style.cssText = "padding:12px 16px;background:var(--paper);color:var(--ink)";
  const measured = box.cloneNode(true);
  measured.style.width = `${wide}px`;
  measured.style.position = "absolute";
  document.body.append(measured);
  const tall = Math.ceil(measured.getBoundingClientRect().height) + 4;
  measured.remove();
  const css = document.querySelector("style").textContent, body = getComputedStyle(document.body);
  const theme = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light");
  const root = h("div", { class: "root" }, box);
  root.style.cssText = `font:${body.font};font-variant-numeric:tabular-nums`;
  const style = h("style", {}, css.replaceAll(`:root[data-theme=${theme}]`, ".root").replaceAll(":root ", ".root ").replaceAll(":root{", ".root{"));
  const markup = new XMLSerializer().serializeToString(h("div", {}, style, root));
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}"><foreignObject width="100%" height="100%">${markup}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = h("canvas", { width: 2 * wide, height: 2 * tall }), draw = canvas.getContext("2d");
  draw.scale(2, 2);
  draw.drawImage(image, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  } catch {
    save(blob, "podium.png");
  }
  flash(button);
}

function switchTheme() {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

// -- sections -------------------------------------------------------------------------------------

function openSection(name) {
  const details = byId(name);
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "nearest" });
}

for (const details of document.querySelectorAll("details")) {
  details.addEventListener("toggle", () => {
    if (details.open) { state.open.add(details.id); drawSection(details); } else state.open.delete(details.id);
    writeAddress();
  });
}

// -- the address keeps what is chosen -------------------------------------------------------------

const FIRST = DATA.views[0].at || {};

function writeAddress() {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(state.choice)) if (FIRST[key] !== value) parts.set(key, value);
  if (state.ref !== null) parts.set("ref", DATA.names[state.ref]);
  if (state.hidden.size) parts.set("hide", [...state.hidden].map((i) => DATA.names[i]).join("|"));
  for (const [key, value] of [["sort", state.sort], ["q", state.query], ["family", state.family], ["row", state.row],
    ["open", [...state.open].join("|")], ["all", state.all ? "1" : ""], ["rope", state.rope === null ? "" : String(state.rope)]])
    if (value) parts.set(key, value);
  const text = parts.toString();
  if (`#${text}` !== location.hash && (text || location.hash)) history.replaceState(null, "", text ? `#${text}` : "#");
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1)), index = (name) => DATA.names.indexOf(name);
  state.choice = {};
  for (const control of DATA.controls) if (parts.has(control.key)) state.choice[control.key] = parts.get(control.key);
  const ref = index(parts.get("ref") || "");
  state.ref = ref < 0 ? null : ref;
  state.hidden = new Set((parts.get("hide") || "").split("|").map(index).filter((i) => i >= 0));
  state.sort = parts.get("sort") || "";
  state.query = parts.get("q") || "";
  state.family = parts.get("family") || "";
  state.row = parts.get("row");
  state.all = parts.has("all");
  state.rope = parts.has("rope") ? Number(parts.get("rope")) : null;
  state.open = new Set((parts.get("open") || "").split("|").filter((name) => byId(name)));
  for (const name of state.open) byId(name).open = true;
}

// -- keys -----------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    if (menuOpen) {
      const button = menuOpen;
      menuOpen = null;
      drawTools();
      refresh();
      byId(button).focus();
    }
    else if (typing && state.query) { state.query = ""; refresh(); }
    tip.hidden = true;
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && byId("c-search")) { event.preventDefault(); byId("c-search").focus(); return; }
  const rows = [...document.querySelectorAll(".board tbody tr[data-name]")];
  const here = rows.indexOf(event.target.closest(".board tbody tr[data-name]"));
  if (event.key === "j" || event.key === "k") {
    const next = rows[Math.max(0, Math.min(rows.length - 1, here + (event.key === "j" ? 1 : -1)))];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  } else if (event.key === "Enter" && here >= 0) {
    event.preventDefault();
    openRow(rows[here].dataset.name);
  }
});

addEventListener("hashchange", () => { readAddress(); refresh(); });
readAddress();
refresh();
drawTools();
document.documentElement.dataset.ready = "yes";

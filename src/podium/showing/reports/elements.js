// Elements, texts and numbers: what all parts of the script share. Texts are never markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const WORDS = DATA.words;

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== "") node.append(child);
  }
  return node;
}

function h(tag, attributes, ...children) {
  return make(document.createElement(tag), attributes, children);
}

function s(tag, attributes, ...children) {
  return make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const byId = (id) => document.getElementById(id);

// what is drawn anew loses the focus: the keyboard goes on where it was
function focusOn(query) {
  const again = document.querySelector(query);
  if (again) again.focus({ preventScroll: true });
}

// a template of Python with names and numbers filled in
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// the same where some values are elements
function fillParts(template, values) {
  return template.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part));
}

// as Python rounds: what lies exactly in the middle goes to the even digit
function halfEven(value, places) {
  const text = value.toFixed(places), [whole, rest] = Math.abs(value).toFixed(30).split(".");
  const down = places ? `${whole}.${rest.slice(0, places)}` : whole;
  const even = /^50*$/.test(rest.slice(places)) && Number(down[down.length - 1]) % 2 === 0;
  return even ? `${value < 0 ? "-" : ""}${down}` : text;
}

function fixed(value, places) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  if (places > 6) {
    const size = value ? Math.floor(Math.log10(Math.abs(value))) : 0;
    return value ? value.toExponential(Math.max(places + size, 0)).replaceAll("-", "−").replace("+", "") : "0";
  }
  const text = halfEven(value, places);
  return Number(text) ? text.replace("-", "−") : text.replace("-", "");
}

function grouped(count) {
  return count.toLocaleString("en");
}

function short(value) {
  return String(Math.round(value * 10) / 10);
}

function pText(p) {
  if (p === null || p === undefined) return "";
  return p < 0.001 ? `${WORDS.p} < 0.001` : `${WORDS.p} = ${p.toFixed(3)}`;
}

function limitsText(low, high, places) {
  if (low === null || high === null || low === undefined || high === undefined) return "";
  return fill(WORDS.limits, { low: fixed(low, places), high: fixed(high, places) });
}

// round numbers between two ends, as `axis_of` in document.py makes them
function axisOf(values, zero) {
  const ends = values.filter((v) => v !== null && v !== undefined && isFinite(v));
  if (zero !== null) ends.push(zero);
  let low = Math.min(...ends), high = Math.max(...ends);
  if (zero !== null && values.length > 8) {
    const far = 6 * ends.map((v) => Math.abs(v - zero)).sort((a, b) => a - b)[Math.floor(ends.length / 2)];
    if (far > 0) { low = Math.max(low, zero - far); high = Math.min(high, zero + far); }
  }
  if (!(high > low)) { low -= 0.5; high += 0.5; }
  const rough = (high - low) / 4, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * size).find((n) => n >= rough * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i++) {
    const value = Number((i * step).toPrecision(12));
    ticks.push([value, String(Number(value.toPrecision(3))).replace("-", "−")]);
  }
  return { low, high, ticks, zero };
}

function percent(value, axis) {
  const share = (Math.min(Math.max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low);
  return Math.round(1000 * (0.03 + share * 0.94)) / 10;
}

// -- what is told when a pointer rests on something, or the keyboard is there ---------------------

const tip = h("div", { id: "tip", role: "tooltip", hidden: true });
document.body.append(tip);

function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = !text;
  if (!text) return;
  const wide = document.documentElement.clientWidth;
  tip.style.left = "0px";
  const size = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + scrollX - size.width / 2, wide - size.width - 4))}px`;
  const above = y - size.height - 12;
  tip.style.top = `${(above > 0 ? above : y + 18) + scrollY}px`;
}

document.addEventListener("mousemove", (event) => {
  const at = event.target.closest && event.target.closest("[data-tip]");
  const text = at ? (at.tipFor ? at.tipFor(event) : at.dataset.tip) : "";
  showTip(text, event.clientX, event.clientY);
});
document.addEventListener("focusin", (event) => {
  const at = event.target.closest("[data-tip]");
  if (!at || at.tipFor) { tip.hidden = true; return; }
  const box = at.getBoundingClientRect();
  showTip(at.dataset.tip, box.left + box.width / 2, box.top);
});

// -- the clipboard, and files where there is none -------------------------------------------------

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  flash(button);
}

function flash(button) {
  if (!button) return;
  const before = button.textContent;
  button.textContent = WORDS.copied;
  setTimeout(() => { button.textContent = before; }, 1200);
}

function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

// programs read a hyphen as a minus
function csvLine(cells) {
  return cells.map((c) => c.replace(/−(?=\d)/g, "-")).map((c) => (/[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c)).join(",");
}

function csv(head, rows) {
  return [head, ...rows].map(csvLine).join("\n") + "\n";
}

function markdown(head, rows, numeric) {
  const line = (cells) => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${numeric.map((n) => (n ? "--:" : "---")).join("|")}|`, ...rows.map(line)].join("\n") + "\n";
}

const TEX = { "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
  "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}", "−": "$-$", "–": "--",
  "×": "$\\times$", "·": "$\\cdot$", "±": "$\\pm$" };

function latex(head, rows, numeric) {
  const line = (cells) => cells.map((c) => c.replace(/[&%$#_{}~^\\−–×·±]/g, (x) => TEX[x])).join(" & ") + " \\\\";
  return [`\\begin{tabular}{${numeric.map((n) => (n ? "r" : "l")).join("")}}`, "\\toprule", line(head), "\\midrule",
    ...rows.map(line), "\\bottomrule", "\\end{tabular}"].join("\n") + "\n";
}

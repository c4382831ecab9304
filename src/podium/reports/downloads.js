// Elements, data and files. Whatever comes from data becomes text, never markup.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function button(text, act, attributes) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

async function unpacked(script) {
  return JSON.parse(await unpackedText(script));
}

async function unpackedText(script) {
  if (script.dataset.packed !== "gzip") return script.textContent;
  const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// the data beside an element, unpacked once
const contents = new WeakMap();
function contentOf(box) {
  if (!contents.has(box)) contents.set(box, unpacked(box.querySelector(":scope > script.content")));
  return contents.get(box);
}

function fileName(title, ending) {
  const name = title.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").slice(0, 60);
  return (name.replace(/^-|-$/g, "").toLowerCase() || "podium") + "." + ending;
}

function save(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const TYPES = { csv: "text/csv;charset=utf-8", tex: "application/x-tex", svg: "image/svg+xml" };
const LABELS = { csv: "CSV", tex: "LaTeX" };

// A key of `files` is an ending (csv, tex) or a whole name (order.tikz).
async function saveContent(box, key) {
  const files = (await contentOf(box)).files;
  const name = key.includes(".") ? fileName(key.replace(/\.[^.]*$/, ""), key.split(".").pop())
    : fileName(box.dataset.title, key);
  save(name, files[key], TYPES[key] || "text/plain;charset=utf-8");
}

async function fileButtons(box) {
  const keys = Object.keys((await contentOf(box)).files);
  return keys.map((key) => button(LABELS[key] || key, () => saveContent(box, key), {
    "data-file": key, "aria-label": `Download ${LABELS[key] || key}: ${box.dataset.title}`,
  }));
}

function quoted(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv(rows) {
  return rows.map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

// -- pictures

function svgText(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.color = "#1a1a1a"; // a file is looked at on white, whatever the page's colours are
  return new XMLSerializer().serializeToString(copy).replaceAll(/var\(--paper, (#f+)\)/g, "$1");
}

function sizeOf(svg) {
  const box = svg.viewBox.baseVal;
  return box && box.width ? [box.width, box.height] : [svg.clientWidth, svg.clientHeight];
}

async function savePng(svg, name) {
  const [width, height] = sizeOf(svg);
  const image = new Image(width, height);
  const text = svgText(svg);
  image.src = URL.createObjectURL(new Blob([text], { type: TYPES.svg }));
  await image.decode();
  const canvas = make("canvas", { width: Math.ceil(2 * width), height: Math.ceil(2 * height) });
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => save(name, blob), "image/png");
}

async function equipFigure(box) {
  const svg = box.querySelector("svg");
  const title = box.dataset.title;
  const own = svg ? [
    button("SVG", () => save(fileName(title, "svg"), svgText(svg), TYPES.svg),
      { "data-file": "svg", "aria-label": `Download SVG: ${title}` }),
    button("PNG", () => savePng(svg, fileName(title, "png")),
      { "data-file": "png", "aria-label": `Download PNG: ${title}` }),
  ] : [];
  const bar = make("p", { class: "buttons" }, ...own);
  box.append(bar);
  bar.append(...(await fileButtons(box)));
}

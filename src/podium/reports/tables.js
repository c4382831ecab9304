// Tables: sorted by their headings, filtered by a text and by algorithms, long ones in pages.

const PAGE = 50;
const PRINTED = 200; // rows of a table that is printed whole
const WIDE = 28; // as in markup.py
const tables = []; // those that were equipped
let isShown = () => true; // whether an algorithm is
let isMeant = () => true; // whether a data set is, by its name

function rowOf([texts, values, whom], numeric) {
  const row = make("tr");
  if (whom.length) row.dataset.algorithms = whom.join(" ");
  texts.forEach((text, i) => {
    const kind = numeric[i] ? "number" : text.length > WIDE ? "wide" : "";
    const cell = make("td", kind ? { class: kind } : {}, text);
    if (values[i] !== null) cell.dataset.value = values[i];
    row.append(cell);
  });
  return row;
}

// what a cell is sorted by: its number, or its text; nothing comes last
function keyOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(text);
  if (text === "" || text === "–") return null;
  return Number.isNaN(number) ? text : number;
}

const words = new Intl.Collator(undefined, { numeric: true });

function compared(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return words.compare(String(a), String(b));
}

function sorted(rows, { column, down }) {
  const keyed = rows.map((row) => [keyOf(row, column), row]);
  const given = keyed.filter(([key]) => key !== null);
  given.sort(([a], [b]) => (down ? compared(b, a) : compared(a, b)));
  return [...given, ...keyed.filter(([key]) => key === null)].map(([, row]) => row);
}

function algorithmsOf(element) {
  return (element.dataset.algorithms || "").split(" ").filter(Boolean).map(Number);
}

class Sheet {
  constructor(box) {
    this.box = box;
    this.table = box.querySelector("table");
    this.body = this.table.tBodies[0];
    this.heads = [...this.table.tHead.rows[0].cells];
    this.rows = [...this.body.rows];
    this.order = null;
    this.text = "";
    this.page = 0;
    this.whole = false; // in print
    this.datasets = this.heads.findIndex((head) => "namesDatasets" in head.dataset);
    this.heads.forEach((head, i) => this.#sortable(head, i));
  }

  async equip() {
    const content = await contentOf(this.box);
    const numeric = this.heads.map((head) => head.classList.contains("number"));
    this.rows.push(...content.rest.map((row) => rowOf(row, numeric)));
    content.rest = [];
    this.box.querySelector(".cut")?.remove();
    this.#toolbar(await fileButtons(this.box));
    this.show();
  }

  #sortable(head, column) {
    const name = button(head.textContent, () => this.sort(column));
    head.replaceChildren(name);
  }

  #toolbar(files) {
    const bar = make("div", { class: "bar buttons" });
    if (this.rows.length > 8) bar.append(this.#filter());
    this.count = make("span", { class: "count", role: "status" });
    this.back = button("‹", () => this.turn(-1), { "aria-label": "Previous rows" });
    this.forth = button("›", () => this.turn(1), { "aria-label": "Next rows" });
    bar.append(this.count, this.back, this.forth, ...files);
    this.box.append(bar);
  }

  #filter() {
    const input = make("input", { type: "search", placeholder: "Filter rows" });
    input.setAttribute("aria-label", `Filter rows: ${this.box.dataset.title}`);
    input.addEventListener("input", () => {
      this.text = input.value.toLowerCase();
      this.page = 0;
      this.show();
    });
    return input;
  }

  sort(column) {
    const again = this.order && this.order.column === column;
    this.order = again && this.order.down ? null : { column, down: Boolean(again) };
    this.heads.forEach((head) => head.removeAttribute("aria-sort"));
    if (this.order) {
      this.heads[column].setAttribute("aria-sort", again ? "descending" : "ascending");
    }
    this.page = 0;
    this.show();
  }

  turn(by) {
    this.page += by;
    this.show();
  }

  kept() {
    const rows = this.rows.filter((row) => algorithmsOf(row).every(isShown)
      && (this.datasets < 0 || isMeant(row.cells[this.datasets].textContent))
      && (!this.text || row.textContent.toLowerCase().includes(this.text)));
    return this.order ? sorted(rows, this.order) : rows;
  }

  show() {
    const rows = this.kept();
    const pages = Math.ceil(rows.length / PAGE) || 1;
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const start = this.page * PAGE;
    const seen = this.whole && rows.length <= PRINTED ? rows : rows.slice(start, start + PAGE);
    this.body.replaceChildren(...seen);
    this.#hideColumns(seen);
    this.#tell(rows.length, start, seen.length, seen.length < rows.length ? pages : 1);
  }

  // a column that is an algorithm's goes with it
  #hideColumns(rows) {
    this.heads.forEach((head, i) => {
      if (!head.dataset.algorithms) return;
      const gone = !algorithmsOf(head).every(isShown);
      [head, ...rows.map((row) => row.cells[i])].forEach((cell) => { cell.hidden = gone; });
    });
  }

  #tell(count, start, seen, pages) {
    const all = this.rows.length;
    const which = pages > 1 ? `Rows ${start + 1}–${start + seen} of ${count}` : `${count}`;
    const some = count < all ? ` (of ${all} in all)` : "";
    this.count.textContent = pages > 1 || count < all
      ? `${which}${pages > 1 ? "" : count === 1 ? " row" : " rows"}${some}` : "";
    this.back.hidden = this.forth.hidden = pages === 1;
    this.back.disabled = this.page === 0;
    this.forth.disabled = this.page === pages - 1;
  }
}

async function equipTable(box) {
  const sheet = new Sheet(box);
  await sheet.equip();
  tables.push(sheet);
}

function showTables() {
  tables.forEach((sheet) => sheet.show());
}

function wholeTables(whole) {
  tables.forEach((sheet) => {
    sheet.whole = whole;
    sheet.show();
  });
}

(function () {
  "use strict";
  const table = document.querySelector("table.sortable");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const search = document.querySelector(".search");
  const count = document.querySelector(".count");
  const texts = rows.map((row) => row.cells[1].textContent.toLowerCase());

  const key = (row, column) => {
    const cell = row.cells[column];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  const before = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  const sort = (column) => {
    const turned = heads[column].getAttribute("aria-sort") === "ascending" ? -1 : 1;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", turned === 1 ? "ascending" : "descending");
    const empty = (row) => key(row, column) === "";
    rows.sort((a, b) => (empty(a) || empty(b) ? empty(a) - empty(b)
      : turned * before(key(a, column), key(b, column))));
    body.append(...rows);
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    body.querySelectorAll("tr").forEach((row) => {
      const text = row.cells[1].textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    });
    count.textContent = words.length ? `${shown} of ${texts.length}` : "";
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(column));
    head.replaceChildren(button);
  });
  search.hidden = false;
  search.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  document.documentElement.dataset.board = "ready";
})();

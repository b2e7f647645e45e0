"use strict";
// Sorting by a click on a column's name, filtering by state and by words. Without this script the table is whole.
(() => {
  const table = document.getElementById("links");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent;
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compare(key(a, column), key(b, column)));
      body.append(...rows);
    });
  });

  const form = document.createElement("form");
  const state = document.createElement("select");
  const words = document.createElement("input");
  const shown = document.createElement("output");
  const present = new Set([...body.rows].flatMap((row) => row.dataset.states.split(" ")));
  const states = table.dataset.states.split(" ").filter((name) => present.has(name));
  state.append(new Option("every outcome", ""), ...states.map((name) => new Option(name, name)));
  state.name = "state";
  state.setAttribute("aria-label", "outcome");
  words.type = "search";
  words.name = "words";
  words.placeholder = "words in a row";
  words.setAttribute("aria-label", "words in a row");
  form.append(state, words, shown);
  form.addEventListener("submit", (event) => event.preventDefault());

  const filter = () => {
    const wanted = words.value.toLowerCase();
    let count = 0;
    for (const row of body.rows) {
      const fits = !state.value || row.dataset.states.split(" ").includes(state.value);
      row.hidden = !(fits && row.textContent.toLowerCase().includes(wanted));
      count += !row.hidden;
    }
    shown.textContent = `${count} of ${body.rows.length} shown`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("change", filter);
  filter();
  table.before(form);
})();

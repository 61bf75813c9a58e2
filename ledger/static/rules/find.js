/* Finding a word in the rules: parts without it are hidden, and headings with nothing left below them. */
(() => {
  "use strict";

  const PARTS = ":is(h2, p, li, tbody tr, details):not(:is(hgroup, nav, .dock, .find, li, details) *)";
  const field = document.getElementById("find"), result = document.getElementById("find-result");
  const comparable = (text) => text.normalize("NFKC").toLocaleLowerCase().replace(/\s+/g, " ").trim();

  function find() {
    const wanted = comparable(field.value);
    let heading = null, count = 0;
    for (const part of field.closest("main").querySelectorAll(PARTS)) {
      if (part.matches("h2")) {
        [heading, part.hidden] = [part, Boolean(wanted)];
        continue;
      }
      part.hidden = !comparable(part.textContent).includes(wanted);
      if (part.matches("details")) part.open = Boolean(wanted);
      if (part.hidden) continue;
      count += 1;
      if (heading) heading.hidden = false;
    }
    result.textContent = count ? "" : result.dataset.none;
  }

  field.addEventListener("input", find);
})();

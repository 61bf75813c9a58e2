/* Shows what hands that wait to be sent will move: beside each in the list of waiting forms, and in the standings of
   their session. The event `unsent` (detail: the waiting forms and their rows in the list) comes from outbox.js. */
(() => {
  "use strict";

  const figures = new Intl.NumberFormat(document.documentElement.lang);
  const number = (value) => `${value < 0 ? "\u2212" : ""}${figures.format(Math.abs(value))}`;
  const element = (name, className, ...parts) => {
    const made = Object.assign(document.createElement(name), { className });
    made.append(...parts);
    return made;
  };
  const move = ([who, value]) => element("span", "move", element("bdi", "", who), " ",
    element("span", `amount ${value > 0 ? "up" : "down"}`, `${value > 0 ? "+" : ""}${number(value)}`), " ");

  document.addEventListener("unsent", ({ detail: { entries, rows } }) => {
    const gains = {};
    entries.forEach(({ payout, address, state }, at) => {
      if (!payout || state !== "waiting") return;
      const { deltas } = JSON.parse(payout), session = address.slice(0, address.lastIndexOf("/hands/"));
      rows[at].querySelector("[data-part=moves]").replaceChildren(...Object.entries(deltas).filter(([, value]) => value).map(move));
      if (location.pathname !== session && !location.pathname.startsWith(`${session}/`)) return;
      for (const [who, value] of Object.entries(deltas)) gains[who] = (gains[who] || 0) + value;
    });
    for (const cell of document.querySelectorAll("[data-standing]")) {
      cell.querySelector(".unsent")?.remove();
      const gain = gains[cell.closest("tr").querySelector("th bdi").textContent];
      if (gain === undefined) continue;
      const balance = `→ ${number(Number(cell.dataset.standing) + gain)}`, { counted } = document.getElementById("pending").dataset;
      cell.append(element("small", "unsent", balance, element("span", "unseen", ` ${counted}`)));
    }
  });
})();

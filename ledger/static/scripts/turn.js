/* The sentence about the dealer, the lead and the players sitting out, and the badges of the seats in the hand form. */
const soloTurn = (() => {
  "use strict";

  function say(form, description, table) {
    const { texts, again } = description;
    const under = form.querySelector("input[name=blind_round]:checked")?.value === "yes";
    const [dealer] = table.dealer, [lead] = table.lead;
    const idle = description.seats.filter((each) => !table.active.includes(each));
    const key = under ? (again === lead ? "again" : "under") : !idle.length ? "turn" : idle.length > 1 ? "idle" : "king";
    const line = form.querySelector("#who-deals > summary > span");
    const parts = texts[key].split(/\{(\w+)\}/);
    line.replaceChildren(...parts.map((part, at) => {
      if (at % 2 === 0) return part;
      const name = document.createElement("bdi");
      name.className = "who";
      name.textContent = { dealer, lead, idle: idle.join(texts.comma) }[part];
      return name;
    }));
    const sits = idle.includes(dealer) ? texts.deals_out : texts.deals;
    const badge = (who) => (under && who === lead ? texts.is_under : who === lead ? texts.leads : who === dealer ? sits
      : idle.includes(who) ? texts.out : "");
    for (const small of form.querySelectorAll("[data-badge]")) small.textContent = badge(small.dataset.badge);
  }

  return { say };
})();

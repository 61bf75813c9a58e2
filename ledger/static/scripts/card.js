/* Shows the tariff in a dialog over the form. It is fetched when first opened; without scripts it is a page. */
(() => {
  "use strict";

  async function fetched(link) {
    const answer = await fetch(link.href, { headers: { "HX-Request": "true", "HX-Target": "main#main" } });
    const tariff = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("table.tariff");
    if (!tariff) throw new Error(String(answer.status));
    const card = document.createElement("dialog"), close = document.createElement("button");
    card.id = "card";
    card.setAttribute("aria-label", link.textContent);
    close.type = "button";
    close.textContent = link.dataset.card;
    close.className = "secondary";
    card.append(tariff, close);
    document.body.append(card);
    return card;
  }

  // Another scorer may have changed the rules.
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.sourceElement?.id === "meanwhile") document.getElementById("card")?.remove();
  });
  document.addEventListener("click", async (event) => {
    const card = document.getElementById("card"), link = event.target.closest("a[data-card]");
    if (card?.open && (event.target === card || event.target.closest("#card > button"))) return card.close();
    if (!link) return;
    event.preventDefault();
    try {
      (card || await fetched(link)).showModal();
    } catch {
      location.assign(link.href);  // the entered values are stored
    }
  });
})();

/* Loads the scripts and styles for cards, and the script for payouts, after a page that needs them was drawn
   (templates/parts/card_files.html, templates/hand_form.html). They stay loaded while other pages replace this one; the
   script of a part finds its element by itself. */
(() => {
  "use strict";

  function load() {
    loadPayouts();
    for (const { dataset: { cardScript: src, cardStyle: href } } of document.querySelectorAll("[data-card-script]")) {
      if (document.head.querySelector(`[src="${src}"]`)) continue;
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      document.head.append(style, Object.assign(document.createElement("script"), { src, async: false }));  // in this order
    }
  }

  function loadPayouts() {
    const src = soloHand.blank()?.dataset.script;
    if (!src || document.head.querySelector("[data-payouts]")) return;
    const script = Object.assign(document.createElement("script"), { src });
    script.dataset.payouts = "";
    document.head.append(script);
  }

  addEventListener("load", load);
  document.addEventListener("htmx:after:swap", () => setTimeout(load));  // after hand.js has taken the blank payout
})();

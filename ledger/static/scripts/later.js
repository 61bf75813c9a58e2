/* Loads the script and the style for cards after a page that needs them was drawn (templates/parts/card_files.html).
   They stay loaded while other pages replace this one; the script of a part finds its element by itself. */
(() => {
  "use strict";

  function load() {
    const files = document.querySelector("[data-card-script]")?.dataset;
    if (!files || document.head.querySelector("[data-cards]")) return;
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: files.cardStyle });
    const script = Object.assign(document.createElement("script"), { src: files.cardScript });
    style.dataset.cards = script.dataset.cards = "";
    document.head.append(style, script);
  }

  addEventListener("load", load);
  document.addEventListener("htmx:after:swap", load);
})();

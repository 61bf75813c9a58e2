/* Loads the scripts and styles for cards after a page that needs them was drawn (templates/parts/card_files.html).
   They stay loaded while other pages replace this one; the script of a part finds its element by itself. */
(() => {
  "use strict";

  function load() {
    for (const { dataset: { cardScript: src, cardStyle: href } } of document.querySelectorAll("[data-card-script]")) {
      if (document.head.querySelector(`[src="${src}"]`)) continue;
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      document.head.append(style, Object.assign(document.createElement("script"), { src, async: false }));  // in this order
    }
  }

  addEventListener("load", load);
  document.addEventListener("htmx:after:swap", load);
})();

/* Sends a report, a picture or a text through the phone's share sheet. Without one, the report is downloaded, the
   picture is downloaded as PNG, and the text is copied (page.js). */
(() => {
  "use strict";
  const ready = new WeakMap();
  const canShare = (file) => typeof navigator.canShare === "function" && navigator.canShare({ files: [file] });

  async function download(link) {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(String(answer.status));
    const named = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(answer.headers.get("Content-Disposition") || "");
    const name = named ? decodeURIComponent(named[1]) : "report.pdf";
    return new File([await answer.blob()], name, { type: "application/pdf" });
  }

  // Messengers don't display SVG.
  async function draw(link) {
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = link.href;
    await image.decode();
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    return new File([blob], `${link.dataset.title}.png`, { type: "image/png" });
  }

  function save(file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-send]"), type = link?.dataset.send;
    const isPicture = type === "image/png", shares = link && canShare(new File([""], "probe", { type }));
    if (!link || !(shares || isPicture)) return;
    event.preventDefault();
    try {
      if (!ready.has(link)) ready.set(link, await (isPicture ? draw : download)(link));
      if (shares) await navigator.share({ files: [ready.get(link)], title: link.dataset.title });
      else save(ready.get(link));
      ready.delete(link);  // the next one may have changed
    } catch (failed) {
      // The share sheet only opens right after a tap; after the download the tap is too old, so ask for another.
      if (failed.name === "NotAllowedError" && ready.has(link)) link.textContent = link.dataset.again;
      else {
        ready.delete(link);
        if (failed.name !== "AbortError") location.assign(link.href);
      }
    }
  });

  // Before the copying of page.js, which bubbles.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shares]");
    if (!button || !navigator.share) return;
    event.stopPropagation();
    navigator.share({ text: document.querySelector(button.dataset.copy).value }).catch(() => {});
  }, true);
})();

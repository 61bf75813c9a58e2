/* Shares a report through the phone's share sheet if that accepts files; otherwise the link downloads it. */
(() => {
  "use strict";
  const probe = () => new File([""], "report.pdf", { type: "application/pdf" });
  const takesFiles = () => typeof navigator.canShare === "function" && navigator.canShare({ files: [probe()] });
  const ready = new WeakMap();

  async function file(link) {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(String(answer.status));
    const named = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(answer.headers.get("Content-Disposition") || "");
    const name = named ? decodeURIComponent(named[1]) : "report.pdf";
    return new File([await answer.blob()], name, { type: "application/pdf" });
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-send]");
    if (!link || !takesFiles()) return;
    event.preventDefault();
    try {
      if (!ready.has(link)) ready.set(link, await file(link));
      await navigator.share({ files: [ready.get(link)], title: link.dataset.title });
    } catch (failed) {
      // The share sheet only opens right after a tap; after the download the tap is too old, so ask for another.
      if (failed.name === "NotAllowedError" && ready.has(link)) link.textContent = link.dataset.again;
      else if (failed.name !== "AbortError") location.assign(link.href);
    }
  });
})();

/* Plays the last hand on the board view (templates/screen.html), in a dialog over the board, which stays up to date below it
   and closes the dialog when a newer hand arrives. */
(() => {
  "use strict";

  const button = () => document.querySelector("[data-replay-of]");
  let replay = null, address = "";

  async function open() {
    address = button().dataset.replayOf;
    const dialog = document.getElementById("last-hand-replay"), answer = await fetch(address).catch(() => null);
    if (!answer?.ok || dialog.open) return;  // without the ledger nothing opens; the board says that it is away
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const course = soloLink.courseOf(page.querySelector("[data-line]").dataset.line);
    dialog.querySelector(".told").replaceChildren(...page.querySelector("#contract .told").childNodes);
    dialog.showModal();
    replay = soloReplay.open(dialog.querySelector(".replay-place"), course, { isAlone: true });
    replay.play();
    replay.button("play").focus({ preventScroll: true });  // the last player is gone, with the focus
  }

  const close = () => document.getElementById("last-hand-replay")?.close();

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-replay-of]")) open();
    if (event.target.closest("#last-hand-replay [data-do=close]")) close();
  });
  document.addEventListener("close", (event) => {
    if (event.target.id === "last-hand-replay") replay.stop();
  }, true);
  document.addEventListener("htmx:after:swap", () => {
    if (button()?.dataset.replayOf !== address) close();
  });
})();

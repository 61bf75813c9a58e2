/* Plays the last hand on the board view (templates/screen.html), in a dialog over the board, which stays up to date below it
   and closes the dialog when a newer hand arrives. A new hand is played by itself once the board has been read, and the
   dialog closes afterwards; not for people who asked for less movement. */
(() => {
  "use strict";

  const STARTS_AFTER = 12000;
  const CLOSES_AFTER = 8000;

  const button = () => document.querySelector("[data-replay-of]");
  let replay = null, address = "", hand, timer = 0;

  async function open(onStep) {
    address = button().dataset.replayOf;
    const dialog = document.getElementById("last-hand-replay"), answer = await fetch(address).catch(() => null);
    if (!answer?.ok || dialog.open || address !== button()?.dataset.replayOf) return;  // without the ledger nothing opens
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const course = soloLink.courseOf(page.querySelector("[data-line]").dataset.line);
    dialog.querySelector(".told").replaceChildren(...page.querySelector("#contract .told").childNodes);
    dialog.showModal();
    replay = soloReplay.open(dialog.querySelector(".replay-place"), course, { isAlone: true, onStep });
    replay.play();
    replay.button("play").focus({ preventScroll: true });  // the last player is gone, with the focus
  }

  const close = () => document.getElementById("last-hand-replay")?.close();
  const after = (milliseconds, act) => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
  const openByItself = () => open(() => {
    clearTimeout(timer);
    if (replay.isOver) after(CLOSES_AFTER, close);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-replay-of]")) {
      clearTimeout(timer);
      open();
    }
    if (event.target.closest("#last-hand-replay")) clearTimeout(timer);  // somebody uses it
    if (event.target.closest("#last-hand-replay [data-do=close]")) close();
  });
  document.addEventListener("close", (event) => {
    if (event.target.id !== "last-hand-replay") return;
    clearTimeout(timer);
    replay.stop();
  }, true);
  function follow() {
    const isOver = document.querySelector(".big-board.ended") !== null;  // the winner is celebrated instead
    if (isOver) clearTimeout(timer);
    if (isOver || button()?.dataset.replayOf !== address) close();
    const { newHand } = document.documentElement.dataset;  // from motion.js
    if (newHand === hand || isOver) return;
    hand = newHand;
    clearTimeout(timer);
    if (button()) after(STARTS_AFTER, openByItself);
  }
  document.addEventListener("htmx:after:swap", follow);
  follow();  // this script comes with the first hand with cards
})();

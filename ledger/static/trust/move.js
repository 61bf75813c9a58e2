/* Leads from plain HTTP to HTTPS without leaving anything behind: browsers keep what a page stores apart by scheme and
   port. The link works once nothing on this device waits to be sent. Half-entered forms go along in the address after
   "#", which is not sent to the server; they also stay here, in case the browser refuses the certificate. A random
   number in a cookie, which both addresses see, shows that they come from this page and not from a stranger's link. */
(() => {
  "use strict";

  const LOOKS_EVERY = 500;
  const LONGEST = 100_000;
  const link = document.getElementById("move");
  const notices = [...document.querySelectorAll("[data-move]")];

  function show(state) {
    for (const each of notices) each.hidden = each.dataset.move !== state;
    link.hidden = Boolean(state);
  }
  async function look() {
    const kept = await window.soloOutbox.all("outbox");
    const refused = kept.find((each) => each.state === "refused");
    if (refused) document.querySelector("[data-move=refused] a").href = refused.club;
    show(refused ? "refused" : kept.length ? "waiting" : "");
    return !kept.length;
  }
  async function move() {
    if (!await look()) return;
    const ticket = window.soloOutbox.newKey(), drafts = (await window.soloOutbox.all("drafts"))
      .filter((each) => each.fields);
    const along = encodeURIComponent(JSON.stringify({ ticket, drafts }));
    if (along.length > LONGEST) {
      clearInterval(looking);
      show("large");
      return;
    }
    document.cookie = `solo-ledger-move=${ticket}; path=/; max-age=600; samesite=lax`;
    location.assign(`${link.href}#${along}`);
  }

  link.addEventListener("click", (event) => {
    event.preventDefault();
    move();
  });
  const looking = setInterval(look, LOOKS_EVERY);
  look();
})();

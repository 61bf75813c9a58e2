/* Takes over the half-entered forms that the page for moving to HTTPS (move.js) passed in the address, and leads on. A form
   that was also begun here comes back first, and the other one after it (see outbox.js). */
(async () => {
  "use strict";

  const own = document.cookie.match(/(?:^|; )solo-ledger-move=(\w+)/)?.[1];
  const isText = (value) => typeof value === "string";
  const isField = (field) => Array.isArray(field) && field.length === 2 && field.every(isText);
  const isDraft = (draft) => isText(draft?.at) && Array.isArray(draft.fields) && draft.fields.every(isField);

  function passed() {
    try {
      const { ticket, drafts } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      return own && ticket === own ? drafts.filter(isDraft) : [];
    } catch {
      return [];
    }
  }

  const { all, put } = window.soloOutbox;
  const here = new Set((await all("drafts")).map((draft) => draft.at));
  for (const { at, fields, state } of passed()) {
    await put("drafts", { at: here.has(at) ? `${at} aside` : at, fields, state: state ?? null });
  }
  document.cookie = "solo-ledger-move=; path=/; max-age=0; samesite=lax";
  location.replace(document.getElementById("arrive").href);
})();

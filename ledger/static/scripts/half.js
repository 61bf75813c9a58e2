/* A half-entered hand as plain data. The event `draft` passes it to outbox.js, which stores it and returns it with
   `draft:back`. It is also restored after the form was replaced because of another scorer's hand. */
(() => {
  "use strict";

  const { find, inputs, description, opened, again, told } = soloHand;

  const TURN = ["dealer", "lead", "active"];
  const names = () => [...description().questions.map((each) => each.name), ...TURN, "note", "reason", "blind_round", "line"];

  const fieldsOf = (form) => [...new FormData(form)];
  function state(form, fields = fieldsOf(form)) {
    const dealer = inputs(form, "dealer").find((each) => each.checked)?.value;
    const usual = dealer === form.elements.dealer_proposed.value ? TURN : [];
    const stated = names().filter((name) => !usual.includes(name));
    const found = {};
    for (const [name, value] of fields) {
      if (stated.includes(name) && value) (found[name] ||= []).push(value);
    }
    if (form.elements.blind_shown?.value === found.blind_round?.[0]) delete found.blind_round;
    const begun = (form.elements.begun || form.elements.seen_hands).value;
    return Object.keys(found).length ? { ...found, begun } : null;
  }

  // Send the number of hands when this one was begun, so that the server can find an identical one recorded since.
  function restore(form, { begun, ...kept }) {
    if (!form.elements.begun && Number(begun) < Number(form.elements.seen_hands.value)) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "begun", value: begun }));
    }
    for (const [name, values] of Object.entries(kept)) {
      if (!names().includes(name)) continue;  // a link may be anybody's
      for (const input of inputs(form, name)) {
        if (input.matches("[type=text], [type=hidden], textarea")) [input.value] = values;
        else {
          input.disabled = false;
          input.checked = values.includes(input.value);
        }
      }
    }
    for (const more of form.querySelectorAll("details:has(textarea)")) {
      more.open ||= [...more.querySelectorAll("textarea")].some((each) => each.value);
    }
    if (kept.active) form.elements.active_of.value = kept.dealer?.[0] || form.elements.active_of.value;
    again(form);
    if (!kept.auction?.[0]) return;
    // The calls that may follow are drawn by the table's file if it is there, else by the server.
    form.dispatchEvent(new CustomEvent("said", { bubbles: true }));
    document.getElementById("fill").dispatchEvent(new Event("fill"));
  }

  // Later than the listeners that store only the fields, so that this state replaces theirs.
  const tell = (form) => setTimeout(() => {
    if (!form.isConnected) return;
    const fields = fieldsOf(form);
    form.dispatchEvent(new CustomEvent("draft", { bubbles: true, detail: { state: state(form, fields), fields } }));
  });
  document.addEventListener("said", (event) => tell(event.target));
  document.addEventListener("draft:back", (event) => {
    const { state: kept } = event.detail;
    if (event.target !== find() || !kept) return;
    event.preventDefault();
    restore(event.target, kept);
    if (soloHand.isByKeys()) soloHand.goOn(event.target);
  });

  // The server fills in the form from a hand pasted as one line among the cards, or from a typed auction.
  const fillFrom = (isSource) => (event) => {
    if (event.target.form && event.target.form === find() && isSource(event.target)) {
      document.getElementById("fill").dispatchEvent(new Event("fill"));
    }
  };
  const isLine = ({ name, value }) => name === "cards" && value.includes("@");
  document.addEventListener("input", fillFrom(isLine));
  document.addEventListener("change", fillFrom((field) => field.name === "auction" || isLine(field)));

  // The server returns the form as it was sent, with the news above it; restore the answers given since then.
  let sent = "", typed = null, at = null;
  const isMeanwhile = (event) => event.detail.ctx.sourceElement?.id === "meanwhile";
  document.addEventListener("htmx:before:request", (event) => {
    if (find() && isMeanwhile(event)) sent = JSON.stringify(state(find()));
  });
  document.addEventListener("htmx:before:swap", (event) => {
    if (find() && isMeanwhile(event)) [typed, at] = [state(find()), opened()];
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const form = find(), { request, sourceElement } = event.detail.ctx;
    if (!form || sourceElement?.matches("#watch, #notice form") || request.method !== "POST") return;
    // Morphing leaves the text that was typed.
    const old = [...form.querySelectorAll("textarea")].filter((each) => each.value !== each.defaultValue);
    if (!isMeanwhile(event) && old.length) {
      for (const each of old) each.value = each.defaultValue;
      again(form);
    }
    if (isMeanwhile(event)) {
      if (typed && JSON.stringify(typed) !== sent) restore(form, typed);
      told(form, at);
    }
    tell(form);
  });

  // Lock the form while its hand waits to be sent. The buttons unlock it for changes or start the next hand.
  function lock(form, isLocked) {
    const unlock = form.querySelector("#unlock");
    for (const part of form.children) if (part !== unlock && part.id !== "answer") part.inert = isLocked;
    unlock.hidden = !isLocked;
  }
  document.addEventListener("waits", (event) => lock(event.target, true), true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("#unlock [data-change]")) lock(event.target.form, false);
  });
  document.addEventListener("goes", (event) => lock(event.target, false));

  // Mark the form as stored from the save until the next page is shown.
  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement, response } = event.detail.ctx, form = find();
    if (form && sourceElement === form && response.raw?.headers.has("HX-Location")) form.setAttribute("data-kept", "");
  });
})();

/* Hands an unfinished entry over to another phone: a link to the same form with everything entered in its fragment, which
   browsers don't send to the server. */
const soloEntryLink = (() => {
  "use strict";

  const MARK = "#entry=";
  const { words, element } = soloCardText;

  const encode = (value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  };
  const decode = (text) => {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  };

  const isTexts = (value) => Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string");
  const isState = (value) => Object.entries(value).every(([name, texts]) => name === "begun" || isTexts(texts));

  let state = null;  // what the form's draft contains (half.js)
  document.addEventListener("draft", (event) => { state = event.detail.state; });

  const tell = () => soloHand.find().dispatchEvent(new CustomEvent("said", { bubbles: true }));
  const address = () => `${location.origin}${location.pathname}${MARK}${encode(state)}`;

  // The form tells its state a moment after it was asked.
  function show() {
    tell();
    setTimeout(showLink);
  }

  function showLink() {
    const { texts } = words(), field = element("input");
    Object.assign(field, { id: "entry-link", type: "text", readOnly: true, value: address() });
    field.setAttribute("aria-label", texts.hand_over);
    field.dataset.select = "";
    const copy = element("button", "secondary", texts.copy);
    copy.type = "button";
    copy.dataset.copy = "#entry-link";
    copy.dataset.copied = texts.copied;
    const share = navigator.share ? [[texts.share, () => navigator.share({ url: field.value }).catch(() => {})]] : [];
    soloEntry.ask(texts.hand_over, texts.link_explained, share, field, copy);
  }

  // Returns the state of a link, or null if it was cut off or changed.
  function stateOf(text) {
    try {
      const value = decode(text);
      return isState(value) ? value : null;
    } catch {
      return null;
    }
  }

  // Shows a notice above the form in place of an earlier one, with a button for each choice.
  function showNotice(form, text, choices = []) {
    document.getElementById("link-notice")?.remove();
    const notice = element("div", "notice wrong", element("p", "", text));
    Object.assign(notice, { id: "link-notice", role: "alert" });
    const buttons = choices.map(([title, style, act]) => {
      const button = element("button", style, title);
      button.type = "button";
      button.addEventListener("click", () => {
        notice.remove();
        act();
      });
      return button;
    });
    if (buttons.length) notice.append(element("div", "pair", ...buttons));
    form.before(notice);
  }

  // Fills in what a link contains; the answers that it lacks are emptied.
  function fillIn(received, names) {
    const empty = Object.fromEntries(names.map((name) => [name, [""]]));
    const detail = { state: { ...empty, ...received } };
    soloHand.find().dispatchEvent(new CustomEvent("draft:back", { bubbles: true, cancelable: true, detail }));
    tell();
    soloEntry.refresh();
    if (received.cards) soloEntry.open();
  }

  // Reads the link in the address. It replaces another hand that is entered here only if that is wanted.
  function receive() {
    const form = soloHand.find();
    if (!form || !soloEntryView.dialog() || !location.hash.startsWith(MARK)) return;
    const text = location.hash.slice(MARK.length), { texts } = words();
    history.replaceState(history.state, "", location.pathname);
    const received = stateOf(text), names = soloHand.description().questions.map((each) => each.name);
    if (!names.some((name) => Object.hasOwn(received ?? {}, name))) return showNotice(form, texts.link_cut);
    tell();
    setTimeout(() => {
      const isOther = names.some((name) => state?.[name] && String(state[name]) !== String(received[name] ?? ""));
      if (!isOther) return fillIn(received, names);
      soloEntry.close();
      return showNotice(form, texts.link_differs, [
        [texts.keep, "secondary", () => {}],
        [texts.take_link, "", () => fillIn(received, names)],
      ]);
    });
  }

  addEventListener("hashchange", receive);
  return { show, receive };
})();

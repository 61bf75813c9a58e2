/* A number pad with large keys. It types into the focused field beside it, or moves the number to the other side, and
   fires the same events as typing. On a keyboard a digit chooses that answer, Enter chooses the focused answer and moves
   on to the next question, and Escape closes a question that was opened again. */
(() => {
  "use strict";

  const MOST_DIGITS = 3;
  const typed = (field) => {
    field.focus({ preventScroll: true });
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-key]");
    if (!button) return;
    const { key } = button.dataset;
    const fields = [...button.closest("fieldset").querySelectorAll("input.number:not(:disabled)")];
    const field = fields.find((each) => each === document.activeElement) || fields.find((each) => each.value) || fields[0];
    const other = fields.find((each) => each !== field);
    if (key === "side") {
      if (!other) return;
      [other.value, field.value] = [field.value, ""];
      return typed(other);
    }
    if (other) other.value = "";
    const text = key === "back" ? field.value.slice(0, -1) : field.value + key;
    field.value = text.replace(/^0+(?=\d)/, "").slice(0, MOST_DIGITS);
    typed(field);
  });

  // Keep the focus in the field while a key is tapped.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-key]")) event.preventDefault();
  });

  const open = (form, what) => [...form.querySelectorAll(what)].find((each) => !each.disabled && each.checkVisibility());
  function say(input) {
    input.focus();
    if (input.checked) return;
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("keydown", (event) => {
    const form = soloHand.find(), { key, target } = event;
    if (!form || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (key === "Enter" && form.contains(target) && target.matches("input")) {
      if (target.type === "radio") say(target);
      soloHand.goOn(form);
    } else if (key === "Escape" && soloHand.opened()) soloHand.goOn(form);
    else if (/^(\d|Backspace)$/.test(key) && !target.matches("input[type=text]")) {
      const answer = open(form, `.ask input[type=radio][value="${key}"]`);
      const button = open(form, `[data-key="${key === "Backspace" ? "back" : key}"]`);
      if (!answer && !button) return;
      if (answer) say(answer);
      else button.click();
    } else return;
    event.preventDefault();
  }, true);

  // On a page opened by keyboard, focus the first question, unless there is a notice to read first.
  addEventListener("pagehide", () => sessionStorage.setItem("by-keys", soloHand.isByKeys() ? "yes" : "no"));
  function begin() {
    const form = soloHand.find(), isFree = document.activeElement === document.body;
    if (form && isFree && soloHand.isByKeys() && !document.querySelector("#notice, #faults")) soloHand.goOn(form);
  }
  document.addEventListener("DOMContentLoaded", begin);

  // Ignore the second tap of a double tap if another question has moved under the thumb.
  let tapped = null;
  document.addEventListener("click", (event) => {
    const block = event.target.closest("#hand [data-label]");
    if (event.detail > 1 && tapped && block && block !== tapped) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else tapped = block;
  }, true);
})();

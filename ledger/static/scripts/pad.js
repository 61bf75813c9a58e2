/* A number pad with large keys: types into the field beside it that has the caret, or moves the number to the other
   side. What it types counts as any other. */
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

  // A key leaves the caret where it is.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-key]")) event.preventDefault();
  });
})();

/* Makes the text of each box of the board view as large as fits, from MIN pixels to a share of the screen's height.
   The sizes are variables of the root, as a morph removes the styles of other elements; one that is tried is the box's, so
   that only its own styles are computed again. */
(() => {
  "use strict";

  const MIN = 12;
  const STEPS = 7;  // of a search for the largest size
  const BOXES = { ".big-table": ["standings", 7], ".round": ["round", 5], ".last": ["last", 2.4] };
  const root = document.documentElement;

  // A line that is lower than its font overflows by up to two pixels.
  const LINES = 2.7;  // two lines of a name in the standings, in font sizes
  const isCut = (each) => each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 1;
  const isTall = (each) => each.offsetHeight > LINES * Number.parseFloat(getComputedStyle(each).fontSize);

  function fit() {
    for (const [box, [name, share]] of Object.entries(BOXES)) {
      const at = document.querySelector(box);
      if (at) fitText(at, `--fit-${name}`, Math.max(MIN, (share * innerHeight) / 100));
    }
  }

  function fitText(at, name, most) {
    const parts = [at, ...at.querySelectorAll(".at, .middle, [role=list] > div")], names = [...at.querySelectorAll("th bdi")];
    const fits = (size) => {
      at.style.setProperty(name, `${size}px`);
      return !parts.some(isCut) && (size === MIN || !names.some(isTall));
    };
    at.classList.remove("tight");
    if (!fits(MIN)) at.classList.add("tight");  // then words may be broken
    const last = Number.parseFloat(root.style.getPropertyValue(name)), least = (most - MIN) / 2 ** STEPS;
    let low = MIN, high = most;
    if (last + least < most && fits(last) && !fits(last + least)) low = high = last;
    while (high - low > least) {
      const size = (low + high) / 2;
      if (fits(size)) low = size;
      else high = size;
    }
    root.style.setProperty(name, `${low}px`);
    at.style.removeProperty(name);
  }

  fit();
  addEventListener("resize", fit);
  document.fonts.addEventListener("loadingdone", fit);
  document.fonts.ready.then(fit);
  addEventListener("load", fit);
  document.addEventListener("htmx:after:swap", fit);
})();

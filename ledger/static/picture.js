/* Cuts the middle out of a picture that was chosen for a player, makes it 96 pixels wide, and puts it into the form as
   a JPEG in base64 (templates/player_mark.html). */
(() => {
  "use strict";
  const SIDE = 96, MOST = 7000, START = 2, SCAN = 0xda;

  async function cut(file) {
    const picture = await createImageBitmap(file), canvas = document.createElement("canvas");
    const { width, height } = picture, side = Math.min(width, height), context = canvas.getContext("2d");
    canvas.width = canvas.height = SIDE;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, SIDE, SIDE);
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    for (const quality of [0.9, 0.8, 0.65, 0.5, 0.3, 0.1]) {
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
      const bytes = bare(new Uint8Array(await blob.arrayBuffer()));
      if (bytes.length <= MOST) return btoa(String.fromCharCode(...bytes));
    }
    throw new Error("The picture stays too large.");
  }

  // Some browsers add segments about the camera or colours (0xE0 to 0xEF) and comments (0xFE), which the server refuses.
  function bare(bytes) {
    const parts = [bytes.subarray(0, START)];
    let at = START;
    while (bytes[at + 1] !== SCAN) {
      const after = at + 2 + bytes[at + 2] * 256 + bytes[at + 3];
      if (bytes[at + 1] < 0xe0) parts.push(bytes.subarray(at, after));
      at = after;
    }
    return new Uint8Array([...parts, bytes.subarray(at)].flatMap((part) => [...part]));
  }

  async function choose(input) {
    const field = document.getElementById(input.dataset.picture), place = input.closest("fieldset");
    const image = place.querySelector("img"), wrong = place.querySelector("[data-picture] ~ .wrong");
    const without = place.querySelector("[name=without]");
    wrong.textContent = "";
    field.value = "";
    try {
      if (input.files[0]) field.value = await cut(input.files[0]);
    } catch {
      wrong.textContent = input.dataset.refused;
      input.value = "";
    }
    wrong.hidden = !wrong.textContent;
    if (!field.value) return;
    image.src = `data:image/jpeg;base64,${field.value}`;
    image.parentElement.hidden = false;
    if (without) without.checked = false;
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-picture]")) choose(event.target);
  });
})();

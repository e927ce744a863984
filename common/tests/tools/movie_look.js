// Runs in the movie's page with a screenshot (PNG in base64), and returns the shares of its pixels that are lit, and that
// differ from the last screenshot.
const done = arguments[1], image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const now = pen.getImageData(0, 0, image.width, image.height).data;
  const last = window.lastLook ?? now;
  let lit = 0, different = 0;
  for (let i = 0; i < now.length; i += 4) {
    if (Math.max(now[i], now[i + 1], now[i + 2]) > 64) ++lit;
    if ([0, 1, 2].some((c) => Math.abs(now[i + c] - last[i + c]) > 12)) ++different;
  }
  window.lastLook = now;
  done({ lit: (4 * lit) / now.length, different: (4 * different) / now.length });
};
image.src = "data:image/png;base64," + arguments[0];

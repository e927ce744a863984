// The frames in the page.

// Returns the 16-bit numbers x, y and z of each body, little-endian as on all browsers' machines.
function decodeFrame(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Uint16Array(bytes.buffer);
}

// Returns every stride-th moment. If a moment has no energy, it shows the last one known.
function chooseMoments(facts, stride) {
  let energyDrift = null;
  return facts.frames.flatMap((moment, k) => {
    energyDrift = moment.energyDrift ?? energyDrift;
    return k % stride === 0 ? [{ ...moment, energyDrift }] : [];
  });
}

// Calls use(k, numbers) for each moment's frame, frees its text, and calls show(share) now and then.
async function loadFrames(count, stride, use, show) {
  const elements = [...document.querySelectorAll("script.frame")];
  for (let k = 0; k < count; ++k) {
    use(k, decodeFrame(elements[k * stride]));
    elements[k * stride].remove();
    if (k % 8 !== 0) continue;
    show(k / count);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

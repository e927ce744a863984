// The frames that the page holds.

function readFacts() {
  return JSON.parse(document.getElementById("facts").textContent);
}

// 16-bit numbers, x, y and z of each body; the lower byte first, as browsers' machines have it.
function decodeFrame(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Uint16Array(bytes.buffer);
}

// Every stride-th moment. Where the energy was not computed the last one known stands.
function chooseMoments(facts, stride) {
  let energyDrift = null;
  return facts.frames.flatMap((moment, k) => {
    energyDrift = moment.energyDrift ?? energyDrift;
    return k % stride === 0 ? [{ ...moment, energyDrift }] : [];
  });
}

// Calls use(k, numbers) for each moment's frame and frees its text; show(share) from time to time.
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

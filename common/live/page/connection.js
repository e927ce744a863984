// The socket, which is opened again whenever it is lost: a network fails, or a phone sleeps.

const QUIET = 1000; // ms after a loss before the page reports it
const SILENCE = 10000; // ms without a message, which arrives every second, until the network counts as lost

class Connection {
  // hear(message), see(buffer), say(state): "open", "lost", or "over" if the link is no longer valid
  constructor({ hear, see, say }) {
    Object.assign(this, { hear, see, say, lostAt: performance.now(), delay: 0 });
    this.open();
  }

  open() {
    const address = new URL(`socket${location.search}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.found();
    socket.onclose = () => this.lose();
    socket.onmessage = ({ data }) => {
      this.heardAt = performance.now();
      if (typeof data === "string") this.hear(JSON.parse(data));
      else this.see(data);
    };
    this.heardAt = performance.now();
    this.watch ??= setInterval(() => this.listen(), 500);
  }

  found() {
    this.lostAt = null;
    this.delay = 0;
    this.say("open");
  }

  // Tries at once, then after 0.25 s, and longer up to 2 s.
  lose() {
    this.socket.onclose = this.socket.onmessage = this.socket.onopen = null;
    this.socket.close();
    this.lostAt ??= performance.now();
    setTimeout(() => this.over || this.open(), this.delay);
    this.delay = Math.min(2000, Math.max(250, 1.5 * this.delay));
  }

  listen() {
    const now = performance.now();
    if (now - this.heardAt > SILENCE) this.lose();
    if (this.lostAt !== null && now - this.lostAt > QUIET && !this.over) {
      this.say("lost");
      this.ask();
    }
  }

  // A refused socket does not tell why. The page itself does: a restarted run has other tokens.
  async ask() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.status !== 403 || this.over) return;
    this.over = true;
    clearInterval(this.watch);
    this.say("over");
  }

  send(wish) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wish));
  }
}

/** One WebSocket per match, reopened with growing pauses whenever it closes. */

/**
 * @typedef {Schemas["StateMessage"] | Schemas["AnalysisMessage"] | Schemas["EmoteMessage"]
 *   | Schemas["ReviewMessage"] | Schemas["FaultMessage"] | Schemas["PongMessage"]} Message
 */
/** @typedef {"connecting" | "open" | "lost" | "refused"} Connection */

/** The close code after which the client must not reconnect: the match is gone, or too many sockets are open. */
const REFUSED = 4000;

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 8000;
const PING_MS = 20_000;

export class Live {
  /**
   * @param {string} id of the match
   * @param {(message: Message) => void} onMessage
   * @param {(connection: Connection) => void} onConnection
   */
  constructor(id, onMessage, onConnection) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.address = `${scheme}//${location.host}/api/matches/${encodeURIComponent(id)}/live`;
    this.onMessage = onMessage;
    this.onConnection = onConnection;
    this.pause = FIRST_PAUSE_MS;
    this.closed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.pings = window.setInterval(() => this.send("ping"), PING_MS);
    this.hurry = () => this.socket === null && this.open();
    addEventListener("online", this.hurry);
    onConnection("connecting");
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE_MS;
      this.onConnection("open");
    };
    socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.closed) return;
      if (event.code === REFUSED) {
        this.close();
        this.onConnection("refused");
        return;
      }
      this.socket = null;
      this.onConnection("lost");
      // Jitter keeps many browsers from reconnecting at the same instant.
      this.timer = window.setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
    };
  }

  /** @param {Schemas["ClientMessage"]["type"]} type */
  send(type) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type }));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pings);
    removeEventListener("online", this.hurry);
    this.socket?.close();
  }
}

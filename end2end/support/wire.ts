/** A wire between the browser and the server that can be cut and mended, as a network can. */
import { type AddressInfo, connect, createServer, type Server as Listener, type Socket } from "node:net";

export class Wire {
  private readonly ends = new Set<Socket>();
  private whole = true;

  private constructor(
    private readonly listener: Listener,
    /** Where the browser finds the server. */
    readonly url: string,
  ) {}

  /** A wire to the server at `url`. */
  static async to(url: string): Promise<Wire> {
    const target = Number(new URL(url).port);
    const listener = createServer();
    await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
    const { port } = listener.address() as AddressInfo;
    const wire = new Wire(listener, `http://127.0.0.1:${port}`);
    listener.on("connection", (browser) => wire.join(browser, target));
    return wire;
  }

  private join(browser: Socket, target: number): void {
    if (!this.whole) return void browser.destroy();
    const server = connect(target, "127.0.0.1");
    for (const [end, other] of [
      [browser, server],
      [server, browser],
    ] as const) {
      this.ends.add(end);
      end.on("error", () => other.destroy());
      end.on("close", () => {
        this.ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  }

  /** Ends every connection, and lets no new one through. */
  cut(): void {
    this.whole = false;
    for (const end of this.ends) end.destroy();
  }

  /** Lets connections through again. */
  mend(): void {
    this.whole = true;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((done) => this.listener.close(() => done()));
  }
}

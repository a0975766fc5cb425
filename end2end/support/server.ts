/** The release server under test: one for each worker process, on its own port, with its own empty data. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const BINARY = process.env.SERVER_BINARY ?? resolve(__dirname, "../../target/release/conveyor");

/** How long a start or a stop may take. */
const PATIENCE_MS = 20_000;

export class Server {
  readonly token = "end2end-token-0123456789";
  readonly url: string;
  private output = "";
  private readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    const keep = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    this.exited = new Promise((done) => {
      child.once("exit", () => done());
      child.once("error", (error) => {
        this.output += `${error}\n`;
        done();
      });
    });
  }

  /** Starts a server and waits until it is ready. Another process may take the free port first, hence the tries. */
  static async start(settings: Record<string, string> = {}): Promise<Server> {
    let last = "";
    for (let attempt = 0; attempt < 3; attempt++) {
      const server = await Server.spawn(settings);
      if (await server.becomesReady()) return server;
      last = server.log;
      await server.stop();
    }
    throw new Error(`${BINARY} does not become ready. Its output:\n${last}`);
  }

  private static async spawn(settings: Record<string, string>): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), "conveyor-end2end-"));
    const port = await freePort();
    const child = spawn(BINARY, ["serve"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH ?? "",
        API_TOKEN: "end2end-token-0123456789",
        DATA_DIR: join(folder, "data"),
        HOST: "127.0.0.1",
        PORT: String(port),
        SHUTDOWN_GRACE_S: "2",
        NO_COLOR: "1",
        ...settings,
      },
    });
    return new Server(child, folder, port);
  }

  /** What the server has written so far. */
  get log(): string {
    return this.output;
  }

  private async becomesReady(): Promise<boolean> {
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline && this.child.exitCode === null && this.child.pid !== undefined) {
      const ready = await fetch(`${this.url}/readyz`).then((answer) => answer.ok, () => false);
      if (ready) return true;
      await pause(50);
    }
    return false;
  }

  /** Ends the process, at first politely, and removes its data. */
  async stop(): Promise<void> {
    this.child.kill("SIGTERM");
    const force = setTimeout(() => this.child.kill("SIGKILL"), PATIENCE_MS);
    await this.exited;
    clearTimeout(force);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? done(address.port) : fail(new Error("no port"))));
    });
  });
}

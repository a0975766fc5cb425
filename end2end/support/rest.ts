/** The REST interface, for arranging what a test looks at and for acting as a worker. */
import { type APIRequestContext, request } from "@playwright/test";
import type { Server } from "./server";

/** A job as far as the tests read it. */
export interface Job {
  id: number;
  kind: string;
  queue: string;
  state: string;
  attempt: number;
  priority: number;
  max_attempts: number;
  timeout_s: number;
  run_at: string;
  created_at: string;
  tags: string[];
  idempotency_key: string | null;
  schedule: string | null;
  version: number;
}

/** One page of a list. */
export interface List<T> {
  items: T[];
  next: string | null;
  total: number;
}

/** A job under a lease. */
export interface Claimed extends Job {
  lease_token: number;
}

export interface NewJob {
  kind: string;
  payload?: unknown;
  queue?: string;
  priority?: number;
  delay_s?: number;
  run_at?: string;
  max_attempts?: number;
  idempotency_key?: string;
  tags?: string[];
  backoff?: { kind: string; base_s: number; jitter: number };
}

export type Outcome =
  | { outcome: "succeeded"; result?: unknown }
  | { outcome: "cancelled" }
  | { outcome: "failed" | "dead"; error: { class: string; message: string; backtrace?: string }; retry_in_s?: number };

export class Rest {
  private constructor(private readonly http: APIRequestContext) {}

  static async open(server: Server): Promise<Rest> {
    const extraHTTPHeaders = { Authorization: `Bearer ${server.token}` };
    return new Rest(await request.newContext({ baseURL: server.url, extraHTTPHeaders }));
  }

  async close(): Promise<void> {
    await this.http.dispose();
  }

  /** Any call below `/api/v1`; an answer that is not a success fails the test with its text. */
  async call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const text = data === undefined ? {} : { data: JSON.stringify(data) };
    return this.send<T>(method, path, text);
  }

  /** As `call`, with a body that is sent exactly as it is written. */
  async callRaw<T>(method: string, path: string, body: string): Promise<T> {
    return this.send<T>(method, path, { data: body });
  }

  /** The answer to a GET as it came, byte for byte. */
  async text(path: string): Promise<string> {
    return this.sendText("GET", path, {});
  }

  /** The status of the answer to a GET. */
  async status(path: string): Promise<number> {
    return (await this.http.get(`/api/v1${path}`)).status();
  }

  private async send<T>(method: string, path: string, body: { data?: string }): Promise<T> {
    const text = await this.sendText(method, path, body);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  private async sendText(method: string, path: string, body: { data?: string }): Promise<string> {
    const headers = { "Content-Type": "application/json" };
    // A connection that was idle may be closed by the server just as it is used again.
    const answer = await this.http.fetch(`/api/v1${path}`, { method, headers, maxRetries: 2, ...body });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${text}`);
    return text;
  }

  enqueue(job: NewJob): Promise<Job> {
    return this.call("POST", "/jobs", job);
  }

  job(id: number): Promise<Job> {
    return this.call("GET", `/jobs/${id}`);
  }

  /** The jobs of a queue, newest first, at most 200. */
  async jobsIn(queue: string): Promise<Job[]> {
    const list = await this.call<List<Job>>("GET", `/jobs?limit=200&queue=${encodeURIComponent(queue)}`);
    return list.items;
  }

  /** How many jobs of a queue are in each state. */
  async statesIn(queue: string): Promise<Record<string, number>> {
    const states: Record<string, number> = {};
    for (const { state } of await this.jobsIn(queue)) states[state] = (states[state] ?? 0) + 1;
    return states;
  }

  /** Enqueues `count` jobs that are alike; the first of them comes first. */
  async enqueueMany(job: NewJob, count: number): Promise<number[]> {
    const jobs = Array.from({ length: count }, () => job);
    const { items } = await this.call<{ items: { id: number }[] }>("POST", "/jobs/bulk", jobs);
    return items.map(({ id }) => id);
  }

  pause(queue: string, note: string): Promise<unknown> {
    return this.call("POST", `/queues/${encodeURIComponent(queue)}/pause`, { note });
  }

  resume(queue: string): Promise<unknown> {
    return this.call("POST", `/queues/${encodeURIComponent(queue)}/resume`, {});
  }

  /** Claims one job of `queue`, waiting for it if need be. */
  async claim(queue: string): Promise<Claimed> {
    const ask = { worker: "end2end", queues: [queue], max: 1, wait_s: 10, lease_s: 60 };
    const { jobs } = await this.call<{ jobs: Claimed[] }>("POST", "/worker/claim", ask);
    const job = jobs[0];
    if (!job) throw new Error(`nothing to claim in ${queue}`);
    return job;
  }

  /** Reports the outcome of a claimed job. */
  async finish(job: Claimed, outcome: Outcome): Promise<void> {
    await this.call("POST", `/jobs/${job.id}/finish`, { lease_token: job.lease_token, ...outcome });
  }

  /** A job that has used up its only attempt. */
  async deadJob(job: NewJob, error: { class: string; message: string; backtrace?: string }): Promise<Job> {
    const { id, queue } = await this.enqueue({ ...job, max_attempts: 1 });
    await this.finish(await this.claim(queue), { outcome: "failed", error });
    return this.job(id);
  }
}

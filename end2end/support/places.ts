/** Every page of the dashboard, each with what must be there for it to have something to show. */
import type { Job, Rest } from "./rest";

/** A kind that no worker of the server takes. */
export const KIND = "end2end.report";

export interface Place {
  name: string;
  /** Arranges what the page shows, in a queue of its own, and says where the page is. */
  arrange: (rest: Rest, queue: string) => Promise<string>;
  /** Whether the page is about a thing that is not there. */
  missing?: true;
}

const at = (path: string) => async () => path;

type Make = (rest: Rest, queue: string) => Promise<Job>;

/** A job in each state that one can be brought to. */
export const JOBS = {
  scheduled: (rest, queue) => rest.enqueue({ kind: KIND, queue, delay_s: 3600, tags: ["nightly"] }),
  ready: (rest, queue) => rest.enqueue({ kind: KIND, queue, payload: { to: "x", n: 1 } }),
  running: async (rest, queue) => {
    await rest.enqueue({ kind: KIND, queue });
    const { id, lease_token } = await rest.claim(queue);
    const lines = [{ level: "warn", message: "42" }];
    await rest.call("POST", "/worker/log", { id, lease_token, lines });
    await rest.call("POST", "/worker/progress", { id, lease_token, percent: 40, message: "40/100" });
    return rest.job(id);
  },
  retrying: async (rest, queue) => {
    const { id } = await rest.enqueue({ kind: KIND, queue, max_attempts: 3 });
    const error = { class: "Timeout", message: "timeout", backtrace: "0: main.rs:1" };
    await rest.finish(await rest.claim(queue), { outcome: "failed", error, retry_in_s: 3600 });
    return rest.job(id);
  },
  succeeded: async (rest, queue) => {
    const { id } = await rest.enqueue({ kind: KIND, queue });
    await rest.finish(await rest.claim(queue), { outcome: "succeeded", result: { rows: 12 } });
    return rest.job(id);
  },
  dead: (rest, queue) => rest.deadJob({ kind: KIND, queue }, { class: "Refused", message: `refused-by-${queue}` }),
  cancelled: async (rest, queue) => {
    const { id } = await rest.enqueue({ kind: KIND, queue });
    await rest.call("POST", `/jobs/${id}/cancel`, {});
    return rest.job(id);
  },
} satisfies Record<string, Make>;

/** A schedule that does not fire while a test looks. */
export async function schedule(rest: Rest, name: string): Promise<string> {
  await rest.call("PUT", `/schedules/${encodeURIComponent(name)}`, { cron: "0 4 1 1 *", kind: KIND, queue: name });
  return `/schedules/${encodeURIComponent(name)}`;
}

/** Some of everything, for the pages that list things. */
export async function fill(rest: Rest, queue: string): Promise<void> {
  for (const [state, make] of Object.entries(JOBS)) await make(rest, `${queue}-${state}`);
  await rest.pause(`${queue}-ready`, "SMTP");
  await schedule(rest, queue);
}

const filled = (path: string): Place["arrange"] => async (rest, queue) => {
  await fill(rest, queue);
  return path;
};

export const PLACES: Place[] = [
  { name: "the overview", arrange: filled("/") },
  { name: "the jobs", arrange: filled("/jobs") },
  { name: "a search without a find", arrange: at("/jobs?q=kind:no.such.kind") },
  ...Object.entries(JOBS).map(([state, make]) => ({
    name: `a ${state} job`,
    arrange: async (rest: Rest, queue: string) => `/jobs/${(await make(rest, queue)).id}`,
  })),
  { name: "the enqueue form", arrange: at("/jobs/new") },
  {
    name: "the form that edits a job",
    arrange: async (rest, queue) => `/jobs/${(await rest.enqueue({ kind: KIND, queue })).id}?edit=1`,
  },
  { name: "the queues", arrange: filled("/queues") },
  { name: "the schedules", arrange: filled("/schedules") },
  { name: "a schedule", arrange: schedule },
  { name: "the form that changes a schedule", arrange: async (rest, queue) => `${await schedule(rest, queue)}/edit` },
  { name: "the form that makes a schedule", arrange: at("/schedules/new") },
  { name: "the workers", arrange: filled("/workers") },
  { name: "the dead letter", arrange: filled("/dead") },
  {
    name: "a group of the dead letter",
    arrange: async (rest, queue) => {
      await rest.deadJob({ kind: KIND, queue }, { class: "Refused", message: `refused-by-${queue}` });
      return `/jobs?state=dead&queue=${queue}`;
    },
  },
  { name: "the help", arrange: at("/help") },
  { name: "no page", arrange: at("/no-such-page"), missing: true },
  { name: "no job", arrange: at("/jobs/999999999"), missing: true },
];

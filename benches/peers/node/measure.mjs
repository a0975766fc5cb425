// What every peer written in JavaScript shares: the job, the phases, the clock and the one line
// of JSON at the end.
//
// A program is started as `node PEER.mjs PHASE JOBS LIMIT STORE [MODE]`: PHASE is one of those
// below, LIMIT the seconds after which it stops early, STORE the address of the peer's server and
// MODE a variant that the peer knows. It prints one JSON object and exits.

import { setTimeout as sleep } from 'node:timers/promises';

/** The number of the first order. */
const FIRST = 10_000_000;
/** Jobs in one bulk call. */
const BULK = 1000;
/** Latency: jobs so far apart, after so many that are not counted. */
const GAP_MS = 20;
const WARM = 25;
/** Milliseconds to wait for the stragglers of a latency run. */
const STRAGGLERS_MS = 10_000;

/** The job with this number: the 132 bytes of JSON that Conveyor's own benchmark stores, the same in
 * every language. */
export function order(number) {
  return {
    order: FIRST + number,
    customer: 'c-48213 Marie Lefevre',
    articles: ['lamp-3400-black', 'cable-2m'],
    total: 'EUR 184.50',
    express: false,
  };
}

/** Which of the programs' jobs this is: the opposite of `order`. */
const numberOf = (job) => job.order - FIRST;

const seconds = (since) => (performance.now() - since) / 1000;

/** `lanes` callers at once, each waiting for its own answer. */
async function enqueue(peer, { jobs, limit, store, mode }, lanes, warm) {
  const client = await peer.open(store, mode);
  for (let number = 0; number < warm; number += 1) await client.enqueue(order(number));
  let next = 0;
  const start = performance.now();
  async function lane() {
    while (next < jobs && seconds(start) < limit) {
      const number = next;
      next += 1;
      await client.enqueue(order(number));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return { jobs: next, seconds: seconds(start) };
}

/** One caller, `BULK` jobs a call. */
async function bulk(peer, { jobs, limit, store, mode }) {
  const client = await peer.open(store, mode);
  let done = 0;
  const start = performance.now();
  while (done < jobs && seconds(start) < limit) {
    const size = Math.min(BULK, jobs - done);
    await client.bulk(Array.from({ length: size }, (_, index) => order(done + index)));
    done += size;
  }
  return { jobs: done, seconds: seconds(start) };
}

/**
 * One worker over a backlog of `jobs`: from the first handler to the moment when the store has no
 * unfinished job. Past the limit, over what has run by then.
 */
async function drain(peer, { jobs, limit, store, mode }) {
  const client = await peer.open(store, mode);
  let first;
  let done = 0;
  let end;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, limit * 1000);
  await peer.work(store, mode, {
    started: () => {
      first ??= performance.now();
    },
    finished: (count) => {
      done += count;
      if (done >= jobs) end();
    },
  });
  await ended;
  clearTimeout(timer);
  while (done >= jobs && !(await client.empty())) await sleep(1);
  return { jobs: done, seconds: first === undefined ? limit : seconds(first) };
}

/** From the enqueue call to the start of the handler, on an idle system. */
async function latency(peer, { jobs, store, mode }) {
  const client = await peer.open(store, mode);
  const called = [];
  const waits = [];
  await peer.work(store, mode, {
    started: (job) => {
      const number = numberOf(job);
      if (number >= WARM) waits.push(performance.now() - called[number]);
    },
    finished: () => {},
  });
  await sleep(1000);
  const start = performance.now();
  const answers = [];
  for (let number = 0; number < WARM + jobs; number += 1) {
    await sleep(Math.max(0, start + number * GAP_MS - performance.now()));
    called[number] = performance.now();
    answers.push(client.enqueue(order(number)));
  }
  await Promise.all(answers);
  for (let waited = 0; waits.length < jobs && waited < STRAGGLERS_MS; waited += 50) await sleep(50);
  if (waits.length < jobs) throw new Error(`only ${waits.length} of ${jobs} jobs started`);
  waits.sort((a, b) => a - b);
  const at = (part) => waits[Math.ceil(part * waits.length) - 1];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const PHASES = {
  settings: async (peer, { mode }) => ({ settings: peer.settings(mode) }),
  enqueue_1: (peer, run) => enqueue(peer, run, 1, 100),
  enqueue_64: (peer, run) => enqueue(peer, run, 64, 100),
  bulk,
  drain,
  latency,
};

/**
 * Runs the phase that the command line names.
 *
 * A peer has `settings(mode)` (versions and what was chosen, one line); `open(store, mode)`, a
 * client with `enqueue(job)`, `bulk(jobs)` and `empty()` (no job waits or runs); and
 * `work(store, mode, watch)`, which starts a worker that calls `watch.started(job)` and
 * `watch.finished(count)`.
 */
export async function main(peer) {
  const [phase, jobs, limit, store, mode] = process.argv.slice(2);
  try {
    const result = await PHASES[phase](peer, { jobs: Number(jobs), limit: Number(limit), store, mode });
    process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

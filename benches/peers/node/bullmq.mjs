// BullMQ on Redis. One connection for callers, as `Queue` has it; the worker's concurrency is the
// best of 16, 64, 256 and 1000 tried. A finished job is removed, the fastest of its choices.

import { createRequire } from 'node:module';
import { Queue, Worker } from 'bullmq';
import { main } from './measure.mjs';

const NAME = 'mail';
const CONCURRENCY = 256;
const { version } = createRequire(import.meta.url)('bullmq/package.json');

function connection(store) {
  const url = new URL(store);
  return {
    host: url.hostname,
    port: Number(url.port),
    password: url.password,
    maxRetriesPerRequest: null,
  };
}

await main({
  settings: () => `BullMQ ${version}, addBulk, concurrency ${CONCURRENCY}, removeOnComplete`,

  async open(store) {
    const queue = new Queue(NAME, {
      connection: connection(store),
      defaultJobOptions: { removeOnComplete: true },
    });
    await queue.waitUntilReady();
    return {
      enqueue: (job) => queue.add(NAME, job),
      bulk: (jobs) => queue.addBulk(jobs.map((data) => ({ name: NAME, data }))),
      empty: async () => {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        return Object.values(counts).every((count) => count === 0);
      },
    };
  },

  async work(store, mode, watch) {
    const worker = new Worker(NAME, async (job) => watch.started(job.data), {
      connection: connection(store),
      concurrency: CONCURRENCY,
    });
    worker.on('completed', () => watch.finished(1));
    worker.on('error', (error) => console.error(error));
    await worker.waitUntilReady();
  },
});

// graphile-worker on PostgreSQL. MODE `plain` fetches and completes each job by a statement of its
// own, as it does unless told otherwise; `batched` turns on its local queue and the batching of
// completions.

import { createRequire } from 'node:module';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { main } from './measure.mjs';

const TASK = 'mail';
const CALLERS = 16;
const { version } = createRequire(import.meta.url)('graphile-worker/package.json');
const MODES = {
  plain: { concurrentJobs: 24, maxPoolSize: 24 },
  batched: {
    concurrentJobs: 64,
    maxPoolSize: 24,
    localQueue: { size: 1000 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};
const quiet = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message);
});

await main({
  settings: (mode) => {
    const { concurrentJobs, localQueue } = MODES[mode];
    const batching = localQueue ? `, localQueue ${localQueue.size}, completeJobBatchDelay 0` : '';
    return `graphile-worker ${version}, addJobs, ${CALLERS} connections to enqueue, concurrentJobs ${concurrentJobs}${batching}`;
  },

  async open(store) {
    const pgPool = new pg.Pool({ connectionString: store, max: CALLERS });
    pgPool.on('error', (error) => console.error(error));
    pgPool.on('connect', (client) => client.on('error', (error) => console.error(error)));
    const utils = await makeWorkerUtils({ pgPool, logger: quiet });
    await utils.migrate();
    return {
      enqueue: (job) => utils.addJob(TASK, job),
      bulk: (jobs) => utils.addJobs(jobs.map((payload) => ({ identifier: TASK, payload }))),
      empty: async () => {
        const { rows } = await pgPool.query(
          'select not exists (select 1 from graphile_worker._private_jobs) as empty',
        );
        return rows[0].empty;
      },
    };
  },

  async work(store, mode, watch) {
    await run({
      preset: { worker: { connectionString: store, logger: quiet, ...MODES[mode] } },
      taskList: {
        [TASK]: async (job) => {
          watch.started(job);
          watch.finished(1);
        },
      },
    });
  },
});

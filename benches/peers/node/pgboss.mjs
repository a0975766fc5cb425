// pg-boss on PostgreSQL. It polls, at most twice a second; while a backlog lasts, a handler asks
// for the next batch at once (`notifyWorker`), as its manual offers. The best of 1 to 8 workers and
// batches of 50 to 2,000 tried.

import { createRequire } from 'node:module';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { main } from './measure.mjs';

const QUEUE = 'mail';
const WORKERS = 4;
const BATCH = 500;
const CONNECTIONS = 16;
const { version } = createRequire(import.meta.url)('pg-boss/package.json');

async function start(store) {
  const boss = new PgBoss({ connectionString: store, max: CONNECTIONS });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE);
  return boss;
}

await main({
  settings: () =>
    `pg-boss ${version}, insert, ${CONNECTIONS} connections, ${WORKERS} workers, batchSize ${BATCH}, poll 0.5 s and at once after a batch`,

  async open(store) {
    const boss = await start(store);
    const reader = new pg.Pool({ connectionString: store, max: 1 });
    return {
      enqueue: (job) => boss.send(QUEUE, job),
      bulk: (jobs) => boss.insert(jobs.map((data) => ({ name: QUEUE, data }))),
      empty: async () => {
        const { rows } = await reader.query(
          "select not exists (select 1 from pgboss.job where name = $1 and state < 'completed') as empty",
          [QUEUE],
        );
        return rows[0].empty;
      },
    };
  },

  async work(store, mode, watch) {
    const boss = await start(store);
    for (let index = 0; index < WORKERS; index += 1) {
      const id = await boss.work(
        QUEUE,
        { batchSize: BATCH, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          for (const job of jobs) watch.started(job.data);
          watch.finished(jobs.length);
          if (jobs.length === BATCH) boss.notifyWorker(id);
        },
      );
    }
  },
});

// beanstalkd, over a small client of its protocol: commands may follow one another on a
// connection, and answers come back in their order.

import { connect } from 'node:net';
import { main } from './measure.mjs';

const CALLERS = 64;
const WORKERS = 64;
/** Priority, delay and time to run of every job. */
const PUT = '1000 0 60';

/** One connection. `ask` sends a command and resolves with its answer's words and body. */
class Connection {
  #socket;
  #waiting = [];
  #data = Buffer.alloc(0);

  static async open(store) {
    const { hostname, port } = new URL(store);
    const connection = new Connection();
    connection.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise((resolve, reject) => {
      connection.#socket.once('connect', resolve).once('error', reject);
    });
    connection.#socket.on('data', (chunk) => connection.#read(chunk));
    return connection;
  }

  ask(command) {
    this.#socket.write(command);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #read(chunk) {
    this.#data = this.#data.length === 0 ? chunk : Buffer.concat([this.#data, chunk]);
    let at = 0;
    for (;;) {
      const end = this.#data.indexOf('\r\n', at);
      if (end < 0) break;
      const words = this.#data.toString('latin1', at, end).split(' ');
      let next = end + 2;
      let body;
      if (words[0] === 'RESERVED' || words[0] === 'OK') {
        const size = Number(words.at(-1));
        if (this.#data.length < next + size + 2) break;
        body = this.#data.toString('utf8', next, next + size);
        next += size + 2;
      }
      at = next;
      this.#answer(words, body);
    }
    this.#data = this.#data.subarray(at);
  }

  #answer(words, body) {
    const { resolve, reject } = this.#waiting.shift();
    if (['INSERTED', 'RESERVED', 'DELETED', 'OK'].includes(words[0])) resolve({ words, body });
    else reject(new Error(`beanstalkd answered ${words.join(' ')}`));
  }
}

function put(job) {
  const body = JSON.stringify(job);
  return `put ${PUT} ${Buffer.byteLength(body)}\r\n${body}\r\n`;
}

/** Reserve and delete until the program ends; the next reserve goes out with the delete. */
async function loop(connection, watch) {
  let reserved = connection.ask('reserve\r\n');
  for (;;) {
    const { words, body } = await reserved;
    watch.started(JSON.parse(body));
    const deleted = connection.ask(`delete ${words[1]}\r\n`);
    reserved = connection.ask('reserve\r\n');
    await deleted;
    watch.finished(1);
  }
}

await main({
  settings: () => `put pipelined for bulk, ${CALLERS} connections to enqueue, ${WORKERS} to work`,

  async open(store) {
    const connections = await Promise.all(
      Array.from({ length: CALLERS }, () => Connection.open(store)),
    );
    let turn = 0;
    return {
      enqueue: (job) => {
        turn = (turn + 1) % CALLERS;
        return connections[turn].ask(put(job));
      },
      bulk: (jobs) => Promise.all(jobs.map((job) => connections[0].ask(put(job)))),
      empty: async () => {
        const { body } = await connections[0].ask('stats\r\n');
        return /current-jobs-ready: 0\b/.test(body) && /current-jobs-reserved: 0\b/.test(body);
      },
    };
  },

  async work(store, mode, watch) {
    for (let index = 0; index < WORKERS; index += 1) {
      loop(await Connection.open(store), watch).catch((error) => {
        console.error(error);
        process.exit(1);
      });
    }
  },
});

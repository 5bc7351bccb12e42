// A worker of the queue that takes what comes and never ends it. Built code: it is forked by tests that kill or freeze it.
import { postgresTransport, redisTransport } from '../../dist/modules/jobs/transport/bullmq-transport.js';

const { kind, url, lockMs, stalledLookMs } = JSON.parse(process.argv[2]);
const ignore = () => {};
const times = { lockMs, stalledLookMs };
const transport =
  kind === 'redis' ? redisTransport([url], ignore, times) : postgresTransport(url, 'gantry_app', ignore, times);
await transport.work(async (id) => {
  process.send(id);
  await new Promise(() => {});
}, 50);
process.send('ready');
process.once('disconnect', () => process.exit());

import { expect, it } from 'vitest';
import { Metrics } from '../../../infra/telemetry/metrics.js';
import { logMeterOf } from './log-meter.js';

it('counts what the log does, each under a name of its own', async () => {
  const metrics = new Metrics([]);
  const meter = logMeterOf(metrics);
  meter.appended(3);
  meter.appended(4);
  meter.script();
  for (let times = 1; times <= 2; times++) meter.retried();
  for (let times = 1; times <= 3; times++) meter.read();
  for (let times = 1; times <= 4; times++) meter.rescued();
  for (let times = 1; times <= 5; times++) meter.rolledBack();
  const counted = [...(await metrics.text()).matchAll(/^gantry_session_log_(\w+)_total (\d+)$/gm)];
  expect(Object.fromEntries(counted.map(([, name, value]) => [name, Number(value)]))).toEqual({
    events: 7,
    writes: 1,
    retries: 2,
    reads: 3,
    rescues: 4,
    rollbacks: 5,
  });
});

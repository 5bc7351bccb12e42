import { get } from 'node:http';

/**
 * Reads progress events that say when they were made, from an event stream.
 * @param opened called when the stream's head has come
 * @returns `{micros, faults}`: how long each took to arrive, and how many were lost, doubled or out of order
 */
export function readEvents({ url, headers, count, deadlineMs, opened }) {
  return new Promise((resolve, reject) => {
    const micros = [];
    let faults = 0;
    let last = 0;
    let rest = '';
    const request = get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream answered ${response.statusCode}`));
      opened?.();
      response.setEncoding('latin1').on('data', (text) => {
        const now = process.hrtime.bigint();
        const frames = (rest + text).split('\n\n');
        rest = frames.pop();
        for (const frame of frames) {
          const made = /"progress":(\d+)\b.*"message":"(\d+)"/.exec(frame);
          if (made === null) continue;
          if (Number(made[1]) !== last + 1) faults += 1;
          last = Number(made[1]);
          micros.push(Number(now - BigInt(made[2])) / 1_000);
        }
        if (last >= count) finish();
      });
      response.once('close', finish);
    });
    const timer = setTimeout(finish, deadlineMs);
    request.once('error', reject);
    function finish() {
      clearTimeout(timer);
      request.destroy();
      resolve({ micros, faults: faults + (count - last) });
    }
  });
}

/** A percentile of unsorted numbers. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

// Loaded into Gantry's process before it starts: the tool `progress` answers in place, as it does in every other server here.
// Its runner is otherwise a sandbox, and what is measured is the way of an event through the platform.
import { Runners } from '../../apps/api/dist/modules/tools/runners/runners.js';

const { run } = Runners.prototype;

Runners.prototype.run = function (call, context) {
  return call.tool.definition.name === 'progress' ? progress(call.arguments, context) : run.call(this, call, context);
};

/** With `delayMs` each event says when it was made, by the clock that all processes of a machine share. */
async function progress({ n, everyMs = 0, delayMs }, context) {
  const stamped = delayMs !== undefined;
  if (stamped) await new Promise((resolve) => setTimeout(resolve, delayMs));
  for (let done = 1; done <= n; done += 1) {
    context.progress(done, n, stamped ? String(process.hrtime.bigint()) : undefined);
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return { content: [{ type: 'text', text: 'done' }] };
}

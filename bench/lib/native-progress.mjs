// Loaded into Gantry's process before it starts: the tool `progress` answers in place, as it does in every other server here.
// Its runner is otherwise a sandbox, and what is measured is the way of an event through the platform.
import { Runners } from '../../apps/api/dist/modules/tools/runners/runners.js';

const { run } = Runners.prototype;

Runners.prototype.run = function (call, context) {
  return call.tool.definition.name === 'progress' ? progress(call.arguments.n, context) : run.call(this, call, context);
};

async function progress(n, context) {
  for (let done = 1; done <= n; done += 1) {
    context.progress(done, n);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { content: [{ type: 'text', text: 'done' }] };
}

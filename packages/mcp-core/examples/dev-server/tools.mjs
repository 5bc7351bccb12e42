import { randomUUID } from 'node:crypto';
import { McpServer, RunFailure } from '@gantry/mcp-core';
import { Repl } from './repl.mjs';

/** Sessions, and engines kept for them. */
const MAX_SESSIONS = 32;

const named = (name) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

/** The tools an agent looks at the app with. */
export function devTools(app, { pageSize = 50, repl: limits } = {}) {
  const server = new McpServer(
    { name: 'dev-server', version: '1.0.0' },
    { settings: { maxSessions: MAX_SESSIONS, pageSize }, instructions: 'Look at the app before you change it.' },
  );
  const json = (value) => ({ content: [], structuredContent: value });
  const found = (what, name, value) => {
    if (value === undefined) throw new RunFailure(`There is no ${what} ${name}`);
    return value;
  };
  const component = (name) => found('component', name, app.component(name));
  const repls = new Repls(() => Repl.create({ app: { ...app.info, routes: app.routes } }, limits));
  return server
    .tool('list_routes', { description: 'Paths and what they show' }, () => json({ routes: app.routes }))
    .tool('describe_component', { description: 'What a component is for', inputSchema: named('name') }, ({ name }) =>
      json(component(name)),
    )
    .tool('source_location', { description: 'Where a component is written', inputSchema: named('name') }, ({ name }) =>
      json(component(name).source),
    )
    .tool('docs', { description: 'What is written on a topic', inputSchema: named('topic') }, ({ topic }) =>
      found('topic', topic, app.docs(topic)),
    )
    .tool('app_info', { description: 'The app at a glance' }, () => json(app.info))
    .tool('reloader_status', { description: 'The last reload and how it ended' }, () => json(app.reloader))
    .tool('reload', { description: 'Reads the app anew' }, () => json(app.reload()))
    .tool(
      'render',
      {
        description: 'What a path shows',
        inputSchema: { ...named('path'), properties: { path: { type: 'string' }, props: { type: 'object' } } },
      },
      ({ path, props = {} }) => found('route', path, app.render(path, props)),
    )
    .tool(
      'eval',
      {
        description:
          'Runs JavaScript beside the app, which it sees as `app`. Declarations last as long as the session.',
        inputSchema: named('code'),
        stateful: true,
      },
      async ({ code }, context) => {
        const repl = await repls.of(context.state);
        const { text, failed } = repl.eval(code);
        if (context.state === undefined) repl.dispose();
        return { content: [{ type: 'text', text }], isError: failed };
      },
    );
}

/** Engines by the key that a session's state holds. The one unused for longest makes room for a new one. */
class Repls {
  #kept = new Map();

  constructor(make) {
    this.make = make;
  }

  /** A client without session gets an engine that nobody else will see. */
  async of(state) {
    if (state === undefined) return this.make();
    state.repl ??= randomUUID();
    const repl = this.#kept.get(state.repl) ?? (await this.make());
    this.#kept.delete(state.repl);
    this.#kept.set(state.repl, repl);
    const [[oldest, unused]] = this.#kept;
    if (this.#kept.size > MAX_SESSIONS) {
      this.#kept.delete(oldest);
      unused.dispose();
    }
    return repl;
  }
}

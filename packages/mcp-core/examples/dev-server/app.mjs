// A small app to look at: components that render text, routes that show them, and a reloader that reads them anew.

/** What the app is made of, as its source files would give it. Read anew by each reload. */
function readSources(generation) {
  const file = 'app.mjs';
  return {
    routes: [
      { path: '/', component: 'Home' },
      { path: '/greet', component: 'Greeting' },
    ],
    components: {
      Home: {
        doc: 'The first page.',
        props: {},
        file,
        line: 12,
        render: () => `<h1>Home, read ${generation} times</h1>`,
      },
      Greeting: {
        doc: 'Greets somebody by name.',
        props: { name: 'string' },
        file,
        line: 19,
        render: ({ name = 'you' }) => `<p>Hello, ${name}!</p>`,
      },
    },
  };
}

const DOCS = {
  routing: 'A route shows one component. Properties of the component come from the query.',
  reloading: 'A reload reads all components anew. If one of them is broken, the app stays as it was.',
};

export class App {
  #sources;
  #status = { state: 'idle', generation: 0 };

  /** @param read reads the sources; it is given the number of this reading, from 1 */
  constructor(read = readSources) {
    this.read = read;
    this.reload();
  }

  get info() {
    const { routes, components } = this.#sources;
    return { name: 'demo', routes: routes.length, components: Object.keys(components), topics: Object.keys(DOCS) };
  }

  get routes() {
    return this.#sources.routes;
  }

  get reloader() {
    return this.#status;
  }

  /** Undefined when there is no such component. */
  component(name) {
    const { components, routes } = this.#sources;
    if (!Object.hasOwn(components, name)) return undefined;
    const { doc, props, file, line } = components[name];
    const shownAt = routes.filter(({ component }) => component === name).map(({ path }) => path);
    return { name, doc, props, shownAt, source: { file, line } };
  }

  /** Undefined when there is no such topic. */
  docs(topic) {
    return Object.hasOwn(DOCS, topic) ? DOCS[topic] : undefined;
  }

  /** What a route shows; undefined when there is no such route. */
  render(path, props) {
    const route = this.#sources.routes.find((each) => each.path === path);
    return route && this.#sources.components[route.component].render(props);
  }

  reload() {
    const generation = this.#status.generation + 1;
    try {
      this.#sources = this.read(generation);
      this.#status = { state: 'idle', generation };
    } catch (error) {
      if (this.#sources === undefined) throw error;
      this.#status = { ...this.#status, state: 'broken', error: error.message };
    }
    return this.#status;
  }
}

// node examples/dev-server/main.mjs [port]
import { App } from './app.mjs';
import { serve } from './serve.mjs';
import { devTools } from './tools.mjs';

const served = await serve(devTools(new App()), Number(process.argv[2] ?? 4321));
console.log(`An agent may look at the app at ${served.url}`);
process.once('SIGINT', () => served.close());
process.once('SIGTERM', () => served.close());

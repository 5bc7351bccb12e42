// npm start: everything, from a clean clone.
import { run } from './lib/paths.mjs';
import { serve } from './lib/serve.mjs';

run(async () => {
  process.exit(await serve());
});

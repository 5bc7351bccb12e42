// A start that takes the build as it is, for tests of what comes after.
import { run } from '../lib/paths.mjs';
import { serve } from '../lib/serve.mjs';

run(async () => {
  process.exit(await serve({ workspaces: [] }));
});

import type { Method } from '../method.js';

export const promptsList: Method = {
  name: 'prompts/list',
  needs: 'prompts',
  answer: ({ cursor }, { extra: { server, revision } }) => server.page('prompts', revision, cursor),
};

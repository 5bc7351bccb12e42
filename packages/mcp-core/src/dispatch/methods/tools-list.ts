import type { Method } from '../method.js';

export const toolsList: Method = {
  name: 'tools/list',
  answer: ({ cursor }, { extra: { server, revision } }) => server.page('tools', revision, cursor),
};

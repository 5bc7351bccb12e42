import type { Method } from '../method.js';

export const resourcesList: Method = {
  name: 'resources/list',
  needs: 'resources',
  answer: ({ cursor }, { extra: { server, revision } }) => server.page('resources', revision, cursor),
};

export const resourcesTemplatesList: Method = {
  name: 'resources/templates/list',
  needs: 'resources',
  answer: ({ cursor }, { extra: { server, revision } }) => server.page('resourceTemplates', revision, cursor),
};

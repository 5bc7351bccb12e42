import type { Method } from '../method.js';

export const ping: Method = { name: 'ping', answer: () => ({}) };

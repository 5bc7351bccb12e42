// `fs` with the name that the suite's bundle imports and Node 20 does not have. Only a command we do not use calls it.
export * from 'node:fs';
export { default } from 'node:fs';

export function globSync() {
  throw new Error('globSync is not there in this version of Node');
}

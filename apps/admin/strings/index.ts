import { access } from './access';
import { auth } from './auth';
import { common, shell } from './common';
import { connect } from './connect';
import { content } from './content';
import { editor } from './editor';
import { jobs } from './jobs';
import { live } from './live';
import { nodes } from './nodes';
import { playground } from './playground';
import { prompts } from './prompts';
import { questions } from './questions';
import { resources } from './resources';
import { servers } from './servers';
import { sessions } from './sessions';
import { tools } from './tools';
import { tryIt } from './try-it';

/** Every text the console shows, by screen. Error codes and names of the protocol are never translated. */
export const t = {
  access,
  auth,
  common,
  connect,
  content,
  editor,
  jobs,
  live,
  nodes,
  playground,
  prompts,
  questions,
  resources,
  servers,
  sessions,
  shell,
  tools,
  tryIt,
} as const;

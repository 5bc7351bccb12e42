// What is asked, and how its answers are known to be right.
import { call, IDMARK, template } from './requests.mjs';

const MESSAGE = 'hello, world: the quick brown fox';
const TOOLS = 21;
const EVENTS = 10;

const isProgress = ({ method }) => method === 'notifications/progress';

/**
 * By name: `tpl` makes the requests of a session, `full` judges the messages of one answer, `marker` and `count` (of
 * progress events) each answer's bytes, which is cheap enough to be done at full rate.
 */
export const SCENARIOS = {
  call: {
    tpl: (session) => call(session, 'echo', { msg: MESSAGE }),
    marker: MESSAGE,
    full: (messages) => messages.at(-1).result.content[0].text === MESSAGE,
  },
  list: {
    tpl: (session) => template(session, 'tools/list'),
    marker: '"inputSchema"',
    full: (messages) => messages.at(-1).result.tools.length >= TOOLS,
  },
  progress: {
    tpl: (session) => call(session, 'progress', { n: EVENTS }, { progressToken: IDMARK }),
    marker: '"done"',
    count: EVENTS,
    full: (messages) => messages.filter(isProgress).length >= EVENTS,
  },
};

export function isRight({ marker, count }, status, body) {
  if (status !== 200) return false;
  if (count !== undefined && countOf(body, 'notifications/progress') < count) return false;
  return body.includes(marker, 0, 'latin1');
}

export function isWholly({ full }, { status, head, body }) {
  try {
    return status === 200 && full(messagesOf(head, body)) === true;
  } catch {
    return false;
  }
}

function messagesOf(head, body) {
  const text = body.toString();
  if (!head.includes('text/event-stream')) return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 6);
  return lines.map((line) => JSON.parse(line.slice(5)));
}

function countOf(buffer, text) {
  let count = 0;
  for (let at = buffer.indexOf(text); at >= 0; at = buffer.indexOf(text, at + text.length)) count++;
  return count;
}

import type { CatalogueTool } from '../ports/catalogue.js';
import { InputNeeded, type RunContext } from '../ports/tool-runner.js';
import type { InputRequest } from '../protocol/types.js';
import { fixtureTool, text } from './fixture-server.js';

/** A form with one required text field. */
export function formFor(field: string): InputRequest {
  const requestedSchema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] };
  return { method: 'elicitation/create', params: { message: `What is your ${field}?`, requestedSchema } };
}

/** Questions of every kind, sound in every revision that has their kind. */
export const QUESTIONS = {
  name: formFor('name'),
  page: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' } },
  capital: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }], maxTokens: 10 },
  },
  places: { method: 'roots/list' },
} as const satisfies Record<string, InputRequest>;

/** Asks every question that has no answer yet, all in one round, and then tells the answers as JSON. */
export function asksFor(name: string, questions: Readonly<Record<string, InputRequest>>): CatalogueTool {
  return fixtureTool(name, (_args, context) => unanswered(questions, context) ?? told(context));
}

/** The round of questions that are still open; undefined when none is. */
export function unanswered(
  questions: Readonly<Record<string, InputRequest>>,
  { inputs }: RunContext,
): InputNeeded | undefined {
  const open = Object.entries(questions).filter(([key]) => !Object.hasOwn(inputs.answers, key));
  return open.length === 0 ? undefined : new InputNeeded(Object.fromEntries(open));
}

function told({ inputs }: RunContext) {
  return text(JSON.stringify(inputs.answers));
}

/** Tools that ask before they answer. */
export function askingTools(): CatalogueTool[] {
  return [
    asksFor('ask_name', { name: QUESTIONS.name }),
    asksFor('ask_page', { page: QUESTIONS.page }),
    asksFor('ask_capital', { capital: QUESTIONS.capital }),
    asksFor('ask_places', { places: QUESTIONS.places }),
    asksFor('ask_several', { name: QUESTIONS.name, capital: QUESTIONS.capital, places: QUESTIONS.places }),
    fixtureTool('ask_in_turn', (_args, context) => {
      const { kept } = context.inputs;
      context.progress(Object.keys(kept).length + 1);
      const round = Object.keys(context.inputs.answers).length + 1;
      if (round > 2) return text(JSON.stringify({ ...context.inputs, responses: undefined }));
      const questions = { [`step${round}`]: formFor(`word${round}`) };
      return new InputNeeded(questions, { after: round }, { [`effect${round}`]: round });
    }),
  ];
}

import type { InputRequest } from '../../protocol/types.js';
import { blocksOf, messagesOf, type QuestionRules } from '../questions.js';
import { questions as newer } from '../rev-2025-03-26/questions.js';

/** Nothing is asked with sound yet. */
export const questions: QuestionRules = {
  carried(question, newId): InputRequest | string {
    const sounds = messagesOf(question.params ?? {}).some(({ content }) =>
      blocksOf(content).some(({ type }) => type === 'audio'),
    );
    if (question.method === 'sampling/createMessage' && sounds) {
      return 'sampling with audio needs a client of 2025-03-26 or later';
    }
    return newer.carried(question, newId);
  },
  undeclared: newer.undeclared,
};

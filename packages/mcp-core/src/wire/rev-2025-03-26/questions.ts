import type { InputRequest } from '../../protocol/types.js';
import type { QuestionRules } from '../questions.js';
import { questions as newer, olderSampling } from '../rev-2025-06-18/questions.js';

/** There is no elicitation yet. */
export const questions: QuestionRules = {
  carried({ method, params = {} }): InputRequest | string {
    if (method === 'elicitation/create') return 'elicitation needs a client of 2025-06-18 or later';
    return method === 'sampling/createMessage' ? olderSampling(params) : { method };
  },
  undeclared: newer.undeclared,
};

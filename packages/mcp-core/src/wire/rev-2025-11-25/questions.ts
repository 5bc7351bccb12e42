import type { InputRequest } from '../../protocol/types.js';
import { type QuestionRules, undeclared } from '../questions.js';

/** Questions are requests; one in url mode has an id, so that its page's end can be told apart from its answer. */
export const questions: QuestionRules = {
  carried(question, newId): InputRequest {
    const { method, params } = question;
    if (params?.mode !== 'url' || typeof params.elicitationId === 'string') return question;
    return { method, params: { ...params, elicitationId: newId() } };
  },
  undeclared,
};

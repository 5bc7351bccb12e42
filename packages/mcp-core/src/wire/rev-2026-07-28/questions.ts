import { without } from '../projection.js';
import { type QuestionRules, undeclared } from '../questions.js';

/** Questions ride in `input_required` results, without ids of their own: the retry says how they ended. */
export const questions: QuestionRules = {
  carried: (question) =>
    question.params?.elicitationId === undefined
      ? question
      : { method: question.method, params: without(question.params, 'elicitationId') },
  undeclared,
};

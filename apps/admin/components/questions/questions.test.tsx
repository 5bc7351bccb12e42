import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { InputRequest } from '@/lib/questions/requests';
import { Question } from './question';
import { QuestionRound } from './question-round';

afterEach(cleanup);

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const fill = (name: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });

function ask(request: InputRequest) {
  const onAnswer = vi.fn();
  const onRefuse = vi.fn();
  render(<Question request={request} onAnswer={onAnswer} onRefuse={onRefuse} />);
  return { onAnswer, onRefuse };
}

const form: InputRequest = {
  method: 'elicitation/create',
  params: {
    message: 'Which environment?',
    requestedSchema: {
      type: 'object',
      properties: {
        env: { type: 'string', oneOf: [{ const: 'p', title: 'Production' }] },
        count: { type: 'integer', default: 2 },
        parts: { type: 'array', items: { type: 'string', enum: ['api', 'web'] } },
        sure: { type: 'boolean' },
      },
      required: ['env'],
    },
  },
};

describe('a form elicitation', () => {
  it('shows what is asked, and accepts typed values', () => {
    const { onAnswer } = ask(form);
    expect(screen.getByText('Which environment?')).toBeTruthy();
    fill(/^env/, 'p');
    fill(/^count/, '5');
    fireEvent.click(screen.getByLabelText('web'));
    fill(/^sure/, 'true');
    click('Accept');
    expect(onAnswer).toHaveBeenCalledWith({
      action: 'accept',
      content: { env: 'p', count: 5, parts: ['web'], sure: true },
    });
  });

  it('does not accept a form with a fault, and says which', () => {
    const { onAnswer } = ask(form);
    click('Accept');
    expect(onAnswer).not.toHaveBeenCalled();
    expect(screen.getByLabelText(/^env/).getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(screen.getByLabelText(/^env/));
  });

  it('can be declined and cancelled whatever it holds', () => {
    const { onAnswer } = ask(form);
    click('Decline');
    click('Cancel');
    expect(onAnswer.mock.calls).toEqual([[{ action: 'decline' }], [{ action: 'cancel' }]]);
  });
});

describe('a url elicitation', () => {
  it('shows the host and opens the page apart from this one', () => {
    const { onAnswer } = ask({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://pay.example.com/a?b=1', message: 'Pay' },
    });
    expect(screen.getByText('pay.example.com')).toBeTruthy();
    const link = screen.getByRole('link', { name: /Open/ });
    expect(link.getAttribute('href')).toBe('https://pay.example.com/a?b=1');
    expect(link.getAttribute('rel')).toContain('noopener');
    click('Accept');
    expect(onAnswer).toHaveBeenCalledWith({ action: 'accept' });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'nonsense'])('makes no link of %s', (url) => {
    ask({ method: 'elicitation/create', params: { mode: 'url', url, message: 'Go' } });
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('sampling', () => {
  const request: InputRequest = {
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up' } }],
      systemPrompt: 'Be brief',
      tools: [{ name: 'look_up', description: 'Looks up' }],
      maxTokens: 50,
    },
  };

  it('shows messages and tools, and answers as the model the person names', () => {
    const { onAnswer } = ask(request);
    for (const text of ['Sum it up', 'Be brief', 'look_up']) expect(screen.getByText(text)).toBeTruthy();
    fill('Answer text', 'Short.');
    fill('Model name', 'me');
    click('Answer');
    expect(onAnswer).toHaveBeenCalledWith({
      role: 'assistant',
      content: { type: 'text', text: 'Short.' },
      model: 'me',
      stopReason: 'endTurn',
    });
  });

  it('can be refused', () => {
    const { onAnswer, onRefuse } = ask(request);
    click('Refuse');
    expect(onRefuse).toHaveBeenCalledOnce();
    expect(onAnswer).not.toHaveBeenCalled();
  });
});

describe('roots', () => {
  it('takes file URIs, one a line, and nothing else', () => {
    const { onAnswer } = ask({ method: 'roots/list' });
    fill('Folders', 'https://example.com');
    click('Answer');
    expect(onAnswer).not.toHaveBeenCalled();
    fill('Folders', 'file:///home/ada/work/\nfile:///tmp');
    click('Answer');
    expect(onAnswer).toHaveBeenCalledWith({
      roots: [
        { uri: 'file:///home/ada/work/', name: 'work' },
        { uri: 'file:///tmp', name: 'tmp' },
      ],
    });
  });

  it('may be none', () => {
    const { onAnswer } = ask({ method: 'roots/list' });
    click('Answer');
    expect(onAnswer).toHaveBeenCalledWith({ roots: [] });
  });
});

describe('a round of questions', () => {
  const roots = { method: 'roots/list' };

  it('goes back at once when it is a single one', () => {
    const onDone = vi.fn();
    render(<QuestionRound asked={{ inputRequests: { a: roots } }} onDone={onDone} onRefuse={vi.fn()} />);
    click('Answer');
    expect(onDone).toHaveBeenCalledWith({ a: { roots: [] } });
  });

  it('goes back whole when all are answered, and lets an answer be changed before', () => {
    const onDone = vi.fn();
    render(<QuestionRound asked={{ inputRequests: { a: roots, b: roots } }} onDone={onDone} onRefuse={vi.fn()} />);
    fireEvent.click(screen.getAllByRole('button', { name: 'Answer' })[0]!);
    expect(screen.getByRole('button', { name: 'Send answers' }).hasAttribute('disabled')).toBe(true);
    click('Change');
    expect(screen.getAllByRole('button', { name: 'Answer' })).toHaveLength(2);
    for (let left = 2; left > 0; left -= 1) fireEvent.click(screen.getAllByRole('button', { name: 'Answer' })[0]!);
    click('Send answers');
    expect(onDone).toHaveBeenCalledWith({ a: { roots: [] }, b: { roots: [] } });
  });
});

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { TimeAgo } from './time-ago';

afterEach(cleanup);
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('TimeAgo', () => {
  it('tells how far a moment lies back or ahead', () => {
    render(
      <>
        <TimeAgo at={inMs(-2 * 3_600_000)} />
        <TimeAgo at={inMs(90 * 86_400_000)} />
      </>,
    );
    expect(screen.getByText('2 hr. ago')).toBeTruthy();
    expect(screen.getByText('in 3 mo.')).toBeTruthy();
  });

  it('never puts what just happened into the future', () => {
    render(<TimeAgo at={inMs(40_000)} />);
    expect(screen.getByText('just now')).toBeTruthy();
  });
});

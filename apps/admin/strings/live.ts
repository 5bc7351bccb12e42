export const live = {
  states: {
    idle: 'Not live',
    connecting: 'Connecting',
    live: 'Live',
    reconnecting: 'Reconnecting',
    delayed: 'Delayed',
    paused: 'Paused',
    closed: 'Closed',
  },
  hints: {
    idle: 'Nothing on this page is live.',
    connecting: 'The stream is being opened.',
    live: 'Changes appear as they happen.',
    reconnecting: 'The stream broke. It goes on where it was, without gaps, as soon as it is back.',
    delayed: 'The stream stays away: the page asks again every 10 seconds.',
    paused: 'The stream is closed. Resume goes on where it was.',
    closed: 'Your session has ended.',
  },
  pause: 'Pause',
  resume: 'Resume',
  showNew: (n: number) => `Show ${n} new`,
} as const;

export const auth = {
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  signInHint: 'Use the account of this installation.',
  expired: 'Your session has ended. Sign in again to go on where you were.',
  email: 'E-mail',
  password: 'Password',
  name: 'Your name',
  wrong: 'E-mail or password is wrong',
  wrongHint: 'Nothing was changed. After several wrong attempts the account is locked for a while.',
  locked: 'Locked after too many attempts',
  lockedHint: (seconds: number | undefined) =>
    seconds
      ? `Try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`
      : 'Try again in a few minutes.',
  signInFailed: 'Signing in did not work',
  setupTitle: 'Set up this installation',
  setupHint: 'Creates the first operator. This page is gone afterwards.',
  adminToken: 'Admin token',
  adminTokenHint:
    'Printed by the first start in a terminal, and kept in the file admin-token of the data folder; or the value of GANTRY_ADMIN_TOKEN.',
  passwordHint: 'At least 12 characters. A sentence is fine.',
  createOperator: 'Create operator and sign in',
  creating: 'Creating…',
  setupFailed: 'The operator was not created',
  show: 'Show',
  hide: 'Hide',
} as const;

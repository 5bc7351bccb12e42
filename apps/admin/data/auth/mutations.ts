import { sendRequest } from '@/lib/api/client';

export interface SignInForm {
  email: string;
  password: string;
}

export interface SetupForm extends SignInForm {
  adminToken: string;
  name: string;
}

/** The session lands in an HttpOnly cookie; the page never sees it. */
export const signIn = (form: SignInForm) => sendRequest('POST', '/api/session', { body: form });
export const setUp = (form: SetupForm) => sendRequest('POST', '/api/setup', { body: form });
export const signOut = () => sendRequest('DELETE', '/api/session');

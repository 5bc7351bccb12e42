/** What a server does not have, under the tabs of that server, where the rest of it is. */
export { default } from '../../not-found';

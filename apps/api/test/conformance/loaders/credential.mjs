const origin = process.env.CONFORMANCE_ORIGIN ?? '';

/** Value of the Authorization header for our endpoint. */
export const credential = process.env.CONFORMANCE_AUTHORIZATION ?? '';

/** Whether a URL belongs to the endpoint under test. */
export const isOurs = (url) => URL.canParse(String(url)) && new URL(String(url)).origin === origin;

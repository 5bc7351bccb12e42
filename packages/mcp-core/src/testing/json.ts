/** Parsed JSON that a test looks into without saying first what it expects. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
export type Json = any;
